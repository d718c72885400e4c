//! Files to pages. The only crate that knows PDF.

pub mod document;
pub mod error;
mod pdf;

pub use document::OpenDocument;
pub use error::{IngestError, Result};
pub use pdf::{PdfDocument, PdfFile};
