//! What Python does with text and numbers, where a benchmark's published scores rest on it. Not an interpreter.

pub mod digits;
pub mod float_text;
pub mod int_text;
pub mod literal;
pub mod rounding;
pub mod space;
pub mod str_repr;
pub mod word_runs;
