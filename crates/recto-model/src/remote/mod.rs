//! Models that a server runs, asked over HTTP.

mod anthropic;
mod chat;
mod encoder;
#[cfg(test)]
mod fake_server;
mod fitting;
mod http;
mod limiter;
mod manner;
mod multipart;
mod ocr;
mod openai_chat;
mod picture;
mod reply;
mod reranker;
mod retry;
mod spec;
mod transport;
mod wire;

/// The key of an endpoint.
pub use crate::Secret as Key;
pub use chat::{ChatOptions, RemoteChat};
pub use encoder::{EmbeddingApi, RemoteEncoder, RemoteTokenEncoder};
pub use http::Endpoint;
pub use ocr::RemoteRecognizer;
pub(crate) use picture::png;
pub use reranker::RemoteReranker;
pub use spec::{Keys, ModelSpec, Provider, chat_from_spec};
pub use transport::is_address;

#[cfg(test)]
mod drills;
#[cfg(test)]
mod lessons;
#[cfg(test)]
mod tests;
