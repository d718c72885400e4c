//! What a document and a page are, and their store on disk.
//!
//! This crate has a subject, not a purpose: a type stands here only if it describes a page or its record. It knows
//! neither PDF nor search. Read in this order: [`id`], [`region`], [`text_layer`], [`page`], [`document`],
//! [`catalog`].

pub mod block;
pub mod catalog;
pub mod document;
pub mod error;
pub mod hidden;
pub mod id;
pub mod image;
pub mod index_dir;
mod markdown;
pub mod mersenne_twister;
pub mod numbered;
pub mod ocr_record;
pub mod page;
pub mod problem;
pub mod region;
pub mod table;
pub mod text_layer;
pub mod turn;
pub mod word;

pub use block::{Block, BlockKind, Line};
pub use catalog::Catalog;
pub use document::{Document, DocumentState, OutlineEntry};
pub use error::{PageError, Result};
pub use hidden::{HiddenKind, HiddenText};
pub use id::{ContentHash, DocId, PageId, PageNumber};
pub use image::{PageImage, PageImages};
pub use index_dir::IndexDir;
pub use numbered::Numbered;
pub use ocr_record::OcrRecord;
pub use page::{Link, Page, PageSize, Pages, TextReason, TextSource};
pub use problem::{Problem, ProblemCode, Stage};
pub use region::Region;
pub use table::{Cell, Table};
pub use text_layer::TextLayer;
pub use turn::Turn;
pub use word::Word;
