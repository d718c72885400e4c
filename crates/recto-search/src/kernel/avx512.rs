//! The kernels with AVX-512: 64 bytes at a time, integers by `vpdpbusd`. Meaning and arguments as in `scalar`.
//!
//! Nothing here is unsafe but the loads and stores of whole arrays; the features are asked for by who calls.

use std::arch::x86_64::*;

/// Rows read at once. One: with four, a scan of a million rows of 384 floats took 137 ms instead of 62, since several
/// streams within one page of memory defeat the processor's prefetching.
const ROWS: usize = 1;

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads an array")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has 64 bytes; no alignment is asked for.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads an array")]
fn load_i8(bytes: &[i8; 64]) -> __m512i {
    // SAFETY: the array has 64 bytes; no alignment is asked for.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads an array")]
fn load_f32(numbers: &[f32; 16]) -> __m512 {
    // SAFETY: the array has 16 floats; no alignment is asked for.
    unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
}

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "loads an array")]
fn load_f16(bytes: &[u8; 32]) -> __m512 {
    // SAFETY: the array has 32 bytes; no alignment is asked for.
    _mm512_cvtph_ps(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
}

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "changes an array in place")]
fn keep_i32(best: &mut [i32; 16], a: __m512i, b: __m512i) {
    // SAFETY: the array has 16 integers, read and written whole; no alignment is asked for.
    unsafe {
        let old = _mm512_loadu_si512(best.as_ptr().cast());
        _mm512_storeu_si512(best.as_mut_ptr().cast(), _mm512_max_epi32(old, _mm512_max_epi32(a, b)));
    }
}

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "changes an array in place")]
fn keep_f32(best: &mut [f32; 16], a: __m512, b: __m512) {
    let new = _mm512_max_ps(load_f32(best), _mm512_max_ps(a, b));
    // SAFETY: the array has 16 floats, written whole; no alignment is asked for.
    unsafe { _mm512_storeu_ps(best.as_mut_ptr(), new) }
}

/// What is left of a slice, with zeros after it.
fn padded<T: Copy + Default, const N: usize>(rest: &[T]) -> [T; N] {
    let mut whole = [T::default(); N];
    whole.iter_mut().zip(rest).for_each(|(whole, rest)| *whole = *rest);
    whole
}

/// Calls `$body` with rows of `$size` bytes, [`ROWS`] at once, then the last ones singly.
macro_rules! by_rows {
    ($query:expr, $size:expr, $data:expr, $out:expr, $body:ident) => {
        let count = $out.len().min($data.len() / $size);
        let (data, out) = (&$data[..count * $size], &mut $out[..count]);
        let (many, last) = data.split_at(count / ROWS * ROWS * $size);
        let (out_many, out_last) = out.as_chunks_mut::<ROWS>();
        for (rows, out) in many.chunks_exact(ROWS * $size).zip(out_many) {
            *out = $body::<ROWS>($query, std::array::from_fn(|row| &rows[row * $size..(row + 1) * $size]));
        }
        for (row, out) in last.chunks_exact($size).zip(out_last) {
            [*out] = $body::<1>($query, [row]);
        }
    };
}

#[target_feature(enable = "avx512f")]
pub(super) fn rows_f32(query: &[f32], data: &[u8], out: &mut [f32]) {
    by_rows!(query, 4 * query.len(), data, out, dot_f32);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn dot_f32<const R: usize>(query: &[f32], rows: [&[u8]; R]) -> [f32; R] {
    let (whole, rest) = query.as_chunks::<16>();
    let pieces = rows.map(|row| &row.as_chunks::<64>().0[..whole.len()]);
    let mut sums = [_mm512_setzero_ps(); R];
    for (at, q) in whole.iter().enumerate() {
        let q = load_f32(q);
        for row in 0..R {
            sums[row] = _mm512_fmadd_ps(q, _mm512_castsi512_ps(load(&pieces[row][at])), sums[row]);
        }
    }
    if !rest.is_empty() {
        let q = load_f32(&padded(rest));
        for row in 0..R {
            let last = load(&padded(&rows[row][64 * whole.len()..]));
            sums[row] = _mm512_fmadd_ps(q, _mm512_castsi512_ps(last), sums[row]);
        }
    }
    sums.map(|sum| _mm512_reduce_add_ps(sum))
}

#[target_feature(enable = "avx512f")]
pub(super) fn rows_f16(query: &[f32], data: &[u8], out: &mut [f32]) {
    by_rows!(query, 2 * query.len(), data, out, dot_f16);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn dot_f16<const R: usize>(query: &[f32], rows: [&[u8]; R]) -> [f32; R] {
    let (whole, rest) = query.as_chunks::<16>();
    let pieces = rows.map(|row| &row.as_chunks::<32>().0[..whole.len()]);
    let mut sums = [_mm512_setzero_ps(); R];
    for (at, q) in whole.iter().enumerate() {
        let q = load_f32(q);
        for row in 0..R {
            sums[row] = _mm512_fmadd_ps(q, load_f16(&pieces[row][at]), sums[row]);
        }
    }
    if !rest.is_empty() {
        let q = load_f32(&padded(rest));
        for row in 0..R {
            sums[row] = _mm512_fmadd_ps(q, load_f16(&padded(&rows[row][32 * whole.len()..])), sums[row]);
        }
    }
    sums.map(|sum| _mm512_reduce_add_ps(sum))
}

#[target_feature(enable = "avx512f,avx512vnni")]
pub(super) fn rows_i8(query: &[i8], data: &[u8], out: &mut [i32]) {
    by_rows!(query, query.len(), data, out, dot_i8);
}

#[inline]
#[target_feature(enable = "avx512f,avx512vnni")]
fn dot_i8<const R: usize>(query: &[i8], rows: [&[u8]; R]) -> [i32; R] {
    let (whole, rest) = query.as_chunks::<64>();
    let pieces = rows.map(|row| &row.as_chunks::<64>().0[..whole.len()]);
    let mut sums = [_mm512_setzero_si512(); R];
    for (at, q) in whole.iter().enumerate() {
        let q = load_i8(q);
        for row in 0..R {
            sums[row] = _mm512_dpbusd_epi32(sums[row], load(&pieces[row][at]), q);
        }
    }
    if !rest.is_empty() {
        let q = load_i8(&padded(rest));
        for row in 0..R {
            sums[row] = _mm512_dpbusd_epi32(sums[row], load(&padded(&rows[row][64 * whole.len()..])), q);
        }
    }
    sums.map(|sum| _mm512_reduce_add_epi32(sum))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn rows_bits(query: &[[i8; 64]], data: &[u8], out: &mut [i32]) {
    for (row, out) in data.chunks_exact(8 * query.len()).zip(out) {
        let mut sum = _mm512_setzero_si512();
        for (word, q) in row.as_chunks().0.iter().zip(query) {
            let set = _mm512_maskz_set1_epi8(u64::from_le_bytes(*word), 1);
            sum = _mm512_dpbusd_epi32(sum, set, load_i8(q));
        }
        *out = _mm512_reduce_add_epi32(sum);
    }
}

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn rows_hamming(query: &[u64], data: &[u8], out: &mut [u32]) {
    let words = query.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let whole = words.len() / 64;
    for (row, out) in data.chunks_exact(words.len()).zip(out) {
        let mut sum = _mm512_setzero_si512();
        for (v, q) in row.as_chunks().0.iter().zip(words.as_chunks().0) {
            sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(load(v), load(q))));
        }
        let rest = row[64 * whole..].as_chunks().0.iter().zip(&query[8 * whole..]);
        let rest: u32 = rest.map(|(word, q)| (u64::from_le_bytes(*word) ^ q).count_ones()).sum();
        *out = _mm512_reduce_add_epi64(sum) as u32 + rest;
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn tile_i8<const T: usize>(
    blocks: [&[[u8; 64]]; 2],
    valid: [u16; 2],
    query: &[i32],
    best: &mut [[i32; 16]],
) {
    let mut sums = [[_mm512_setzero_si512(); T]; 2];
    for ((a, b), q) in blocks[0].iter().zip(blocks[1]).zip(query.as_chunks::<T>().0) {
        let (a, b) = (load(a), load(b));
        for t in 0..T {
            let q = _mm512_set1_epi32(q[t]);
            sums[0][t] = _mm512_dpbusd_epi32(sums[0][t], a, q);
            sums[1][t] = _mm512_dpbusd_epi32(sums[1][t], b, q);
        }
    }
    let least = _mm512_set1_epi32(i32::MIN);
    for (t, best) in best.iter_mut().enumerate().take(T) {
        let a = _mm512_mask_mov_epi32(least, valid[0], sums[0][t]);
        let b = _mm512_mask_mov_epi32(least, valid[1], sums[1][t]);
        keep_i32(best, a, b);
    }
}

#[target_feature(enable = "avx512f")]
pub(super) fn tile_f32<const T: usize>(
    blocks: [&[[u8; 64]]; 2],
    valid: [u16; 2],
    query: &[f32],
    best: &mut [[f32; 16]],
) {
    let mut sums = [[_mm512_setzero_ps(); T]; 2];
    for ((a, b), q) in blocks[0].iter().zip(blocks[1]).zip(query.as_chunks::<T>().0) {
        let (a, b) = (_mm512_castsi512_ps(load(a)), _mm512_castsi512_ps(load(b)));
        for t in 0..T {
            let q = _mm512_set1_ps(q[t]);
            sums[0][t] = _mm512_fmadd_ps(a, q, sums[0][t]);
            sums[1][t] = _mm512_fmadd_ps(b, q, sums[1][t]);
        }
    }
    let least = _mm512_set1_ps(f32::NEG_INFINITY);
    for (t, best) in best.iter_mut().enumerate().take(T) {
        let a = _mm512_mask_mov_ps(least, valid[0], sums[0][t]);
        let b = _mm512_mask_mov_ps(least, valid[1], sums[1][t]);
        keep_f32(best, a, b);
    }
}

#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "stores an array")]
pub(super) fn widen_f16(data: &[[u8; 32]], out: &mut [[u8; 64]]) {
    for (data, out) in data.iter().zip(out) {
        // SAFETY: the array has 64 bytes, written whole; no alignment is asked for.
        unsafe { _mm512_storeu_ps(out.as_mut_ptr().cast(), load_f16(data)) }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[expect(unsafe_code, reason = "stores an array")]
pub(super) fn widen_bits(data: &[[u8; 8]], out: &mut [[u8; 64]]) {
    for (word, out) in data.iter().zip(out) {
        let set = _mm512_maskz_set1_epi8(u64::from_le_bytes(*word), 1);
        // SAFETY: the array has 64 bytes, written whole; no alignment is asked for.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), set) }
    }
}
