//! One query against vectors that lie one after the other: a product for each.
//!
//! `out[i]` is for the `i`-th row; rows that `data` does not hold whole are left as they are.

use super::{BIAS, Path, scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Jumps to the path's function of a name; the processor has been asked.
macro_rules! dispatch {
    ($path:expr, $name:ident ( $($argument:expr),* )) => {
        match $path.usable() {
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "a function for instructions that not every processor has")]
            // SAFETY: `usable` returns this path only if the processor has all that the function is compiled for.
            Path::Avx512 => unsafe { avx512::$name($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "a function for instructions that not every processor has")]
            // SAFETY: as above.
            Path::Avx2 => unsafe { avx2::$name($($argument),*) },
            _ => scalar::$name($($argument),*),
        }
    };
}
pub(super) use dispatch;

/// Products of 32-bit floats; a row has `4 * query.len()` bytes.
pub fn dot_f32(path: Path, query: &[f32], data: &[u8], out: &mut [f32]) {
    if !query.is_empty() {
        dispatch!(path, rows_f32(query, data, out));
    }
}

/// Products of 16-bit floats with a query in 32 bits; a row has `2 * query.len()` bytes.
pub fn dot_f16(path: Path, query: &[f32], data: &[u8], out: &mut [f32]) {
    if !query.is_empty() {
        dispatch!(path, rows_f16(query, data, out));
    }
}

/// Exact products of 8-bit integers, stored plus 128; a row has `query.len()` bytes. In `query`, -128 counts as -127.
/// Of a query longer than [`super::MAX_DIM`] nothing is computed, nor by [`dot_bits`].
pub fn dot_i8(path: Path, query: &[i8], data: &[u8], out: &mut [i32]) {
    if query.is_empty() || query.len() > super::MAX_DIM {
        return;
    }
    let query = &symmetric(query);
    dispatch!(path, rows_i8(query, data, out));
    let bias = BIAS * sum(query);
    out.iter_mut().take(data.len() / query.len()).for_each(|value| *value -= bias);
}

/// Exact products of signs (+1, -1) with a query of 8-bit integers: the asymmetric product of 1-bit vectors. A row has
/// 8 bytes for every 64 elements.
pub fn dot_bits(path: Path, query: &[i8], data: &[u8], out: &mut [i32]) {
    if query.is_empty() || query.len() > super::MAX_DIM {
        return;
    }
    let mut query = symmetric(query);
    let all = sum(&query);
    query.resize(query.len().next_multiple_of(64), 0);
    let query = query.as_chunks().0;
    dispatch!(path, rows_bits(query, data, out));
    out.iter_mut().take(data.len() / (8 * query.len())).for_each(|value| *value = 2 * *value - all);
}

/// How many bits differ: the symmetric distance of 1-bit vectors. Rows and `query` have 8 bytes for every 64 elements.
pub fn hamming(path: Path, query: &[u64], data: &[u8], out: &mut [u32]) {
    if !query.is_empty() {
        dispatch!(path, rows_hamming(query, data, out));
    }
}

/// -128 has no opposite, which one of the paths needs.
pub(super) fn symmetric(query: &[i8]) -> Vec<i8> {
    query.iter().map(|value| (*value).max(-127)).collect()
}

pub(super) fn sum(query: &[i8]) -> i32 {
    query.iter().map(|value| i32::from(*value)).sum()
}
