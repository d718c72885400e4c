//! How the many vectors ("patches") of a page lie in memory: in blocks of 16, interleaved, so that one 64-byte load
//! brings a piece of each of the 16 and no sum across lanes is needed.
//!
//! | element | a piece | a block of `dim` elements |
//! |---|---|---|
//! | f32 | 1 element, 4 bytes | `64 * dim` bytes |
//! | f16 | 1 element, 2 bytes | `32 * dim` bytes |
//! | i8 | 4 elements, 4 bytes | `64 * ceil(dim / 4)` bytes |
//! | bit | 4 elements, 4 bits | `8 * ceil(dim / 4)` bytes |
//!
//! The last block of a page is filled up with zeros; how many patches count, the page's record says.

use super::{BIAS, half, quantize};

/// Patches in a block.
pub const PATCHES: usize = 16;

/// What a number is stored as, from coarse to fine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// The sign alone.
    Bit,
    /// An 8-bit integer with a scale.
    I8,
    /// A 16-bit float.
    F16,
    /// A 32-bit float.
    F32,
}

impl Element {
    /// Bytes of a block of 16 vectors.
    pub const fn block_bytes(self, dim: usize) -> usize {
        match self {
            Self::Bit => 8 * dim.div_ceil(4),
            Self::I8 => 64 * dim.div_ceil(4),
            Self::F16 => 32 * dim,
            Self::F32 => 64 * dim,
        }
    }

    /// Bytes of a vector that lies in a row.
    pub const fn row_bytes(self, dim: usize) -> usize {
        match self {
            Self::Bit => 8 * dim.div_ceil(64),
            Self::I8 => dim,
            Self::F16 => 2 * dim,
            Self::F32 => 4 * dim,
        }
    }
}

/// Vectors of `dim` numbers each, one after the other, as rows of `element`.
pub fn to_rows(element: Element, vectors: &[f32], dim: usize, scale: f32) -> Vec<u8> {
    match element {
        Element::Bit => vectors.chunks(dim.max(1)).flat_map(quantize::to_bits).collect(),
        Element::I8 => quantize::to_stored(vectors, scale).collect(),
        Element::F16 => vectors.iter().flat_map(|value| half::from_f32(*value).to_le_bytes()).collect(),
        Element::F32 => vectors.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

/// A page's vectors of `dim` numbers each, one after the other, as blocks of `element`.
pub fn to_blocks(element: Element, vectors: &[f32], dim: usize, scale: f32) -> Vec<u8> {
    let dim = dim.max(1);
    vectors.chunks(PATCHES * dim).flat_map(|block| to_block(element, block, dim, scale)).collect()
}

/// The numbers that [`to_rows`] stored of `count` vectors, as exact as they are there. Bits become 1 and -1.
pub fn from_rows(element: Element, data: &[u8], dim: usize, count: usize, scale: f32) -> Vec<f32> {
    let rows = data.chunks(element.row_bytes(dim).max(1)).take(count);
    rows.flat_map(|row| (0..dim).map(move |at| number(element, row, at, scale))).collect()
}

/// The numbers that [`to_blocks`] stored of a page of `count` vectors.
pub fn from_blocks(element: Element, data: &[u8], dim: usize, count: usize, scale: f32) -> Vec<f32> {
    let blocks: Vec<&[u8]> = data.chunks(element.block_bytes(dim).max(1)).collect();
    // Which element of the block it is, were it a row.
    let place = |patch: usize, at: usize| match element {
        Element::F32 | Element::F16 => at * PATCHES + patch,
        Element::I8 | Element::Bit => (at / 4 * PATCHES + patch) * 4 + at % 4,
    };
    let vector = |patch: usize| {
        let block = blocks.get(patch / PATCHES).copied().unwrap_or_default();
        (0..dim).map(move |at| number(element, block, place(patch % PATCHES, at), scale))
    };
    (0..count).flat_map(vector).collect()
}

/// The number at a place of stored ones; 0 beyond their end.
fn number(element: Element, data: &[u8], at: usize, scale: f32) -> f32 {
    let float = |size: usize| data.get(at * size..(at + 1) * size);
    match element {
        Element::F32 => float(4).and_then(|bytes| bytes.try_into().ok()).map_or(0.0, f32::from_le_bytes),
        Element::F16 => {
            float(2).and_then(|bytes| bytes.try_into().ok()).map_or(0.0, |bits| half::to_f32(u16::from_le_bytes(bits)))
        }
        Element::I8 => data.get(at).map_or(0.0, |stored| (i32::from(*stored) - BIAS) as f32 * scale),
        Element::Bit => data.get(at / 8).map_or(0.0, |byte| if byte >> (at % 8) & 1 == 1 { 1.0 } else { -1.0 }),
    }
}

fn to_block(element: Element, block: &[f32], dim: usize, scale: f32) -> Vec<u8> {
    let value = |patch: usize, at: usize| if at < dim { block.get(patch * dim + at).copied() } else { None };
    match element {
        Element::F32 => pieces(dim, |patch, at| value(patch, at).unwrap_or(0.0).to_le_bytes()),
        Element::F16 => pieces(dim, |patch, at| half::from_f32(value(patch, at).unwrap_or(0.0)).to_le_bytes()),
        Element::I8 => pieces(dim.div_ceil(4), |patch, group| {
            let stored = |at| value(patch, at).and_then(|value| quantize::to_stored(&[value], scale).next());
            [0, 1, 2, 3].map(|at| stored(4 * group + at).unwrap_or(BIAS as u8))
        }),
        Element::Bit => (0..dim.div_ceil(4)).flat_map(|group| bits(group, &value).to_le_bytes()).collect(),
    }
}

/// For each piece of the dimensions, that piece of each of the 16 patches.
fn pieces<const N: usize>(count: usize, piece: impl Fn(usize, usize) -> [u8; N]) -> Vec<u8> {
    (0..count)
        .flat_map(|at| (0..PATCHES).map(move |patch| (patch, at)))
        .flat_map(|(patch, at)| piece(patch, at))
        .collect()
}

fn bits(group: usize, value: &impl Fn(usize, usize) -> Option<f32>) -> u64 {
    let set = |lane: usize| value(lane / 4, 4 * group + lane % 4).is_some_and(|value| value >= 0.0);
    (0..64).rev().fold(0, |word, lane| word << 1 | u64::from(set(lane)))
}
