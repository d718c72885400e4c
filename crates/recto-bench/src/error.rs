//! Why a benchmark can't be read or scored, grouped by who must act.

use std::path::PathBuf;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, BenchError>;

/// Why a benchmark can't be read or scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A file of a benchmark is not there.
    #[error("{} is missing; {published}", file.display())]
    MissingFile {
        /// The file.
        file: PathBuf,
        /// Where its owners publish it.
        published: String,
    },
    /// A file can't be read.
    #[error("{}: {why}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said. Told in the message, so not once more as its source.
        why: std::io::Error,
    },
    /// A row is not what its file promises.
    #[error("{}{}: {why}", file.display(), if *line > 0 { format!(":{line}") } else { String::new() })]
    BadRow {
        /// The file.
        file: PathBuf,
        /// 1-based; 0 if the file has no lines.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Another process writes to a run.
    #[error("another process is writing to the run {}; wait for it to end, or name another folder", dir.display())]
    Busy {
        /// The folder.
        dir: PathBuf,
    },
    /// A folder holds a run of another configuration.
    #[error("{} holds a run of another configuration (see its config.json); name another folder", dir.display())]
    OtherRun {
        /// The folder.
        dir: PathBuf,
    },
    /// Nobody knows a measure of this name.
    #[error("{name:?} is no measure: {why}")]
    UnknownMeasure {
        /// As it was written.
        name: String,
        /// What was expected.
        why: String,
    },
}

impl BenchError {
    /// A fault in a row of a file.
    pub fn row(file: impl Into<PathBuf>, line: usize, why: impl ToString) -> Self {
        Self::BadRow { file: file.into(), line, why: why.to_string() }
    }

    /// What the system said about a file.
    pub fn io(file: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        |why| Self::Io { file: file.into(), why }
    }
}
