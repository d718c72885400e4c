//! Small programs over a corpus.

/// What authors of programs are told of their language.
pub const HELP: &str = "";
