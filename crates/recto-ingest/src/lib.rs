//! Files to pages. The only crate that knows PDF.
//!
//! [`discover`](mod@discover) finds files; [`worker`] reads them in processes of their own, where [`with_document`] opens
//! a file and [`read_page`] makes the record of a page from what the [`OpenDocument`] says.

mod added_text;
mod bidi;
mod columns;
pub mod discover;
pub mod document;
mod doubles;
pub mod error;
mod glyph;
mod grey_alpha;
mod hidden;
mod image_document;
mod image_resolution;
mod ingest;
mod laid_out;
mod language;
mod layer_check;
pub mod layout;
mod letters;
mod limits;
mod numerals;
pub mod ocr;
mod office;
mod open;
mod pdf;
pub mod picture_look;
mod pictures;
mod pixel_grid;
mod reading_order;
mod skew;
mod stacks;
mod tables;
mod text_files;
mod tiff_pages;
mod trust;
mod words;
pub mod worker;

pub use added_text::AddedText;
pub use document::{OpenDocument, PageText};
pub use error::{IngestError, Result};
pub use image_document::ImageDocument;
pub use ingest::read_page;
pub use limits::Limits;
pub use open::with_document;
pub use pdf::{PdfDocument, PdfFile};
pub use text_files::is_text_file;
pub use trust::Counts;
