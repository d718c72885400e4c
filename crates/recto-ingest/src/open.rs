//! Opens a file by what it is, whatever it is called.

use crate::document::OpenDocument;
use crate::image_document::ImageDocument;
use crate::pdf::PdfFile;
use crate::{Result, laid_out, office, text_files};

/// As much memory as glibc can be made to keep, which is less than what one page picture may need.
const KEPT: usize = 30 << 20;

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
    keep_memory();
    let laid_out = match office::read(&bytes) {
        Some(draft) => Some(draft?),
        None => text_files::read(&bytes),
    };
    let mut file = match &laid_out {
        Some(draft) => PdfFile::open(laid_out::pdf(draft), None)?,
        None => PdfFile::open(bytes, password)?,
    };
    file.problems = laid_out.map(|draft| draft.problems()).unwrap_or_default();
    Ok(with(&file.document()))
}

/// Has glibc keep what a page needed for the next page. It returns large pieces to the system, only to ask for them again,
/// until one that was larger has been freed. Elsewhere this does nothing.
fn keep_memory() {
    let mut large = Vec::<u8>::new();
    if large.try_reserve_exact(KEPT).is_ok() {
        drop(std::hint::black_box(large));
    }
}
