//! Models that run in this process, from files.

mod files;
pub mod llm;
pub mod ocr;
pub mod onnx;
mod own_thread;
mod pool;
mod safetensors;
pub mod static_vectors;
mod window;
mod word_pieces;

pub use llm::LocalSpec;
pub use onnx::OnnxEncoder;
pub use static_vectors::StaticEncoder;
pub use word_pieces::WordPieces;

pub(crate) use pool::normalise;
