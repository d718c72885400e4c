//! A file of vectors, mapped into memory and read in place. Every length is checked before it is used; what a page's
//! record says is checked when the page is read.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::{Result, VectorError};
use super::header::{Header, Layout, PageKey};
use super::write::{MAGIC, PREAMBLE, RECORD, VERSION, hash};
use crate::kernel::MAX_DIM;
use crate::kernel::blocks::{self, Element};

/// A file of vectors. Such files never change once they have their name, and only whole files are removed; if somebody
/// else cuts one short while it is open, the system ends the process (SIGBUS) where the missing part is read.
#[derive(Debug)]
pub struct Segment {
    file: PathBuf,
    map: memmap2::Mmap,
    header: Header,
    table: Range<usize>,
    parts: Vec<(Element, Range<usize>)>,
}

/// What the table says of a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) key: PageKey,
    /// Its first row or block.
    pub(super) first: u64,
    /// How many vectors it has.
    pub(super) vectors: u32,
}

impl Segment {
    /// Opens a file: its header and lengths are checked, its pages are not read.
    ///
    /// # Errors
    /// [`VectorError::Io`], [`VectorError::Version`], [`VectorError::Damaged`].
    pub fn open(file: &Path) -> Result<Self> {
        let map = map(file).map_err(|error| VectorError::Io { file: file.to_owned(), error })?;
        let damaged = |why| VectorError::Damaged { file: file.to_owned(), why };
        let version = version(&map).ok_or_else(|| damaged("it does not begin as a file of vectors does"))?;
        if version != VERSION {
            return Err(VectorError::Version { file: file.to_owned(), version, known: VERSION });
        }
        let (header, end) = header(&map).ok_or_else(|| damaged("its header can't be read"))?;
        let (table, parts) =
            places(&header, end, map.len()).ok_or_else(|| damaged("its length is not what its header says"))?;
        Ok(Self { file: file.to_owned(), map, header, table, parts })
    }

    /// What the vectors are.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The BLAKE3 that the file says it has.
    pub fn hash(&self) -> [u8; 32] {
        self.map[24..56].try_into().unwrap_or_default()
    }

    /// Reads the whole file: that it has the hash it says, and that its pages are in order and follow each other.
    ///
    /// # Errors
    /// [`VectorError::Damaged`].
    pub fn verify(&self) -> Result<()> {
        if *hash(&self.map).as_bytes() != self.hash() {
            return Err(self.damaged("its content has another hash than it says"));
        }
        let mut next = 0;
        let mut last = None;
        for row in 0..self.len() {
            let record = self.record(row);
            if record.first != next || last.is_some_and(|last| last >= record.key) {
                return Err(self.damaged("its pages are not in order"));
            }
            next += self.header.layout.units(u64::from(record.vectors));
            last = Some(record.key);
        }
        if next == self.header.units { Ok(()) } else { Err(self.damaged("its pages do not fill it")) }
    }

    /// The pages that it has vectors of, in order of their keys.
    pub fn pages(&self) -> impl Iterator<Item = PageKey> {
        (0..self.len()).map(|row| self.record(row).key)
    }

    /// How many pages it has.
    pub fn len(&self) -> usize {
        self.table.len() / RECORD
    }

    /// How many numbers it holds, those that fill up blocks included.
    pub(super) fn numbers(&self) -> u64 {
        let unit = match self.header.layout {
            Layout::Rows => 1,
            Layout::Blocks => blocks::PATCHES as u64,
        };
        self.header.units.saturating_mul(unit).saturating_mul(u64::from(self.header.space.dim()))
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The record of a page by its place in the table, which must be below [`Segment::len`].
    pub(super) fn record(&self, row: usize) -> Record {
        let record = self.map[self.table.clone()].as_chunks::<RECORD>().0[row].as_chunks::<4>().0;
        let number = |at: usize| u32::from_le_bytes(record[at]);
        let long = |at: usize| u64::from(number(at)) | u64::from(number(at + 1)) << 32;
        Record { key: PageKey { version: long(0), number: number(4) }, first: long(2), vectors: number(5) }
    }

    /// The vectors of a page by its place in the table, one after the other, as finely as they are stored.
    pub(super) fn vectors(&self, row: usize) -> Result<Vec<f32>> {
        let Record { first, vectors, .. } = self.record(row);
        let Some(element) = self.header.elements.last().copied() else { return Ok(Vec::new()) };
        let (layout, dim) = (self.header.layout, self.header.space.dim() as usize);
        let data = self.data(element, first, layout.units(u64::from(vectors)))?;
        let count = vectors as usize;
        Ok(match layout {
            Layout::Rows => blocks::from_rows(element, data, dim, count, self.header.scale),
            Layout::Blocks => blocks::from_blocks(element, data, dim, count, self.header.scale),
        })
    }

    /// The first place whose key is not below `key`.
    pub(super) fn place(&self, key: PageKey) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.record(middle).key < key { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The bytes of `units` rows or blocks from the `first` on.
    pub(super) fn data(&self, element: Element, first: u64, units: u64) -> Result<&[u8]> {
        let size = self.header.layout.unit_bytes(element, self.header.space.dim());
        let place = |units: u64| usize::try_from(units).ok()?.checked_mul(size);
        let part =
            self.parts.iter().find(|(part, _)| *part == element).and_then(|(_, part)| self.map.get(part.clone()));
        let data = part.and_then(|part| part.get(place(first)?..place(first.checked_add(units)?)?));
        data.ok_or_else(|| self.damaged("a page lies outside of it"))
    }

    fn damaged(&self, why: &'static str) -> VectorError {
        VectorError::Damaged { file: self.file.clone(), why }
    }
}

#[expect(unsafe_code, reason = "a mapped file is memory that others could change")]
fn map(file: &Path) -> std::io::Result<memmap2::Mmap> {
    let file = File::open(file)?;
    // SAFETY: files of vectors get their name when they are complete and are never written again, only unlinked, which
    // leaves a map as it is; the index has one writer, which holds its lock. Bytes are read as bytes, all values are good.
    unsafe { memmap2::Mmap::map(&file) }
}

fn version(content: &[u8]) -> Option<u32> {
    let preamble = content.get(..PREAMBLE)?;
    (preamble[..8] == MAGIC).then(|| number(preamble, 8))
}

fn number(content: &[u8], at: usize) -> u32 {
    content.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// The header and where it ends, if the file is as long as it says.
fn header(content: &[u8]) -> Option<(Header, usize)> {
    let end = PREAMBLE.checked_add(number(content, 12) as usize)?;
    let header: Header = serde_json::from_slice(content.get(PREAMBLE..end)?).ok()?;
    let width = 1..=MAX_DIM as u32;
    let sound = width.contains(&header.space.dim())
        && !header.elements.is_empty()
        && header.elements.is_sorted_by(|a, b| a < b)
        && header.scale.is_normal()
        && header.scale > 0.0;
    sound.then_some((header, end))
}

type Places = (Range<usize>, Vec<(Element, Range<usize>)>);

/// Where the table and the vectors lie, if that is the whole file.
fn places(header: &Header, end: usize, length: usize) -> Option<Places> {
    let start = end.checked_next_multiple_of(64)?;
    let table = start..start.checked_add(usize::try_from(header.pages).ok()?.checked_mul(RECORD)?)?;
    let mut end = table.end;
    let mut parts = Vec::new();
    for element in &header.elements {
        let start = end.checked_next_multiple_of(64)?;
        let size = header.layout.unit_bytes(*element, header.space.dim());
        end = start.checked_add(usize::try_from(header.units).ok()?.checked_mul(size)?)?;
        parts.push((*element, start..end));
    }
    (end == length).then_some((table, parts))
}
