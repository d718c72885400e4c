//! The models that recto can call: one small trait for each kind, synchronous and in batches.
//!
//! [`local`] runs models from files, [`remote`] asks a server. Each trait ships a fake (feature `fake`) that gives fixed
//! results, for tests of whoever calls models. Only this crate knows an inference runtime.

pub mod chat;
pub mod encoder;
pub mod error;
pub mod local;
pub mod recognizer;
pub mod remote;
pub mod reranker;

pub use chat::{Chat, ChatMessage, ChatReply, ChatRequest, Role, Usage};
pub use encoder::{MultiVector, PageEncoder, TextEncoder, TokenEncoder, Vector};
pub use error::{ModelError, Result};
pub use recognizer::{OcrMode, Recognized, RecognizedLine, Recognizer, Stop, Unread};
pub use reranker::Reranker;
