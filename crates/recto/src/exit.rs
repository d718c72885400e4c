//! How the program ends: 0 done, 1 failed, 2 usage or configuration, 3 finished with problems of single items.

use std::process::ExitCode;

/// How a command that did not fail ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Finish {
    /// All is well.
    Done,
    /// Some documents, pages or rows have problems; the rest is done.
    WithProblems,
}

impl Finish {
    pub(crate) const fn with_problems(any: bool) -> Self {
        if any { Self::WithProblems } else { Self::Done }
    }
}

impl From<Finish> for ExitCode {
    fn from(finish: Finish) -> Self {
        match finish {
            Finish::Done => Self::SUCCESS,
            Finish::WithProblems => Self::from(3),
        }
    }
}

/// An error that the user mends by typing something else.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    Usage(message.into()).into()
}

/// The exit code for an error.
pub(crate) fn code_of(error: &anyhow::Error) -> ExitCode {
    let search = error.downcast_ref::<recto_search::SearchError>();
    let by_user = error.chain().any(|cause| cause.is::<Usage>())
        || search.is_some_and(is_of_search)
        || error.downcast_ref().is_some_and(is_of_vectors)
        || matches!(error.downcast_ref(), Some(recto_agent::AgentError::EmptyQuestion))
        || error.downcast_ref().is_some_and(is_usage);
    ExitCode::from(if by_user { 2 } else { 1 })
}

fn is_of_search(error: &recto_search::SearchError) -> bool {
    use recto_search::SearchError::{EmptyQuery, NoRoute, Vectors};
    matches!(error, EmptyQuery | NoRoute(_)) || matches!(error, Vectors(error) if is_of_vectors(error))
}

/// Another encoder was named than the one that made the vectors.
const fn is_of_vectors(error: &recto_search::vectors::VectorError) -> bool {
    matches!(error, recto_search::vectors::VectorError::Mixed { .. })
}

const fn is_usage(error: &recto_page::PageError) -> bool {
    use recto_page::PageError::{NoDocument, NoIndex, NoPage};
    matches!(error, NoIndex(_) | NoDocument(_) | NoPage(_))
}
