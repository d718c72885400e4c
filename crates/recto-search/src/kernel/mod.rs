//! Products of vectors at the speed of memory: what is computed, not where vectors are kept (see [`crate::vectors`]).
//!
//! Vectors come as bytes, little endian, as they lie in a mapped file. [`rows`] takes vectors one after the other and
//! gives a product for each; [`maxsim`] takes pages of many vectors in [`blocks`] and gives a sum of maxima for each.
//! Everything is written three times, see [`Path`]; integer results are equal bit for bit on all paths.
//!
//! Elements: 32-bit and 16-bit floats; 8-bit integers `-127..=127` with one scale, stored plus 128 ([`quantize`]);
//! 1 bit, set where the element is at least 0.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod blocks;
pub mod half;
pub mod maxsim;
mod path;
pub mod quantize;
pub mod rows;
mod scalar;
#[cfg(test)]
mod tests;

pub use path::Path;

/// The widest vector: 255 * 127 * `MAX_DIM` still fits the 32-bit sums of the integer kernels.
pub const MAX_DIM: usize = 65_536;
/// What is added to an 8-bit integer where it is stored.
pub const BIAS: i32 = 128;
