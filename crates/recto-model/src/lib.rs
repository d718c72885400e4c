//! The models that recto can call: one small trait for each kind, synchronous and in batches.
//!
//! [`local`] runs models from files (language models with the feature `local-llm`), [`remote`] asks a server. Each trait
//! ships a fake (feature `fake`) that gives fixed results, for tests of whoever calls models. Only this crate knows an
//! inference runtime.

pub mod chat;
pub mod chat_image;
pub mod clock;
pub mod encoder;
pub mod error;
pub mod failure;
pub mod identity;
pub mod json_text;
pub mod ledger;
pub mod local;
pub mod recognizer;
pub mod recorded;
pub mod remote;
pub mod reranker;
mod room;
pub mod schema;
pub mod secret;
#[cfg(any(test, feature = "fake"))]
pub mod virtual_clock;

pub use chat::{Chat, ChatMessage, ChatReply, ChatRequest, Part, Reach, Role};
pub use chat_image::{ChatImage, Detail};
pub use clock::{Clock, SystemClock};
pub use encoder::{MultiVector, PageEncoder, PageInput, TextEncoder, TokenEncoder, Vector, Window, in_batches};
pub use error::{ModelError, Result};
pub use failure::{Class, Failure};
pub use identity::{Identity, Pooling, Prefix};
pub use ledger::{Ledger, Limit, Limits, Price, Usage};
pub use recognizer::{OcrMode, Recognized, RecognizedLine, Recognizer, Stop, Unread};
pub use recorded::{RecordMode, Recorded};
pub use reranker::Reranker;
pub use schema::Schema;
pub use secret::Secret;
#[cfg(any(test, feature = "fake"))]
pub use virtual_clock::VirtualClock;
