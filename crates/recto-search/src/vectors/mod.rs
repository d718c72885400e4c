//! Vectors of pages on disk, and the pages nearest to a query: exact, over files that never change.
//!
//! Read in this order: [`header`] (what vectors are, and when two may be compared), [`mod@write`] (a batch becomes a file),
//! [`segment`] (a file is read), [`scan`] (files to the nearest pages), [`mod@merge`] (many files become one). Where vectors come from, encoders say; which files
//! and document versions are live, the catalog says.

pub mod candidate;
mod error;
pub mod header;
pub mod merge;
pub mod scan;
pub mod segment;
#[cfg(test)]
mod tests;
pub mod write;

pub use error::{Result, VectorError};
pub use header::{Header, Layout, PageKey, Space};
pub use merge::{LARGEST, class, merge};
pub use scan::{Found, Plan, Query, Restriction, search};
pub use segment::Segment;
pub use write::{Published, Storage, Writer};

pub use crate::kernel::blocks::Element;
