//! Documents written as text, turned into PDFs for tests and samples. Not for production use: what it writes is as
//! right, or as wrong, as a test wants it.
//!
//! - [`Pdf`] of [`Page`]s: a document from text, operators, fonts, annotations and form fields, encrypted or damaged.
//! - [`RawFile`] of [`Object`]s: what no builder should say, such as a page tree that bites its tail.
//! - [`report`]: documents as people make them, from a light markup.
//! - [`Picture`]: scanned pages.
//! - [`bomb`]: small files that ask for too much.
//! - [`ModelServer`]: a server of language models that says, fails and breaks off as it is told; [`drill`]: what to tell it.
//!
//! | to try | use |
//! |---|---|
//! | text that is seen but not read | [`Font::type3`], [`Font::without_unicode`], [`Font::with_unicode`] |
//! | hidden text | [`Page::hidden_text_at`]; [`Page::fill`] with the colour of the paper; [`Page::rect`] over text |
//! | a scan, with or without an OCR layer | [`Picture`], [`Page::image`], [`Page::hidden_text_at`] |
//! | turned pages, turned text | [`Page::rotate`], [`Page::text_matrix`] |
//! | spaces made by distance, odd kerning, clipping by text | [`Page::content`] with raw operators |
//! | form fields, comments, stamps | [`Annotation`], with [`Annotation::appearance`] or without |
//! | a broken page among good ones | [`Page::truncated`] |
//! | a broken file | [`Pdf::damage`]; cut the bytes for a broken download |
//! | passwords | [`Pdf::encrypt`] |
//! | Chinese without an embedded font | [`Font::chinese`], [`report::Style::chinese`] |
//! | tables over two pages, columns, charts | [`report::Report`] |
//!
//! Equal documents are equal bytes: no dates, no random numbers.
//!
//! ```
//! use recto_fixture::{Annotation, Damage, Face, Font, Page, Pdf};
//!
//! // A page whose text a reader sees but cannot extract, in a file whose cross-reference table is gone.
//! let garbled = Font::embedded("F2", Face::Serif).without_unicode();
//! let page = Page::new().text(&garbled, 72.0, 700.0, 12.0, "Only for the eye");
//! let bytes = Pdf::new().page(page).damage(Damage::NoXref).to_bytes();
//!
//! // A filled form field, a value under a white box, and an ActualText.
//! let page = Page::new()
//!     .annotation(Annotation::text_field([72.0, 600.0, 300.0, 620.0], "name", "Ada"))
//!     .text_at(72.0, 500.0, 12.0, "1.00").fill([1.0, 1.0, 1.0]).rect(70.0, 495.0, 60.0, 20.0)
//!     .actual_text("ffi", |page| page.text_at(72.0, 400.0, 12.0, "?"));
//! let bytes = Pdf::new().page(page).to_bytes();
//! ```

mod annotation;
pub mod bomb;
mod compact;
mod crypt;
pub mod drill;
mod face;
mod file;
mod font;
pub mod image;
mod model_server;
mod object;
mod outline;
mod page;
mod pdf;
mod picture;
pub mod report;
pub mod samples;

pub use annotation::Annotation;
pub use crypt::{Cipher, Encryption};
pub use face::Face;
pub use file::{Damage, RawFile};
pub use font::Font;
pub use model_server::{Answer, Asked, Count, ModelServer};
pub use object::{Object, deflate, string};
pub use page::Page;
pub use pdf::Pdf;
pub use picture::Picture;
