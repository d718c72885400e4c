//! Why a search can fail.

/// Result of this crate.
pub type Result<T> = std::result::Result<T, SearchError>;

/// Why a search can fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The query holds nothing to search for.
    #[error("the query holds no word to search for")]
    EmptyQuery,
}
