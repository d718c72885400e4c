//! What Python computes where numbers of reference code depend on it.

pub mod mersenne_twister;
pub mod word_runs;
