//! The kernels in plain Rust: the meaning of the other paths, and what processors without them use. Loops run over
//! arrays of fixed length, which compilers turn into vector instructions.

use super::half;

pub(super) fn rows_f32(query: &[f32], data: &[u8], out: &mut [f32]) {
    for (row, out) in data.chunks_exact(4 * query.len()).zip(out) {
        *out = dot(query, row.as_chunks().0, |bytes| f32::from_le_bytes(*bytes));
    }
}

pub(super) fn rows_f16(query: &[f32], data: &[u8], out: &mut [f32]) {
    for (row, out) in data.chunks_exact(2 * query.len()).zip(out) {
        *out = dot(query, row.as_chunks().0, |bytes| half::to_f32(u16::from_le_bytes(*bytes)));
    }
}

/// Eight sums, so that they fit a vector register whatever the order of additions must be.
fn dot<const N: usize>(query: &[f32], row: &[[u8; N]], number: impl Fn(&[u8; N]) -> f32) -> f32 {
    let mut sums = [0.0; 8];
    let (whole, rest) = query.as_chunks::<8>();
    let (row_whole, row_rest) = row.as_chunks::<8>();
    for (q, v) in whole.iter().zip(row_whole) {
        for at in 0..8 {
            sums[at] += q[at] * number(&v[at]);
        }
    }
    let tail: f32 = rest.iter().zip(row_rest).map(|(q, v)| q * number(v)).sum();
    sums.iter().sum::<f32>() + tail
}

pub(super) fn rows_i8(query: &[i8], data: &[u8], out: &mut [i32]) {
    for (row, out) in data.chunks_exact(query.len()).zip(out) {
        *out = row.iter().zip(query).map(|(v, q)| i32::from(*v) * i32::from(*q)).sum();
    }
}

/// The sum of the query's elements whose bit is set.
pub(super) fn rows_bits(query: &[[i8; 64]], data: &[u8], out: &mut [i32]) {
    for (row, out) in data.chunks_exact(8 * query.len()).zip(out) {
        *out = row.as_chunks().0.iter().zip(query).map(|(word, q)| set_sum(u64::from_le_bytes(*word), q)).sum();
    }
}

fn set_sum(word: u64, query: &[i8; 64]) -> i32 {
    query.iter().enumerate().map(|(at, q)| i32::from(*q) * (word >> at & 1) as i32).sum()
}

pub(super) fn rows_hamming(query: &[u64], data: &[u8], out: &mut [u32]) {
    for (row, out) in data.chunks_exact(8 * query.len()).zip(out) {
        let words = row.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        *out = words.zip(query).map(|(word, q)| (word ^ q).count_ones()).sum();
    }
}

/// Largest products of 16 lanes so far, for each of `T` query vectors; `valid` lanes of the block count.
pub(super) fn tile_i8<const T: usize>(
    blocks: [&[[u8; 64]]; 2],
    valid: [u16; 2],
    query: &[i32],
    best: &mut [[i32; 16]],
) {
    for (block, valid) in blocks.into_iter().zip(valid) {
        let mut sums = [[0_i32; 16]; T];
        for (piece, q) in block.iter().zip(query.as_chunks::<T>().0) {
            for (sums, q) in sums.iter_mut().zip(q) {
                add_group(sums, piece, q.to_le_bytes().map(|byte| byte as i8));
            }
        }
        keep_largest(&sums, valid, best);
    }
}

fn add_group(sums: &mut [i32; 16], piece: &[u8; 64], q: [i8; 4]) {
    for (sum, v) in sums.iter_mut().zip(piece.as_chunks::<4>().0) {
        *sum += (0..4).map(|at| i32::from(v[at]) * i32::from(q[at])).sum::<i32>();
    }
}

/// As [`tile_i8`], of 32-bit floats.
pub(super) fn tile_f32<const T: usize>(
    blocks: [&[[u8; 64]]; 2],
    valid: [u16; 2],
    query: &[f32],
    best: &mut [[f32; 16]],
) {
    for (block, valid) in blocks.into_iter().zip(valid) {
        let mut sums = [[0.0_f32; 16]; T];
        for (piece, q) in block.iter().zip(query.as_chunks::<T>().0) {
            let numbers: [f32; 16] = std::array::from_fn(|lane| f32::from_le_bytes(piece.as_chunks::<4>().0[lane]));
            for (sums, q) in sums.iter_mut().zip(q) {
                (0..16).for_each(|lane| sums[lane] += numbers[lane] * q);
            }
        }
        keep_largest(&sums, valid, best);
    }
}

fn keep_largest<N: PartialOrd + Copy>(sums: &[[N; 16]], valid: u16, best: &mut [[N; 16]]) {
    for (sums, best) in sums.iter().zip(best) {
        for lane in (0..16).filter(|lane| valid >> lane & 1 == 1) {
            if sums[lane] > best[lane] {
                best[lane] = sums[lane];
            }
        }
    }
}

/// 16-bit floats to 32-bit ones, `out` having twice the bytes.
pub(super) fn widen_f16(data: &[[u8; 32]], out: &mut [[u8; 64]]) {
    for (data, out) in data.iter().zip(out) {
        for (number, out) in data.as_chunks::<2>().0.iter().zip(out.as_chunks_mut::<4>().0) {
            *out = half::to_f32(u16::from_le_bytes(*number)).to_le_bytes();
        }
    }
}

/// Bits to bytes: 1 where a bit is set, else 0.
pub(super) fn widen_bits(data: &[[u8; 8]], out: &mut [[u8; 64]]) {
    for (word, out) in data.iter().zip(out) {
        let word = u64::from_le_bytes(*word);
        out.iter_mut().enumerate().for_each(|(at, byte)| *byte = (word >> at & 1) as u8);
    }
}
