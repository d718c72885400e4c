//! Office documents: Word, PowerPoint and Excel as Office has written them since 2007, and OpenDocument files. Older and
//! encrypted ones are told apart and refused with what to do. Macros, links to other files and embedded objects are never
//! followed.

mod chart;
mod core_properties;
mod date_format;
mod docx;
mod number_format;
mod numbering;
mod odf;
mod package;
mod pptx;
mod sheet_rows;
mod styles;
#[cfg(test)]
mod tests;
mod xlsx;
mod xml;

use recto_page::ProblemCode;

use crate::laid_out::Draft;
use crate::{IngestError, Result};

use package::Package;
use xml::{Tag, Visit};

/// A compound file: Office documents from before 2007, encrypted ones of today, messages of Outlook.
const COMPOUND: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// The parts of an encrypted document within a compound file, as its directory names them (UTF-16).
const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0";

/// Reads an office document; `None` if the bytes are none.
///
/// # Errors
/// [`IngestError::Open`] if it is one that can't be read.
pub(crate) fn read(bytes: &[u8]) -> Option<Result<Draft>> {
    if bytes.starts_with(COMPOUND) {
        return Some(Err(compound(bytes)));
    }
    if bytes.starts_with(b"{\\rtf") {
        return Some(refuse(ProblemCode::UnsupportedFormat, "it is an RTF document: save it as .docx or PDF"));
    }
    bytes.starts_with(b"PK\x03\x04").then(|| Package::open(bytes).and_then(read_package))
}

fn read_package(mut package: Package<'_>) -> Result<Draft> {
    if let Some(kind) = package.part("mimetype")?.filter(|kind| kind.contains("opendocument")) {
        let mut draft = odf::read(&mut package, &kind)?;
        package.load_pictures(&mut draft);
        return Ok(draft);
    }
    let Some(main) = package.main_part()? else {
        return refuse(
            ProblemCode::UnsupportedFormat,
            "it is a zip archive that holds no .docx, .pptx or .xlsx: unpack it",
        );
    };
    let mut root = Root::default();
    package.walk(&main, &mut root)?;
    let mut draft = match root.0.as_str() {
        "document" => docx::read(&mut package, &main)?,
        "presentation" => pptx::read(&mut package, &main)?,
        "workbook" => xlsx::read(&mut package, &main)?,
        _ => {
            return refuse(
                ProblemCode::UnsupportedFormat,
                "recto does not read office files of this kind: export it as PDF",
            );
        }
    };
    draft.title = core_properties::title(&mut package)?;
    package.load_pictures(&mut draft);
    Ok(draft)
}

/// The name of the first element.
#[derive(Default)]
struct Root(String);

impl Visit for Root {
    fn open(&mut self, tag: &Tag<'_>) {
        if self.0.is_empty() {
            self.0 = tag.name().to_owned();
        }
    }
}

fn compound(bytes: &[u8]) -> IngestError {
    let is_encrypted = bytes.windows(ENCRYPTED.len()).any(|window| window == ENCRYPTED);
    let (code, detail) = if is_encrypted {
        (ProblemCode::PasswordRequired, "the office document is encrypted: save it without a password")
    } else {
        (ProblemCode::UnsupportedFormat, "it is in a format of before 2007: save it as .docx, .pptx, .xlsx or PDF")
    };
    IngestError::Open { code, detail: detail.into() }
}

fn refuse<T>(code: ProblemCode, detail: &str) -> Result<T> {
    Err(IngestError::Open { code, detail: detail.into() })
}
