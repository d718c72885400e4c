//! The index directory (in the making).
/// The directory.
pub struct IndexDir;
