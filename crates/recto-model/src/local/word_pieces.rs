//! Texts to token numbers as BERT wants them (lower case, no accents, WordPiece). Unlike elsewhere the names of special
//! tokens in a text are mere text: what a page says is data.

use std::collections::HashMap;
use std::path::Path;

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory as Category, GeneralCategoryGroup as Group, UnicodeGeneralCategory};

use crate::{ModelError, Result};

/// A longer piece between spaces and punctuation, in characters, is an unknown token.
const LONGEST: usize = 100;

/// A vocabulary of pieces of words.
#[derive(Clone, Debug)]
pub struct WordPieces {
    /// Pieces that start a word, and those that go on with one, without their `##`.
    starts: HashMap<Box<str>, u32>,
    rest: HashMap<Box<str>, u32>,
    unknown: u32,
    first: u32,
    last: u32,
}

impl WordPieces {
    /// From the bytes of a `vocab.txt`: one piece a line, its number is that of its line counted from 0. `file` is for
    /// the error.
    ///
    /// # Errors
    /// [`ModelError::BadFile`] without the pieces `[UNK]`, `[CLS]` and `[SEP]`.
    pub fn new(vocabulary: &[u8], file: &Path) -> Result<Self> {
        let (mut starts, mut rest) = (HashMap::new(), HashMap::new());
        for (number, piece) in (0..).zip(String::from_utf8_lossy(vocabulary).lines()) {
            match piece.strip_prefix("##").filter(|piece| !piece.is_empty()) {
                Some(piece) => rest.insert(piece.into(), number),
                None => starts.insert(piece.into(), number),
            };
        }
        let special = |piece: &str| {
            let bad = || ModelError::BadFile { file: file.to_owned(), why: format!("no piece {piece}") };
            starts.get(piece).copied().ok_or_else(bad)
        };
        let (unknown, first, last) = (special("[UNK]")?, special("[CLS]")?, special("[SEP]")?);
        Ok(Self { starts, rest, unknown, first, last })
    }

    /// The number of the piece that stands for what has none.
    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    /// The numbers of the pieces of a text.
    pub fn pieces(&self, text: &str) -> Vec<u32> {
        let mut pieces = Vec::new();
        let normal = normal(text);
        for word in normal.split(char::is_whitespace) {
            split_punctuation(word, |part| self.part(part, &mut pieces));
        }
        pieces
    }

    /// The same between the tokens that models expect around a text.
    pub fn framed(&self, text: &str) -> Vec<u32> {
        let mut pieces = vec![self.first];
        pieces.extend(self.pieces(text));
        pieces.push(self.last);
        pieces
    }

    /// The longest piece that fits, and so on; if a rest has none, the whole part is unknown.
    fn part(&self, part: &str, pieces: &mut Vec<u32>) {
        let before = pieces.len();
        let fits = part.chars().count() <= LONGEST;
        let mut at = 0;
        while fits && at < part.len() {
            let Some((end, number)) = self.longest(part, at) else { break };
            pieces.push(number);
            at = end;
        }
        if at < part.len() {
            pieces.truncate(before);
            pieces.push(self.unknown);
        }
    }

    fn longest(&self, part: &str, at: usize) -> Option<(usize, u32)> {
        let known = if at == 0 { &self.starts } else { &self.rest };
        let rest = part.get(at..)?;
        let ends = rest.char_indices().rev().map(|(start, c)| start + c.len_utf8());
        ends.into_iter().find_map(|end| Some((at + end, *known.get(rest.get(..end)?)?)))
    }
}

/// The text as the vocabulary knows it: no control characters, ideographs apart, no accents, lower case.
fn normal(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !is_dropped(*c)) {
        match c {
            c if is_ideograph(c) => clean.extend([' ', c, ' ']),
            c if c.is_whitespace() => clean.push(' '),
            c => clean.push(c),
        }
    }
    let marks = |c: &char| c.general_category() != Category::NonspacingMark;
    if clean.is_ascii() {
        clean.make_ascii_lowercase();
        return clean;
    }
    clean.nfd().filter(marks).flat_map(char::to_lowercase).collect()
}

fn is_dropped(c: char) -> bool {
    let kept = matches!(c, '\t' | '\n' | '\r') || (!c.is_ascii_control() && c.is_ascii());
    let dropped = |kind| matches!(kind, Category::Control | Category::Format | Category::PrivateUse);
    !kept && (c == '\u{fffd}' || dropped(c.general_category()))
}

/// The blocks of CJK ideographs; neither kana nor Hangul.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F | 0x2B740..=0x2B81F
        | 0x2B920..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}

fn split_punctuation<'t>(word: &'t str, mut each: impl FnMut(&'t str)) {
    let mut from = 0;
    for (at, c) in word.char_indices().filter(|(_, c)| is_punctuation(*c)) {
        let end = at + c.len_utf8();
        for part in [word.get(from..at), word.get(at..end)].into_iter().flatten().filter(|part| !part.is_empty()) {
            each(part);
        }
        from = end;
    }
    if let Some(part) = word.get(from..).filter(|part| !part.is_empty()) {
        each(part);
    }
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_ascii() && c.general_category_group() == Group::Punctuation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##want\n##ed\nwant\n,\nrun\n##ning\n中\n!\n##";

    #[test]
    fn texts_become_the_longest_pieces() {
        let pieces = WordPieces::new(VOCABULARY.as_bytes(), Path::new("v")).unwrap();
        let table: [(&str, &[u32]); 10] = [
            ("", &[]),
            ("UNwant\u{e9}d,running", &[4, 5, 6, 8, 9, 10]),
            ("un\u{0}want\u{200b}\u{301}ed", &[4, 5, 6]),
            ("want want\twant\u{85}want", &[7, 7, 7, 5]),
            ("run中running!!", &[9, 11, 9, 10, 12, 12]),
            ("runs run", &[1, 9]),
            ("\u{fffd}[CLS]", &[1, 1, 1]),
            ("##", &[1, 1]),
            ("\u{2028}\u{3000}want\u{a0}", &[7]),
            ("\u{1f600}", &[1]),
        ];
        for (text, want) in table {
            assert_eq!(pieces.pieces(text), want, "{text:?}");
        }
        assert_eq!(pieces.framed("run"), [2, 9, 3]);
        assert_eq!(pieces.pieces(&"want".repeat(26)), [1]);
    }

    #[test]
    fn a_vocabulary_without_special_pieces_is_none() {
        let error = WordPieces::new(b"a\n[UNK]\n[CLS]\n\xff", Path::new("v")).unwrap_err();
        assert!(error.to_string().contains("[SEP]"), "{error}");
    }
}
