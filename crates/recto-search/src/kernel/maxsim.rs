//! MaxSim: for each vector of the query the largest product with any vector of the page, and the sum of these (Khattab
//! and Zaharia, "ColBERT", 2020). Exact over what is stored, in the layout of [`super::blocks`].
//!
//! The query's vectors are taken in tiles of at most `TILE`, whose sums stay in registers; two blocks are read at once,
//! so that each number of the query that is fetched serves both.

use std::ops::Range;

use super::blocks::{Element, PATCHES};
use super::rows::{dispatch, sum, symmetric};
use super::{BIAS, MAX_DIM, Path, quantize, scalar};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Query vectors whose sums fit the registers of a processor beside two blocks.
const TILE: usize = 10;

/// A query of several vectors, ready for pages of any [`Element`].
#[derive(Clone, Debug)]
pub struct Query {
    dim: usize,
    tiles: Vec<Range<usize>>,
    floats: Vec<f32>,
    groups: Vec<i32>,
    scale: f32,
    sums: Vec<i32>,
}

impl Query {
    /// Of vectors of `dim` numbers each, one after the other; what is left over is ignored. `None` if there is no whole
    /// vector, or one is longer than [`MAX_DIM`], or a number is not finite.
    pub fn new(vectors: &[f32], dim: usize) -> Option<Self> {
        let count = vectors.len().checked_div(dim)?;
        let vectors = vectors.get(..count * dim)?;
        if count == 0 || dim > MAX_DIM || vectors.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let scale = quantize::scale(vectors);
        let integers = symmetric(&quantize::to_i8(vectors, scale));
        let tiles = tiles(count);
        let floats = arrange(&tiles, dim, |vector, at| vectors[vector * dim + at]);
        let groups = arrange(&tiles, dim.div_ceil(4), |vector, group| {
            let byte = |at| if at < dim { integers[vector * dim + at] as u8 } else { 0 };
            i32::from_le_bytes([0, 1, 2, 3].map(|at| byte(4 * group + at)))
        });
        Some(Self { dim, tiles, floats, groups, scale, sums: integers.chunks(dim).map(sum).collect() })
    }

    /// Numbers in a vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// What a step of the query's 8-bit integers is worth.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}

/// `count` cut into as few and as equal parts as fit.
fn tiles(count: usize) -> Vec<Range<usize>> {
    let parts = count.div_ceil(TILE);
    (0..parts).map(|part| part * count / parts..(part + 1) * count / parts).collect()
}

/// Tile by tile, piece by piece, vector by vector: the order in which a kernel reads.
fn arrange<N>(tiles: &[Range<usize>], pieces: usize, piece: impl Fn(usize, usize) -> N) -> Vec<N> {
    let of_tile = |tile: &Range<usize>| {
        let tile = tile.clone();
        (0..pieces).flat_map(move |at| tile.clone().map(move |vector| (vector, at)))
    };
    tiles.iter().flat_map(of_tile).map(|(vector, at)| piece(vector, at)).collect()
}

/// Scores pages against a query; keeps its working memory between them.
#[derive(Clone, Debug)]
pub struct Scorer<'a> {
    query: &'a Query,
    path: Path,
    integers: Vec<[i32; 16]>,
    floats: Vec<[f32; 16]>,
    wide: Vec<[u8; 64]>,
}

impl<'a> Scorer<'a> {
    /// For a query, by a path.
    pub fn new(query: &'a Query, path: Path) -> Self {
        Self { query, path: path.usable(), integers: Vec::new(), floats: Vec::new(), wide: Vec::new() }
    }

    /// The score of a page of 8-bit integers, in steps of the query's scale times the page's. `None` for a page without
    /// patches, or whose `data` is shorter than `patches` need.
    pub fn i8(&mut self, data: &[u8], patches: usize) -> Option<i64> {
        let data = whole(data, Element::I8, self.query.dim, patches)?;
        self.integers.clear();
        self.integers.resize(self.query.sums.len(), [i32::MIN; 16]);
        for_pairs(data.as_chunks().0, self.query.dim.div_ceil(4), patches, |blocks, valid| {
            tiles_i8(self.path, self.query, blocks, valid, &mut self.integers);
        });
        Some(self.sum(|best, sum| i64::from(best) - i64::from(BIAS) * sum))
    }

    /// The score of a page of bits taken as +1 and -1, in steps of the query's scale. `None` as for [`Scorer::i8`].
    pub fn bits(&mut self, data: &[u8], patches: usize) -> Option<i64> {
        let data = whole(data, Element::Bit, self.query.dim, patches)?;
        self.integers.clear();
        self.integers.resize(self.query.sums.len(), [i32::MIN; 16]);
        let groups = self.query.dim.div_ceil(4);
        self.wide.resize(2 * groups, [0; 64]);
        for_pairs(data.as_chunks().0, groups, patches, |[a, b]: [&[[u8; 8]]; 2], valid| {
            let (wide_a, wide_b) = self.wide.split_at_mut(groups);
            dispatch!(self.path, widen_bits(a, wide_a));
            dispatch!(self.path, widen_bits(b, wide_b));
            tiles_i8(self.path, self.query, [wide_a, wide_b], valid, &mut self.integers);
        });
        Some(self.sum(|best, sum| 2 * i64::from(best) - sum))
    }

    /// The score of a page of 32-bit floats. `None` as for [`Scorer::i8`].
    pub fn f32(&mut self, data: &[u8], patches: usize) -> Option<f32> {
        let data = whole(data, Element::F32, self.query.dim, patches)?;
        self.floats.clear();
        self.floats.resize(self.query.sums.len(), [f32::NEG_INFINITY; 16]);
        for_pairs(data.as_chunks().0, self.query.dim, patches, |blocks, valid| {
            tiles_f32(self.path, self.query, blocks, valid, &mut self.floats);
        });
        Some(self.floats.iter().map(largest).sum())
    }

    /// The score of a page of 16-bit floats. `None` as for [`Scorer::i8`].
    pub fn f16(&mut self, data: &[u8], patches: usize) -> Option<f32> {
        let data = whole(data, Element::F16, self.query.dim, patches)?;
        self.floats.clear();
        self.floats.resize(self.query.sums.len(), [f32::NEG_INFINITY; 16]);
        let dim = self.query.dim;
        self.wide.resize(2 * dim, [0; 64]);
        for_pairs(data.as_chunks().0, dim, patches, |[a, b]: [&[[u8; 32]]; 2], valid| {
            let (wide_a, wide_b) = self.wide.split_at_mut(dim);
            dispatch!(self.path, widen_f16(a, wide_a));
            dispatch!(self.path, widen_f16(b, wide_b));
            tiles_f32(self.path, self.query, [wide_a, wide_b], valid, &mut self.floats);
        });
        Some(self.floats.iter().map(largest).sum())
    }

    fn sum(&self, unbiased: impl Fn(i32, i64) -> i64) -> i64 {
        let best = self.integers.iter().map(|lanes| lanes.iter().copied().max().unwrap_or(0));
        best.zip(&self.query.sums).map(|(best, sum)| unbiased(best, i64::from(*sum))).sum()
    }
}

fn largest(lanes: &[f32; 16]) -> f32 {
    lanes.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

/// The bytes that `patches` need, if they are there and there is a patch.
fn whole(data: &[u8], element: Element, dim: usize, patches: usize) -> Option<&[u8]> {
    let bytes = patches.div_ceil(PATCHES).checked_mul(element.block_bytes(dim))?;
    data.get(..bytes).filter(|data| !data.is_empty())
}

/// Calls `body` with two blocks of `size` pieces and the lanes of each that count; an odd last block comes twice.
fn for_pairs<'d, const N: usize>(
    data: &'d [[u8; N]],
    size: usize,
    patches: usize,
    mut body: impl FnMut([&'d [[u8; N]]; 2], [u16; 2]),
) {
    let valid = |block: usize| match patches.saturating_sub(block * PATCHES) {
        left @ 0..PATCHES => (1_u16 << left) - 1,
        _ => u16::MAX,
    };
    for (pair, blocks) in data.chunks(2 * size).enumerate() {
        let first = blocks.get(..size).unwrap_or_default();
        let (second, at) = match blocks.get(size..2 * size) {
            Some(second) => (second, 2 * pair + 1),
            None => (first, 2 * pair),
        };
        body([first, second], [valid(2 * pair), valid(at)]);
    }
}

/// Calls the path's function for a tile of as many vectors as `$length`, whose registers are then all known.
macro_rules! by_length {
    ($path:expr, $length:expr, $name:ident $arguments:tt, $($n:literal)*) => {
        match $length {
            $($n => by_length!(@one $path, $name, $n, $arguments),)*
            _ => {}
        }
    };
    (@one $path:expr, $name:ident, $n:literal, ($($argument:expr),*)) => {
        match $path {
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "a function for instructions that not every processor has")]
            // SAFETY: a scorer's path is one that the processor has, and so all that the function is compiled for.
            Path::Avx512 => unsafe { avx512::$name::<$n>($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "a function for instructions that not every processor has")]
            // SAFETY: as above.
            Path::Avx2 => unsafe { avx2::$name::<$n>($($argument),*) },
            _ => scalar::$name::<$n>($($argument),*),
        }
    };
}

fn tiles_i8(path: Path, query: &Query, blocks: [&[[u8; 64]]; 2], valid: [u16; 2], best: &mut [[i32; 16]]) {
    let groups = query.dim.div_ceil(4);
    for tile in &query.tiles {
        let numbers = &query.groups[tile.start * groups..tile.end * groups];
        let best = &mut best[tile.clone()];
        by_length!(path, tile.len(), tile_i8(blocks, valid, numbers, best), 1 2 3 4 5 6 7 8 9 10);
    }
}

fn tiles_f32(path: Path, query: &Query, blocks: [&[[u8; 64]]; 2], valid: [u16; 2], best: &mut [[f32; 16]]) {
    for tile in &query.tiles {
        let numbers = &query.floats[tile.start * query.dim..tile.end * query.dim];
        let best = &mut best[tile.clone()];
        by_length!(path, tile.len(), tile_f32(blocks, valid, numbers, best), 1 2 3 4 5 6 7 8 9 10);
    }
}
