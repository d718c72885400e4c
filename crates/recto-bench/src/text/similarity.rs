//! Normalised Levenshtein similarity, from which the measures of the ANLS family are made.

use super::levenshtein::levenshtein;

/// 1 − distance ÷ `length`, 1 if `length` is 0.
pub(crate) fn similarity(a: &str, b: &str, length: usize) -> f64 {
    if length == 0 { 1.0 } else { 1.0 - levenshtein(a, b) as f64 / length as f64 }
}

/// The characters of the longer text.
pub(crate) fn longer(a: &str, b: &str) -> usize {
    a.chars().count().max(b.chars().count())
}
