//! Names of documents and pages. Not the printed page label, which is text of the document (see [`crate::page`]).

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A document's name within its corpus: a path relative to the indexed folder, or the `doc_id` of a records file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DocId(Arc<str>);

impl DocId {
    /// Names a document.
    pub fn new(name: impl AsRef<str>) -> Self {
        Self(name.as_ref().into())
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DocId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A physical page of a document, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageNumber(NonZeroU32);

impl PageNumber {
    /// The first page.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The page with this 1-based number; `None` for zero.
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(n) => Some(Self(n)),
            None => None,
        }
    }

    /// The page at this 0-based position; the last page that can be named if the position is beyond it.
    pub fn from_index(index: usize) -> Self {
        let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        Self(NonZeroU32::MIN.saturating_add(number - 1))
    }

    /// The 1-based number.
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// The 0-based position, for indexing into a list of pages.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The pages 1 to `count`.
    pub fn first(count: u32) -> impl DoubleEndedIterator<Item = Self> {
        (1..=count).filter_map(Self::new)
    }
}

impl fmt::Display for PageNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for PageNumber {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// One page of one document. `Ord` is by document name, then page, so that every tie in the program breaks alike.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(expecting = "a page, an object with doc and page")]
pub struct PageId {
    /// The document.
    pub doc: DocId,
    /// The physical page in it.
    pub page: PageNumber,
}

impl PageId {
    /// Names a page.
    pub const fn new(doc: DocId, page: PageNumber) -> Self {
        Self { doc, page }
    }
}

impl fmt::Display for PageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} p. {}", self.doc, self.page)
    }
}

/// BLAKE3 of a file's bytes, in hexadecimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(Arc<str>);

impl ContentHash {
    /// Hashes everything that `reader` gives.
    ///
    /// # Errors
    /// When the reader fails.
    pub fn of_reader(reader: impl std::io::Read) -> std::io::Result<Self> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(reader)?;
        Ok(Self(hasher.finalize().to_hex().as_str().into()))
    }

    /// Hashes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).to_hex().as_str().into())
    }

    /// A hash as it was stored.
    pub fn from_hex(hex: impl AsRef<str>) -> Self {
        Self(hex.as_ref().into())
    }

    /// 64 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_are_one_based() {
        assert_eq!(PageNumber::new(0), None);
        assert_eq!(PageNumber::from_index(0), PageNumber::FIRST);
        assert_eq!(PageNumber::from_index(6).get(), 7);
        assert_eq!("7".parse::<PageNumber>().unwrap().index(), 6);
        assert!("0".parse::<PageNumber>().is_err());
        assert_eq!(PageNumber::first(3).map(PageNumber::get).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn pages_order_by_document_then_number() {
        let id = |doc: &str, n| PageId::new(DocId::new(doc), PageNumber::new(n).unwrap());
        let mut ids = [id("b", 1), id("a", 10), id("a", 9)];
        ids.sort();
        assert_eq!(ids, [id("a", 9), id("a", 10), id("b", 1)]);
    }
}
