//! The kernels with AVX2: 32 bytes at a time. Meaning and arguments as in `scalar`.
//!
//! `vpmaddubsw` adds two products in 16 bits and would overflow with bytes up to 255. So the stored byte is made signed
//! again and its sign given to the query: `|v| * (q * sign(v))` stays within 2 * 128 * 127, and the bias that callers
//! take off is put back.
//!
//! Nothing here is unsafe but the loads and stores of whole arrays; the features are asked for by who calls.

use std::arch::x86_64::*;

use super::{BIAS, scalar};

#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "loads an array")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the array has 32 bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "loads an array")]
fn load_i8(bytes: &[i8; 32]) -> __m256i {
    // SAFETY: the array has 32 bytes; no alignment is asked for.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "loads an array")]
fn load_f32(numbers: &[f32; 8]) -> __m256 {
    // SAFETY: the array has 8 floats; no alignment is asked for.
    unsafe { _mm256_loadu_ps(numbers.as_ptr()) }
}

#[target_feature(enable = "avx2,f16c")]
#[expect(unsafe_code, reason = "loads an array")]
fn load_f16(bytes: &[u8; 16]) -> __m256 {
    // SAFETY: the array has 16 bytes; no alignment is asked for.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "stores an array")]
fn store(bytes: &mut [u8; 32], value: __m256i) {
    // SAFETY: the array has 32 bytes; no alignment is asked for.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx2")]
fn integers(value: __m256i) -> [i32; 8] {
    let mut bytes = [0; 32];
    store(&mut bytes, value);
    std::array::from_fn(|lane| i32::from_le_bytes(bytes.as_chunks().0[lane]))
}

#[target_feature(enable = "avx2")]
fn floats(value: __m256) -> [f32; 8] {
    integers(_mm256_castps_si256(value)).map(|bits| f32::from_bits(bits as u32))
}

/// What is left of a slice, with zeros after it.
fn padded<T: Copy + Default, const N: usize>(rest: &[T]) -> [T; N] {
    let mut whole = [T::default(); N];
    whole.iter_mut().zip(rest).for_each(|(whole, rest)| *whole = *rest);
    whole
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn rows_f32(query: &[f32], data: &[u8], out: &mut [f32]) {
    let (whole, rest) = query.as_chunks::<8>();
    for (row, out) in data.chunks_exact(4 * query.len()).zip(out) {
        let mut sums = [_mm256_setzero_ps(); 4];
        for (at, (q, v)) in whole.iter().zip(row.as_chunks().0).enumerate() {
            sums[at % 4] = _mm256_fmadd_ps(load_f32(q), _mm256_castsi256_ps(load(v)), sums[at % 4]);
        }
        let last = load(&padded(&row[32 * whole.len()..]));
        sums[0] = _mm256_fmadd_ps(load_f32(&padded(rest)), _mm256_castsi256_ps(last), sums[0]);
        *out = total(sums);
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
pub(super) fn rows_f16(query: &[f32], data: &[u8], out: &mut [f32]) {
    let (whole, rest) = query.as_chunks::<8>();
    for (row, out) in data.chunks_exact(2 * query.len()).zip(out) {
        let mut sums = [_mm256_setzero_ps(); 4];
        for (at, (q, v)) in whole.iter().zip(row.as_chunks().0).enumerate() {
            sums[at % 4] = _mm256_fmadd_ps(load_f32(q), load_f16(v), sums[at % 4]);
        }
        let last = load_f16(&padded(&row[16 * whole.len()..]));
        sums[0] = _mm256_fmadd_ps(load_f32(&padded(rest)), last, sums[0]);
        *out = total(sums);
    }
}

#[target_feature(enable = "avx2")]
fn total([a, b, c, d]: [__m256; 4]) -> f32 {
    floats(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d))).iter().sum()
}

/// Products of four bytes each, added: `v` signed, `q` without -128.
#[target_feature(enable = "avx2")]
fn dot4(v: __m256i, q: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(v), _mm256_sign_epi8(q, v));
    _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
}

/// The stored byte as the signed one that it stands for.
#[target_feature(enable = "avx2")]
fn signed(stored: __m256i) -> __m256i {
    _mm256_xor_si256(stored, _mm256_set1_epi8(i8::MIN))
}

#[target_feature(enable = "avx2")]
pub(super) fn rows_i8(query: &[i8], data: &[u8], out: &mut [i32]) {
    let (whole, rest) = query.as_chunks::<32>();
    let bias = BIAS * super::rows::sum(query);
    let q_last = load_i8(&padded(rest));
    for (row, out) in data.chunks_exact(query.len()).zip(out) {
        let mut sum = dot4(signed(load(&padded(&row[32 * whole.len()..]))), q_last);
        for (q, v) in whole.iter().zip(row.as_chunks().0) {
            sum = _mm256_add_epi32(sum, dot4(signed(load(v)), load_i8(q)));
        }
        *out = integers(sum).iter().sum::<i32>() + bias;
    }
}

/// Bytes of which each is all ones where its bit of `half` is set.
#[target_feature(enable = "avx2")]
fn spread(half: [u8; 4]) -> __m256i {
    let each = _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303);
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(i32::from_le_bytes(half)), each);
    _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit)
}

#[target_feature(enable = "avx2")]
pub(super) fn rows_bits(query: &[[i8; 64]], data: &[u8], out: &mut [i32]) {
    let query = query.as_flattened().as_chunks::<32>().0;
    let one = _mm256_set1_epi8(1);
    for (row, out) in data.chunks_exact(4 * query.len()).zip(out) {
        let mut sum = _mm256_setzero_si256();
        for (half, q) in row.as_chunks().0.iter().zip(query) {
            sum = _mm256_add_epi32(sum, dot4(_mm256_and_si256(spread(*half), one), load_i8(q)));
        }
        *out = integers(sum).iter().sum();
    }
}

#[target_feature(enable = "popcnt")]
pub(super) fn rows_hamming(query: &[u64], data: &[u8], out: &mut [u32]) {
    scalar::rows_hamming(query, data, out);
}

#[target_feature(enable = "avx2")]
pub(super) fn tile_i8<const T: usize>(
    blocks: [&[[u8; 64]]; 2],
    valid: [u16; 2],
    query: &[i32],
    best: &mut [[i32; 16]],
) {
    for (block, valid) in blocks.into_iter().zip(valid) {
        let (halves, _) = block.as_flattened().as_chunks::<32>();
        for side in 0..2 {
            let mut sums = [_mm256_setzero_si256(); T];
            let mut query_sums = [0; T];
            for (v, q) in halves.iter().skip(side).step_by(2).zip(query.as_chunks::<T>().0) {
                let v = signed(load(v));
                for t in 0..T {
                    sums[t] = _mm256_add_epi32(sums[t], dot4(v, _mm256_set1_epi32(q[t])));
                }
            }
            for q in query.as_chunks::<T>().0 {
                (0..T)
                    .for_each(|t| query_sums[t] += q[t].to_le_bytes().map(|b| i32::from(b as i8)).iter().sum::<i32>());
            }
            for (t, best) in best.iter_mut().enumerate().take(T) {
                let lanes = integers(sums[t]).map(|sum| sum + BIAS * query_sums[t]);
                keep(&lanes, (valid >> (8 * side)) as u8, &mut best[8 * side..8 * side + 8]);
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn tile_f32<const T: usize>(
    blocks: [&[[u8; 64]]; 2],
    valid: [u16; 2],
    query: &[f32],
    best: &mut [[f32; 16]],
) {
    for (block, valid) in blocks.into_iter().zip(valid) {
        let (halves, _) = block.as_flattened().as_chunks::<32>();
        for side in 0..2 {
            let mut sums = [_mm256_setzero_ps(); T];
            for (v, q) in halves.iter().skip(side).step_by(2).zip(query.as_chunks::<T>().0) {
                let v = _mm256_castsi256_ps(load(v));
                for t in 0..T {
                    sums[t] = _mm256_fmadd_ps(v, _mm256_set1_ps(q[t]), sums[t]);
                }
            }
            for (t, best) in best.iter_mut().enumerate().take(T) {
                keep(&floats(sums[t]), (valid >> (8 * side)) as u8, &mut best[8 * side..8 * side + 8]);
            }
        }
    }
}

fn keep<N: PartialOrd + Copy>(lanes: &[N; 8], valid: u8, best: &mut [N]) {
    for (lane, (new, best)) in lanes.iter().zip(best).enumerate() {
        if valid >> lane & 1 == 1 && new > best {
            *best = *new;
        }
    }
}

#[target_feature(enable = "avx2,f16c")]
pub(super) fn widen_f16(data: &[[u8; 32]], out: &mut [[u8; 64]]) {
    let halves = data.as_flattened().as_chunks::<16>().0;
    for (half, out) in halves.iter().zip(out.as_flattened_mut().as_chunks_mut::<32>().0) {
        store(out, _mm256_castps_si256(load_f16(half)));
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn widen_bits(data: &[[u8; 8]], out: &mut [[u8; 64]]) {
    let halves = data.as_flattened().as_chunks::<4>().0;
    for (half, out) in halves.iter().zip(out.as_flattened_mut().as_chunks_mut::<32>().0) {
        store(out, _mm256_and_si256(spread(*half), _mm256_set1_epi8(1)));
    }
}
