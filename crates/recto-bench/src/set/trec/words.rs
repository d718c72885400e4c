//! Words of lines, found 64 bytes at a time, and what is asked of them: whether two are the same, their hash.
//!
//! Words are short, and their lengths are not foreseen by the processor: so each is looked at eight bytes at a time, what
//! follows it masked away.

use std::ops::Range;

/// So many bytes are looked at at once.
pub(super) const WINDOW: usize = 64;

/// So many bytes follow the window: from where a word begins, as many can be looked at.
pub(super) const AHEAD: usize = 8;

/// Words of a line, one after the other.
#[derive(Clone, Copy, Default)]
pub(super) struct Words {
    /// Where the next one begins, blanks before it aside.
    pub(super) at: usize,
    /// The window, and the bytes in it at which words end that were not yet passed.
    window: usize,
    ends: u64,
    /// Where the next window begins.
    next: usize,
    /// Where the line that is read ended; 0 before it has.
    ended: usize,
}

impl Words {
    pub(super) fn at(at: usize) -> Self {
        Self { at, next: at, ..Self::default() }
    }

    /// Whether the line is.
    pub(super) const fn is_over(&self) -> bool {
        self.ended > 0
    }

    /// The next word of the line that was begun; empty where that is over.
    #[inline(always)]
    pub(super) fn more(&mut self, bytes: &[u8]) -> Option<Range<usize>> {
        if self.is_over() { Some(self.at..self.at) } else { self.next(bytes) }
    }

    /// The next word, after blanks; empty at the end of a line and at another control character. `None` if the bytes end too
    /// soon to tell.
    #[inline(always)]
    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<Range<usize>> {
        self.ended = 0;
        loop {
            while self.ends == 0 {
                let (window, _) = bytes.get(self.next..)?.first_chunk::<{ WINDOW + AHEAD }>()?.split_first_chunk()?;
                self.ends = ends(window);
                (self.window, self.next) = (self.next, self.next + WINDOW);
            }
            let end = self.window + self.ends.trailing_zeros() as usize;
            self.ends &= self.ends - 1;
            let word = self.at..end;
            self.at = end + 1;
            match bytes.get(end) {
                Some(b'\n') => {
                    self.ended = self.at;
                    return Some(word);
                }
                Some(b' ' | b'\t' | b'\r') if word.is_empty() => {}
                Some(b' ' | b'\t' | b'\r') => return Some(word),
                _ => return Some(end..end),
            }
        }
    }
}

/// A bit for each byte that is white space or another control character.
fn ends(window: &[u8; WINDOW]) -> u64 {
    let low = window.map(|byte| u8::from(byte <= b' '));
    let mut ends = 0;
    for (at, eight) in low.as_chunks::<8>().0.iter().enumerate() {
        // The lowest bits of eight bytes are brought together.
        ends |= (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at);
    }
    ends
}

/// The first eight bytes of a word as a number, the first one lowest, with zeros behind its end.
#[inline(always)]
pub(super) fn head(bytes: &[u8], word: &Range<usize>) -> Option<u64> {
    let eight = u64::from_le_bytes(*bytes.get(word.start..)?.first_chunk()?);
    let unused = 8 * AHEAD.saturating_sub(word.len());
    Some(eight & u64::MAX.checked_shr(unused as u32)?)
}

/// Whether two words are the same.
#[inline(always)]
pub(super) fn same(bytes: &[u8], a: &Range<usize>, b: &Range<usize>) -> bool {
    let is_short = a.len() <= AHEAD;
    a.len() == b.len() && head(bytes, a) == head(bytes, b) && (is_short || bytes.get(a.clone()) == bytes.get(b.clone()))
}

/// A hash of a word, with as many bytes after it as [`head`] looks at.
#[inline(always)]
pub(super) fn hash(bytes: &[u8], word: &Range<usize>) -> Option<u64> {
    const A: u64 = 0x9e37_79b9_7f4a_7c15;
    const B: u64 = 0xbf58_476d_1ce4_e5b9;
    let mixed = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    let mut hash = mixed(head(bytes, word)? ^ A, B ^ word.len() as u64);
    for start in (word.start + AHEAD..word.end).step_by(AHEAD) {
        hash = mixed(head(bytes, &(start..word.end))? ^ hash, B);
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text, by the plain definition.
    fn plain(text: &str) -> Vec<&str> {
        text.split([' ', '\n', '\t', '\r']).filter(|word| !word.is_empty()).collect()
    }

    proptest::proptest! {
        #[test]
        fn words_are_those_between_blanks(text in "[a-zé0-9 \\n\\t\\r]{0,300}") {
            let bytes = [text.as_bytes(), &[b'\n'; 2 * WINDOW]].concat();
            let (mut words, mut found) = (Words::default(), Vec::new());
            while let Some(word) = words.next(&bytes) {
                found.extend(Some(word).filter(|word| !word.is_empty()));
            }
            let texts: Vec<&str> = found.iter().map(|word| &text[word.clone()]).collect();
            proptest::prop_assert_eq!(texts, plain(&text));
            for (a, b) in found.iter().flat_map(|a| found.iter().map(move |b| (a, b))) {
                let equal = text[a.clone()] == text[b.clone()];
                proptest::prop_assert_eq!(same(&bytes, a, b), equal);
                proptest::prop_assert_eq!(hash(&bytes, a) == hash(&bytes, b), equal);
            }
        }
    }
}
