//! Why vectors can't be written, read or compared.

use std::path::PathBuf;

use super::header::PageKey;

/// Result of this module.
pub type Result<T> = std::result::Result<T, VectorError>;

/// Why vectors can't be written, read or compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// Vectors of two kinds can't be compared.
    #[error(
        "the {what} of vectors of the route {route} differs: {left} here, {right} in the index; \
         `recto index --reindex {route}` makes those of the index anew"
    )]
    Mixed {
        /// The route.
        route: String,
        /// Which property.
        what: &'static str,
        /// What it is in the query.
        left: String,
        /// What it is in the index.
        right: String,
    },
    /// A page's numbers are not a whole number of vectors, or its vectors are too many.
    #[error("{numbers} numbers of page {key} are no vectors of {dim} numbers")]
    Shape {
        /// The page.
        key: PageKey,
        /// How many numbers there were.
        numbers: usize,
        /// Numbers in a vector.
        dim: u32,
    },
    /// A number is infinite or none.
    #[error("a vector of page {0} holds a number that is not finite")]
    NotFinite(PageKey),
    /// A page comes twice.
    #[error("page {0} comes twice")]
    Twice(PageKey),
    /// A query without a vector, of another width, or with a number that is not finite; for rows also of several vectors.
    #[error("{numbers} numbers are no query for vectors of {dim} numbers")]
    Query {
        /// How many numbers there were.
        numbers: usize,
        /// Numbers in a vector.
        dim: u32,
    },
    /// A file was written by a later version.
    #[error("{} has format {version}, this version reads up to {known}", .file.display())]
    Version {
        /// The file.
        file: PathBuf,
        /// Its version.
        version: u32,
        /// The last one that is known.
        known: u32,
    },
    /// A file is not what its header says, or no vectors at all.
    #[error("{} is damaged: {why}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What does not fit.
        why: &'static str,
    },
    /// A file can't be read or written.
    #[error("{}: {error}", .file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}
