//! Models that a server runs, asked over plain HTTP.

mod encoder;
#[cfg(test)]
mod fake_server;
mod http;
mod multipart;
mod ocr;
mod picture;
mod reply;
mod reranker;

pub use encoder::{EmbeddingApi, RemoteEncoder, RemoteTokenEncoder};
pub use http::{Endpoint, Key};
pub use ocr::RemoteRecognizer;
pub use reranker::RemoteReranker;

#[cfg(test)]
mod tests;
