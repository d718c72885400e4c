//! Many files become one, without the pages that are gone.

use std::path::Path;

use super::error::Result;
use super::header::PageKey;
use super::segment::Segment;
use super::write::{Published, Storage, Writer};

/// Numbers in a file from which on it is not merged further: as 32-bit floats, 256 MiB in memory.
const MOST: u64 = 1 << 26;
/// How much larger the files of a class are than those of the class below.
const RATIO: u32 = 8;
/// Numbers in a file of the lowest class.
const FEW: u64 = 1 << 14;

/// The class of a file by its size: several files of one class are worth merging, those of [`LARGEST`] are not.
pub fn class(segment: &Segment) -> u32 {
    let numbers = segment.numbers();
    if numbers >= MOST { LARGEST } else { (numbers / FEW).max(1).ilog(u64::from(RATIO)) }
}

/// The class of files that are large enough.
pub const LARGEST: u32 = u32::MAX;

/// Writes the pages of `first` and `others` that `keep` wants into one file of `dir`, stored as those of `first` are. What 16-bit
/// and 32-bit floats hold stays as it is; 8-bit integers alone are rounded again where files had different scales.
///
/// # Errors
/// [`VectorError::Mixed`](super::VectorError::Mixed), [`VectorError::Damaged`](super::VectorError::Damaged),
/// [`VectorError::Io`](super::VectorError::Io).
pub fn merge(first: &Segment, others: &[&Segment], keep: impl Fn(PageKey) -> bool, dir: &Path) -> Result<Published> {
    let header = first.header();
    let storage = Storage { layout: header.layout, elements: header.elements.clone() };
    let mut writer = Writer::new(header.space.clone(), storage)?;
    for segment in std::iter::once(first).chain(others.iter().copied()) {
        header.space.same_as(&segment.header().space)?;
        for (row, key) in segment.pages().enumerate().filter(|(_, key)| keep(*key)) {
            writer.push(key, segment.vectors(row)?)?;
        }
    }
    writer.publish(dir)
}
