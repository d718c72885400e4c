//! The models that recto can call: one small trait for each kind, synchronous and in batches.
//!
//! Nothing calls them yet; the offline path works without any. Each trait ships a fake (feature `fake`) that gives fixed
//! results, for tests of whoever calls models.

pub mod chat;
pub mod encoder;
pub mod error;
pub mod recognizer;
pub mod reranker;

pub use chat::{Chat, ChatMessage, ChatReply, ChatRequest, Role, Usage};
pub use encoder::{MultiVector, PageEncoder, TextEncoder, TokenEncoder, Vector};
pub use error::{ModelError, Result};
pub use recognizer::{OcrMode, Recognized, RecognizedLine, Recognizer, Unread};
pub use reranker::Reranker;
