//! The pages of a TIFF file: where the directory of each is. Decoders read the first one, so to read another it is made
//! the first, by changing where the file's head points.

use std::collections::BTreeSet;

/// A file has no more pages than this.
const MOST_PAGES: usize = 65_536;

/// Says of a picture that it is a page, a smaller version of another, or a mask.
const SUBFILE_TYPE: u64 = 254;

/// The offsets of the directories of pages, in order. Smaller versions of pages and masks are left out. At least one
/// offset, unless the file's head makes no sense.
pub(crate) fn offsets(bytes: &[u8]) -> Vec<u64> {
    let Some(layout) = Layout::of(bytes) else { return Vec::new() };
    let (mut offsets, mut first, mut seen) = (Vec::new(), None, BTreeSet::new());
    let mut next = layout.read(bytes, layout.head(), layout.word);
    for _ in 0..MOST_PAGES {
        let Some(offset) = next.filter(|offset| *offset > 0 && seen.insert(*offset)) else { break };
        first = first.or(Some(offset));
        if layout.is_page(bytes, offset) {
            offsets.push(offset);
        }
        next = layout.after(bytes, offset);
    }
    if offsets.is_empty() { first.into_iter().collect() } else { offsets }
}

/// Makes the directory at this offset the first one.
pub(crate) fn turn_to(bytes: &mut [u8], offset: u64) {
    let Some(layout) = Layout::of(bytes) else { return };
    let (little, big) = (offset.to_le_bytes(), offset.to_be_bytes());
    let written = if layout.is_little { little.get(..layout.word) } else { big.get(8 - layout.word..) };
    let head = layout.head();
    if let (Some(to), Some(from)) = (bytes.get_mut(head..head + layout.word), written) {
        to.copy_from_slice(from);
    }
}

/// How numbers are written.
#[derive(Clone, Copy)]
struct Layout {
    is_little: bool,
    /// Bytes of an offset: 8 in BigTIFF.
    word: usize,
}

impl Layout {
    fn of(bytes: &[u8]) -> Option<Self> {
        let (is_little, version) = match bytes {
            [b'I', b'I', version, 0, ..] => (true, version),
            [b'M', b'M', 0, version, ..] => (false, version),
            _ => return None,
        };
        Some(Self { is_little, word: if *version == 43 { 8 } else { 4 } })
    }

    /// Where the offset of the first directory stands.
    fn head(self) -> usize {
        self.word
    }

    fn read(self, bytes: &[u8], at: usize, length: usize) -> Option<u64> {
        let digits = bytes.get(at..at.checked_add(length)?)?;
        let fold = |number: u64, digit: &u8| number << 8 | u64::from(*digit);
        Some(if self.is_little { digits.iter().rev().fold(0, fold) } else { digits.iter().fold(0, fold) })
    }

    /// Where the entries of a directory begin, how many there are, and how long each is.
    fn entries(self, bytes: &[u8], offset: u64) -> Option<(usize, usize, usize)> {
        let at = usize::try_from(offset).ok()?;
        let (count, entry) = if self.word == 8 { (8, 20) } else { (2, 12) };
        let number = usize::try_from(self.read(bytes, at, count)?).ok()?;
        Some((at.checked_add(count)?, number.min(bytes.len() / entry), entry))
    }

    fn is_page(self, bytes: &[u8], offset: u64) -> bool {
        let Some((at, number, entry)) = self.entries(bytes, offset) else { return false };
        let mut entries = (0..number).map(|index| at + index * entry);
        let subfile = entries.find(|at| self.read(bytes, *at, 2) == Some(SUBFILE_TYPE));
        // Bit 0: a smaller version; bit 2: a mask.
        let kind = subfile.and_then(|at| self.read(bytes, at + entry - self.word, 4));
        kind.is_none_or(|kind| kind & 0b101 == 0)
    }

    fn after(self, bytes: &[u8], offset: u64) -> Option<u64> {
        let (at, number, entry) = self.entries(bytes, offset)?;
        self.read(bytes, at.checked_add(number.checked_mul(entry)?)?, self.word)
    }
}
