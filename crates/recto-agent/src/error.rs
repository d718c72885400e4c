//! Why a question can't be worked on. "Not in the documents" is an answer, not an error.

/// Result of this crate.
pub type Result<T> = std::result::Result<T, AgentError>;

/// Why a question can't be worked on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The question holds no word.
    #[error("the question is empty")]
    EmptyQuestion,
    /// The search failed.
    #[error(transparent)]
    Search(#[from] recto_search::SearchError),
    /// The store of pages failed.
    #[error(transparent)]
    Pages(#[from] recto_page::PageError),
}
