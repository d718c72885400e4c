//! Every path that this processor has against the definition in 64 bits.

use proptest::prelude::*;

use super::blocks::{self, Element};
use super::{Path, half, maxsim, quantize, rows};

fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.into_iter().filter(|path| path.available())
}

/// Equal up to what 32 bits lose: `size` is the sum of the absolute terms.
fn near(got: f32, right: f64, size: f64) -> bool {
    (f64::from(got) - right).abs() <= 1e-4 * (1.0 + size * 1e-2)
}

fn vectors(count: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = (usize, Vec<f32>)> {
    let count = count.into();
    (1_usize..200).prop_flat_map(move |dim| {
        let row = proptest::collection::vec(-1.0_f32..1.0, dim);
        (Just(dim), proptest::collection::vec(row, count.clone()).prop_map(|rows| rows.concat()))
    })
}

fn dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

fn dot_i64(a: &[i64], b: &[i64]) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn wide(values: &[f32], scale: f32) -> Vec<i64> {
    quantize::to_i8(values, scale).into_iter().map(i64::from).collect()
}

fn signs(values: &[f32]) -> Vec<i64> {
    values.iter().map(|value| if *value >= 0.0 { 1 } else { -1 }).collect()
}

fn halves(values: &[f32]) -> Vec<f32> {
    values.iter().map(|value| half::to_f32(half::from_f32(*value))).collect()
}

/// The definition: for each query vector the largest product, and their sum.
fn max_sim<V, N: Default + std::iter::Sum>(
    query: &[V],
    page: &[V],
    product: impl Fn(&V, &V) -> N,
    max: impl Fn(N, N) -> N,
) -> N {
    query.iter().map(|q| page.iter().map(|p| product(q, p)).reduce(&max).unwrap_or_default()).sum()
}

proptest! {
    #[test]
    fn rows_are_products((dim, data) in vectors(1..12)) {
        let (query, data) = data.split_at(dim);
        let scale = quantize::scale(data);
        let query_i8 = quantize::to_i8(query, quantize::scale(query));
        let stored = |element| blocks::to_rows(element, data, dim, scale);
        for path in paths() {
            let count = data.len() / dim;
            let (mut single, mut double) = (vec![0.0; count], vec![0.0; count]);
            let (mut integer, mut bit, mut distance) = (vec![0; count], vec![0; count], vec![0; count]);
            rows::dot_f32(path, query, &stored(Element::F32), &mut single);
            rows::dot_f16(path, query, &stored(Element::F16), &mut double);
            rows::dot_i8(path, &query_i8, &stored(Element::I8), &mut integer);
            rows::dot_bits(path, &query_i8, &stored(Element::Bit), &mut bit);
            let words: Vec<u64> = quantize::to_bits(query).chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
            rows::hamming(path, &words, &stored(Element::Bit), &mut distance);
            let query_wide: Vec<i64> = query_i8.iter().map(|value| i64::from(*value)).collect();
            for (at, row) in data.chunks(dim).enumerate() {
                prop_assert!(near(single[at], dot(query, row), dim as f64), "{path} f32");
                prop_assert!(near(double[at], dot(query, &halves(row)), dim as f64), "{path} f16");
                prop_assert_eq!(i64::from(integer[at]), dot_i64(&query_wide, &wide(row, scale)), "{} i8", path);
                prop_assert_eq!(i64::from(bit[at]), dot_i64(&query_wide, &signs(row)), "{} bit", path);
                let differ = signs(query).iter().zip(signs(row)).filter(|(a, b)| **a != *b).count();
                prop_assert_eq!(distance[at] as usize, differ, "{} hamming", path);
            }
        }
    }

    #[test]
    fn pages_are_sums_of_maxima((dim, query) in vectors(1..41), seed in any::<u64>(), patches in 0_usize..70) {
        let page = noise(seed, patches * dim);
        let prepared = maxsim::Query::new(&query, dim).unwrap();
        let scale = quantize::scale(&page);
        let query_rows: Vec<&[f32]> = query.chunks(dim).collect();
        let page_rows: Vec<&[f32]> = page.chunks(dim).collect();
        let as_wide = |rows: &[&[f32]], scale| rows.iter().map(|row| wide(row, scale)).collect::<Vec<_>>();
        let (query_wide, page_wide) = (as_wide(&query_rows, prepared.scale()), as_wide(&page_rows, scale));
        let page_signs: Vec<Vec<i64>> = page_rows.iter().map(|row| signs(row)).collect();
        let page_halves = halves(&page);
        let size = (query_rows.len() * dim) as f64;
        for path in paths() {
            let stored = |element| blocks::to_blocks(element, &page, dim, scale);
            let mut scorer = maxsim::Scorer::new(&prepared, path);
            let single = scorer.f32(&stored(Element::F32), patches);
            let double = scorer.f16(&stored(Element::F16), patches);
            let integer = scorer.i8(&stored(Element::I8), patches);
            let bit = scorer.bits(&stored(Element::Bit), patches);
            if patches == 0 {
                prop_assert_eq!((single, double, integer, bit), (None, None, None, None));
                continue;
            }
            prop_assert!(near(single.unwrap(), max_sim(&query_rows, &page_rows, |q, p| dot(q, p), f64::max), size), "{path} f32");
            let page_halves: Vec<&[f32]> = page_halves.chunks(dim).collect();
            prop_assert!(near(double.unwrap(), max_sim(&query_rows, &page_halves, |q, p| dot(q, p), f64::max), size), "{path} f16");
            let right = max_sim(&query_wide, &page_wide, |q, p| dot_i64(q, p), i64::max);
            prop_assert_eq!(integer, Some(right), "{} i8", path);
            prop_assert_eq!(bit, Some(max_sim(&query_wide, &page_signs, |q, p| dot_i64(q, p), i64::max)), "{} bit", path);
        }
    }

    #[test]
    fn any_bytes_give_something(data in proptest::collection::vec(any::<u8>(), 0..3000), dim in 1_usize..70, patches in 0_usize..40) {
        let prepared = maxsim::Query::new(&noise(3, 3 * dim), dim).unwrap();
        let mut all = paths().map(|path| {
            let mut scorer = maxsim::Scorer::new(&prepared, path);
            scorer.f32(&data, patches);
            scorer.f16(&data, patches);
            (scorer.i8(&data, patches), scorer.bits(&data, patches))
        });
        let first = all.next();
        prop_assert!(all.all(|other| Some(other) == first));
    }
}

/// Numbers in -1..1 that a seed gives.
fn noise(seed: u64, count: usize) -> Vec<f32> {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn extreme_integers_do_not_overflow() {
    let dim = 4100;
    let query = vec![i8::MIN; dim];
    for (byte, value) in [(0_u8, -128_i64), (255, 127), (128, 0)] {
        for path in paths() {
            let mut out = [0];
            rows::dot_i8(path, &query, &vec![byte; dim], &mut out);
            assert_eq!(i64::from(out[0]), value * -127 * dim as i64, "{path} {byte}");
        }
    }
    let prepared = maxsim::Query::new(&vec![-1.0; dim], dim).unwrap();
    for path in paths() {
        let page = vec![0; Element::I8.block_bytes(dim)];
        assert_eq!(maxsim::Scorer::new(&prepared, path).i8(&page, 1), Some(128 * 127 * dim as i64), "{path}");
    }
}

#[test]
fn half_floats_round_to_the_nearest_even() {
    for (value, bits) in [
        (0.0_f32, 0_u16),
        (-0.0, 0x8000),
        (1.0, 0x3c00),
        (-2.0, 0xc000),
        (65_504.0, 0x7bff),
        (65_519.9, 0x7bff),
        (65_520.0, 0x7c00),
        (f32::INFINITY, 0x7c00),
        (f32::NEG_INFINITY, 0xfc00),
        (5.960_464_5e-8, 1),
        (2.980_232_2e-8, 0),
        (2.980_233e-8, 1),
        (6.103_515_6e-5, 0x0400),
        (1.000_488_3, 0x3c00),
        (1.001_464_8, 0x3c02),
    ] {
        assert_eq!(half::from_f32(value), bits, "{value}");
    }
    for bits in (0..=u16::MAX).filter(|bits| bits & 0x7fff <= 0x7c00) {
        assert_eq!(half::from_f32(half::to_f32(bits)), bits);
    }
    assert!(half::to_f32(half::from_f32(f32::NAN)).is_nan());
}

#[test]
fn paths_print_as_they_parse() {
    for path in Path::ALL {
        assert_eq!(path.to_string().parse(), Ok(path));
    }
    assert!("sse9".parse::<Path>().is_err());
    assert!(Path::best().available() && Path::Scalar.available());
}

#[test]
fn queries_that_are_none() {
    for (vectors, dim) in [(&[][..], 3), (&[1.0, 2.0], 3), (&[1.0], 0), (&[f32::NAN], 1)] {
        assert!(maxsim::Query::new(vectors, dim).is_none());
    }
}
