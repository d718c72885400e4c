//! Why the store can fail, grouped by who must act.

use std::path::PathBuf;

use crate::{DocId, PageId};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, PageError>;

/// Why the store can fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageError {
    /// The user named a folder that holds no index.
    #[error("there is no index at {}: name one with --index DIR, or make it with `recto index PATH --index {}`", .0.display(), .0.display())]
    NoIndex(PathBuf),
    /// The index was made by another version of the program.
    #[error("the index {} has format {found}, this program reads {expected}; build it again with `recto index`", .dir.display())]
    Format {
        /// The index directory.
        dir: PathBuf,
        /// Its format.
        found: String,
        /// The format that this program reads.
        expected: &'static str,
    },
    /// Another process is writing to the index.
    #[error("another process{} is writing to the index {}; wait for it to end", number(*.by), .dir.display())]
    Locked {
        /// The index directory.
        dir: PathBuf,
        /// The number of the process, as far as it is known.
        by: Option<u32>,
    },
    /// The user named a document that is not in the corpus.
    #[error("there is no document {0} in the index")]
    NoDocument(DocId),
    /// The user named a page that is not in the corpus.
    #[error("there is no page {0} in the index")]
    NoPage(PageId),
    /// The record of a page is not as it was written.
    #[error(
        "the record of page {0} in the index is damaged; `recto doctor --verify` tells all damages and what can be done"
    )]
    Damaged(PageId),
    /// A page could not be drawn.
    #[error("page {page} could not be drawn: {why}")]
    NotDrawn {
        /// The page.
        page: PageId,
        /// What the renderer said.
        why: String,
    },
    /// A file of the index could not be read or written.
    #[error("{}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The catalog could not be read or written.
    #[error("the catalog can't be read or written")]
    Sqlite(#[from] rusqlite::Error),
    /// A record in the catalog is damaged.
    #[error("a record of the catalog is damaged ({0}); `recto doctor --verify` tells all damages and what can be done")]
    Record(&'static str),
}

impl PageError {
    /// Wraps what the system said about `path`.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}

fn number(process: Option<u32>) -> String {
    process.map(|number| format!(" (number {number})")).unwrap_or_default()
}
