//! Floats to 8-bit integers with one scale, and to bits.

use super::BIAS;

/// What an integer step is worth, so that the largest of `values` becomes 127. 1 if all are 0 or there are none.
pub fn scale(values: &[f32]) -> f32 {
    step(largest(values))
}

/// The largest magnitude.
pub fn largest(values: &[f32]) -> f32 {
    values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()))
}

/// What an integer step is worth, so that `largest` becomes 127; 1 if that is 0 or so small that it can't be divided by.
pub fn step(largest: f32) -> f32 {
    let scale = largest / 127.0;
    if scale.is_normal() { scale } else { 1.0 }
}

/// The nearest integers in `-127..=127`, in steps of `scale`. What is no number becomes 0.
pub fn to_i8(values: &[f32], scale: f32) -> Vec<i8> {
    values.iter().map(|value| integer(*value, scale)).collect()
}

/// As [`to_i8`], as stored: plus 128.
pub fn to_stored(values: &[f32], scale: f32) -> impl Iterator<Item = u8> {
    values.iter().map(move |value| (i32::from(integer(*value, scale)) + BIAS) as u8)
}

/// One bit for each value, lowest first, in whole groups of 64: set where the value is at least 0.
pub fn to_bits(values: &[f32]) -> Vec<u8> {
    let word = |part: &[f32]| part.iter().rev().fold(0_u64, |word, value| word << 1 | u64::from(*value >= 0.0));
    values.chunks(64).flat_map(|part| word(part).to_le_bytes()).collect()
}

fn integer(value: f32, scale: f32) -> i8 {
    (value / scale).round_ties_even().clamp(-127.0, 127.0) as i8
}
