//! Why a model gave no result, grouped by who must act.

use std::path::PathBuf;
use std::time::Duration;

use crate::{Failure, Limit};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, ModelError>;

/// Why a model gave no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The user must act: a key is missing or refused, or the model does not exist.
    #[error("the model refused the request: {why}")]
    Refused {
        /// What the model's owner said.
        why: String,
    },
    /// Trying again later can help: a time-out, an overload, a broken connection.
    #[error("the model is not available: {why}")]
    Unavailable {
        /// What happened.
        why: String,
        /// How long to wait, if the model's owner said so.
        retry_after: Option<Duration>,
    },
    /// The reply is not what was asked for.
    #[error("the model's reply is of no use: {why}")]
    BadReply {
        /// What is wrong with it.
        why: String,
    },
    /// A model's file is not there.
    #[error("{} is missing; `{command}` brings it", file.display())]
    MissingFile {
        /// The file.
        file: PathBuf,
        /// What brings it.
        command: &'static str,
    },
    /// A model's file is not the one that was asked for, or cannot be used.
    #[error("{} cannot be used: {why}", file.display())]
    BadFile {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A text was given to an encoder of pictures, or the other way round.
    #[error("the encoder wants {wanted}")]
    WrongInput {
        /// What it wants.
        wanted: &'static str,
    },
    /// The picture is none: its size and its bytes do not agree.
    #[error("the picture of {width} x {height} pixels has {bytes} bytes")]
    BadPicture {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes that came with it.
        bytes: usize,
    },
    /// A chat gave no reply.
    #[error("{0}")]
    Chat(Box<Failure>),
    /// A limit of what may be spent is reached; the request was not sent.
    #[error("the limit of {} is reached: {why}", match limit {
        Limit::Cost => "cost",
        Limit::Calls => "requests",
        Limit::Tokens => "tokens",
        Limit::Time => "time",
    })]
    Limit {
        /// Which.
        limit: Limit,
        /// How much it is.
        why: String,
    },
    /// A reply is to be replayed that was never recorded.
    #[error("no reply is recorded for the request {key}")]
    NotRecorded {
        /// The name its record would have.
        key: String,
    },
    /// A schema says what not every server of models takes.
    #[error("the schema {name} is of no use: {why}")]
    BadSchema {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// What names a model cannot be understood.
    #[error("{spec:?} names no model: {why}")]
    BadSpec {
        /// What was given.
        spec: String,
        /// What is wrong with it.
        why: String,
    },
}
