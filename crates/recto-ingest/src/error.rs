//! Why a document or page can't be read, grouped by who must act.

use recto_page::{PageNumber, ProblemCode};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, IngestError>;

/// Why a document or page can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IngestError {
    /// The document can't be opened; the code says why.
    #[error("{detail}")]
    Open {
        /// The kind of problem to record.
        code: ProblemCode,
        /// What exactly.
        detail: String,
    },
    /// The document has no such page.
    #[error("there is no page {0}")]
    NoPage(PageNumber),
    /// The page can't be drawn.
    #[error("page {page} can't be drawn: {why}")]
    NotDrawn {
        /// The page.
        page: PageNumber,
        /// Why.
        why: String,
    },
}
