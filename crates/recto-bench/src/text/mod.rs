//! How alike two texts are, whatever the benchmark.

pub mod levenshtein;
pub mod porter;
pub mod rouge;
pub mod similarity;
pub mod squad;
