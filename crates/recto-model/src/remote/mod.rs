//! Models that a server runs, asked over plain HTTP.

mod multipart;
mod ocr;

pub use ocr::RemoteRecognizer;
