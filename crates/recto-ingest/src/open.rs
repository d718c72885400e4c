//! Opens a file by what it is, whatever it is called.

use recto_page::ProblemCode;

use crate::document::OpenDocument;
use crate::image_document::ImageDocument;
use crate::pdf::{PdfFile, contained};
use crate::{IngestError, Result, laid_out, office, text_files};

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
    let file = match contained(|| lay_out(&bytes)).unwrap_or_else(|| Some(Err(failed()))) {
        Some(file) => file?,
        None => PdfFile::open(bytes, password)?,
    };
    Ok(with(&file.document()))
}

/// A file that has no pages of its own, on pages that are made for it; `None` if it is no such file.
fn lay_out(bytes: &[u8]) -> Option<Result<PdfFile>> {
    let draft = match office::read(bytes) {
        Some(Ok(draft)) => draft,
        Some(Err(error)) => return Some(Err(error)),
        None => text_files::read(bytes)?,
    };
    let (pdf, problems) = laid_out::pdf(&draft);
    Some(PdfFile::open(pdf, None).map(|file| file.laid_out(problems)))
}

fn failed() -> IngestError {
    IngestError::Open { code: ProblemCode::Damaged, detail: "reading it failed".into() }
}

/// Has glibc keep what a page needed for the next page. It returns large pieces to the system, only to ask for them again,
/// until one that was larger has been freed. Elsewhere this does nothing.
fn keep_memory() {
    let mut large = Vec::<u8>::new();
    if large.try_reserve_exact(KEPT).is_ok() {
        drop(std::hint::black_box(large));
    }
}
