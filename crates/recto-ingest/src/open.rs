//! Opens a file by what it is, whatever it is called.

use crate::Result;
use crate::document::OpenDocument;
use crate::image_document::ImageDocument;
use crate::pdf::PdfFile;

/// Opens a document from its bytes and hands it to `with`, for as long as that runs.
///
/// # Errors
/// [`crate::IngestError::Open`] if the file can't be opened.
pub fn with_document<T>(
    bytes: Vec<u8>,
    password: Option<&str>,
    with: impl FnOnce(&dyn OpenDocument) -> T,
) -> Result<T> {
    if ImageDocument::recognises(&bytes) {
        return Ok(with(&ImageDocument::open(bytes)?));
    }
    let file = PdfFile::open(bytes, password)?;
    Ok(with(&file.document()))
}
