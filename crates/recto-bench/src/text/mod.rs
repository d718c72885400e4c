//! How alike two texts are, whatever the benchmark.

pub mod levenshtein;
pub(crate) mod number_words;
pub mod porter;
pub mod rouge;
pub mod similarity;
pub mod squad;
