//! A batch of pages becomes a file that never changes: `segment` reads it.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `RECTOVEC` |
//! | 8..12 | format version, little endian as all numbers |
//! | 12..16 | length of the header |
//! | 16..24 | length of the file |
//! | 24..56 | BLAKE3 of all but these 32 bytes |
//! | 56..64 | 0 |
//! | 64.. | the header, JSON |
//! | next multiple of 64 | a record of 24 bytes for each page, by key: version u64, first row or block u64, page number u32, vectors u32 |
//! | next multiple of 64, once for each element | rows or blocks of all pages |

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::{Result, VectorError};
use super::header::{Header, Layout, PageKey, Space};
use crate::kernel::blocks::{self, Element};
use crate::kernel::{MAX_DIM, quantize};

pub(super) const MAGIC: [u8; 8] = *b"RECTOVEC";
pub(super) const VERSION: u32 = 1;
pub(super) const PREAMBLE: usize = 64;
pub(super) const RECORD: usize = 24;
/// What file names end with.
pub const EXTENSION: &str = "seg";

/// How vectors are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Storage {
    /// How they lie.
    pub layout: Layout,
    /// As what, such as `[I8, F16]`: pages are found by the first and ranked by the last. None counts as `[F32]`.
    pub elements: Vec<Element>,
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    /// Where it is; the name is made of its hash.
    pub file: PathBuf,
    /// Its BLAKE3, as it stands in the file.
    pub hash: [u8; 32],
}

/// Gathers a batch in memory (4 bytes a number), since the scale of 8-bit integers is that of the whole file.
#[derive(Debug)]
pub struct Writer {
    space: Space,
    storage: Storage,
    pages: Vec<(PageKey, Vec<f32>)>,
}

impl Writer {
    /// An empty batch.
    ///
    /// # Errors
    /// [`VectorError::Query`] if vectors would have no width, or more than the kernels bear.
    pub fn new(space: Space, mut storage: Storage) -> Result<Self> {
        if space.dim() == 0 || space.dim() as usize > MAX_DIM {
            return Err(VectorError::Query { numbers: 0, dim: space.dim() });
        }
        if storage.elements.is_empty() {
            storage.elements.push(Element::F32);
        }
        storage.elements.sort_unstable();
        storage.elements.dedup();
        Ok(Self { space, storage, pages: Vec::new() })
    }

    /// Adds a page's vectors, one after the other; it may have none. Pages may come in any order.
    ///
    /// # Errors
    /// [`VectorError::Shape`], [`VectorError::NotFinite`].
    pub fn push(&mut self, key: PageKey, vectors: Vec<f32>) -> Result<()> {
        let dim = self.space.dim() as usize;
        if !vectors.len().is_multiple_of(dim) || u32::try_from(vectors.len() / dim).is_err() {
            return Err(VectorError::Shape { key, numbers: vectors.len(), dim: self.space.dim() });
        }
        if vectors.iter().any(|number| !number.is_finite()) {
            return Err(VectorError::NotFinite(key));
        }
        self.pages.push((key, vectors));
        Ok(())
    }

    /// Writes the batch into a file of `dir`, which a crash leaves whole or without a name.
    ///
    /// # Errors
    /// [`VectorError::Twice`], [`VectorError::Io`].
    pub fn publish(mut self, dir: &Path) -> Result<Published> {
        self.pages.sort_by_key(|(key, _)| *key);
        if let Some(pair) = self.pages.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(VectorError::Twice(pair[0].0));
        }
        let content = self.content();
        let hash = *hash(&content).as_bytes();
        let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let file = dir.join(format!("{name}.{EXTENSION}"));
        write(dir, &file, &content, &hash).map_err(|error| VectorError::Io { file: file.clone(), error })?;
        Ok(Published { file, hash })
    }

    /// All bytes, the hash still being 0.
    fn content(&self) -> Vec<u8> {
        let header = self.header();
        let json = serde_json::to_vec(&header).unwrap_or_default();
        let mut content = [MAGIC.as_slice(), &VERSION.to_le_bytes(), &(json.len() as u32).to_le_bytes()].concat();
        content.resize(PREAMBLE, 0);
        content.extend(json);
        align(&mut content);
        self.table(&mut content);
        for element in &header.elements {
            align(&mut content);
            self.pages.iter().for_each(|(_, vectors)| content.extend(self.stored(*element, vectors, header.scale)));
        }
        let length = content.len() as u64;
        content[16..24].copy_from_slice(&length.to_le_bytes());
        content
    }

    fn header(&self) -> Header {
        let scale = self.pages.iter().map(|(_, vectors)| quantize::largest(vectors)).fold(0.0, f32::max);
        Header {
            space: self.space.clone(),
            layout: self.storage.layout,
            elements: self.storage.elements.clone(),
            scale: quantize::step(scale),
            pages: self.pages.len() as u64,
            units: self.pages.iter().map(|(_, vectors)| self.units(vectors)).sum(),
        }
    }

    fn units(&self, vectors: &[f32]) -> u64 {
        self.storage.layout.units((vectors.len() / self.space.dim() as usize) as u64)
    }

    fn table(&self, content: &mut Vec<u8>) {
        let mut first = 0_u64;
        for (key, vectors) in &self.pages {
            content.extend(key.version.to_le_bytes());
            content.extend(first.to_le_bytes());
            content.extend(key.number.to_le_bytes());
            content.extend(((vectors.len() / self.space.dim() as usize) as u32).to_le_bytes());
            first += self.units(vectors);
        }
    }

    fn stored(&self, element: Element, vectors: &[f32], scale: f32) -> Vec<u8> {
        match self.storage.layout {
            Layout::Rows => blocks::to_rows(element, vectors, self.space.dim() as usize, scale),
            Layout::Blocks => blocks::to_blocks(element, vectors, self.space.dim() as usize, scale),
        }
    }
}

fn align(content: &mut Vec<u8>) {
    content.resize(content.len().next_multiple_of(64), 0);
}

/// Of all but the 32 bytes where it stands.
pub(super) fn hash(content: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(content.get(..24).unwrap_or_default());
    hasher.update(content.get(56..).unwrap_or_default());
    hasher.finalize()
}

fn write(dir: &Path, file: &Path, content: &[u8], hash: &[u8; 32]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let temporary = file.with_extension("tmp");
    let mut writer = File::create(&temporary)?;
    writer.write_all(&content[..24])?;
    writer.write_all(hash)?;
    writer.write_all(&content[56..])?;
    writer.sync_all()?;
    fs::rename(&temporary, file)?;
    sync_directory(dir)
}

/// A name is safe from a crash only once its directory is. Not every system lets a directory be opened.
fn sync_directory(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}
