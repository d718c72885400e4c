//! Why a search can fail, grouped by who must act.

use std::path::PathBuf;

use recto_model::ModelError;

use crate::Route;
use crate::vectors::VectorError;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, SearchError>;

/// Why a search, or the writing of what it reads, can fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query holds nothing to search for.
    #[error("the query holds no word to search for")]
    EmptyQuery,
    /// Another process is writing to the word index.
    #[error("another process is writing to the word index {}; wait for it to end", .0.display())]
    Locked(PathBuf),
    /// The directory holds no word index, or a damaged one.
    #[error("the word index {} can't be opened ({why}); `recto index PATH` makes it anew", .dir.display())]
    Unreadable {
        /// The directory.
        dir: PathBuf,
        /// What the engine said.
        why: String,
    },
    /// The word index is not that of the catalog.
    #[error(
        "the word index {} lacks documents that the index names; `recto index PATH` makes it anew from their pages", .0.display()
    )]
    Foreign(PathBuf),
    /// The word index failed while it was read or written.
    #[error("word index: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
    /// A file of the word index could not be read.
    #[error("word index: {0}")]
    Io(#[from] std::io::Error),
    /// The index has no vectors of a route, or not yet of all its pages.
    #[error("the index does not hold the route {0}; `recto index PATH --routes bm25,{0}` adds it")]
    NoRoute(Route),
    /// Vectors failed while they were read or written.
    #[error(transparent)]
    Vectors(#[from] VectorError),
    /// An encoder failed.
    #[error(transparent)]
    Model(#[from] ModelError),
}
