//! The models that recto can call: one small trait for each kind, synchronous and in batches.
//!
//! [`local`] runs models from files, [`remote`] asks a server. Each trait ships a fake (feature `fake`) that gives fixed
//! results, for tests of whoever calls models. Only this crate knows an inference runtime.

pub mod chat;
pub mod encoder;
pub mod error;
pub mod identity;
pub mod local;
pub mod recognizer;
pub mod remote;
pub mod reranker;

pub use chat::{Chat, ChatMessage, ChatReply, ChatRequest, Role, Usage};
pub use encoder::{MultiVector, PageEncoder, PageInput, TextEncoder, TokenEncoder, Vector, Window, in_batches};
pub use error::{ModelError, Result};
pub use identity::{Identity, Pooling, Prefix};
pub use recognizer::{OcrMode, Recognized, RecognizedLine, Recognizer, Stop, Unread};
pub use reranker::Reranker;
