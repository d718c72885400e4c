//! Texts longer than a model's window, cut into windows that overlap.

use crate::Window;

/// Longer runs without a space (ideographs, addresses) are cut after this many characters.
const LONGEST_UNIT: usize = 32;

/// A stretch of text that is not cut, and the number of its tokens.
struct Unit {
    window: Window,
    tokens: usize,
}

/// Windows of at most `most` tokens where words allow it; neighbours share a quarter. A text without words has none.
pub(crate) fn windows(text: &str, most: usize, tokens: impl Fn(&str) -> usize) -> Vec<Window> {
    let units: Vec<Unit> = units(text).map(|window| Unit { tokens: tokens(window.text(text)), window }).collect();
    let mut windows = Vec::new();
    let mut first = 0;
    while first < units.len() {
        let end = first + fitting(units.iter().skip(first), most).max(1);
        windows.extend(joined(units.get(first..end).unwrap_or_default()));
        if end >= units.len() {
            break;
        }
        let shared = fitting(units.iter().take(end).skip(first + 1).rev(), most / 4);
        first = end - shared;
    }
    windows
}

/// How many units, from the first, hold at most so many tokens together.
fn fitting<'u>(units: impl Iterator<Item = &'u Unit>, most: usize) -> usize {
    let sums = units.scan(0usize, |sum, unit| {
        *sum = sum.saturating_add(unit.tokens);
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= most).count()
}

fn joined(units: &[Unit]) -> Option<Window> {
    let (first, last) = (&units.first()?.window, &units.last()?.window);
    Some(Window { bytes: first.bytes.start..last.bytes.end, words: first.words.start..last.words.end })
}

/// The words of a text, long ones in pieces.
fn units(text: &str) -> impl Iterator<Item = Window> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().enumerate().flat_map(move |(number, word)| {
        let from = word.as_ptr() as usize - start;
        let mut cuts: Vec<usize> = word.char_indices().step_by(LONGEST_UNIT).map(|(at, _)| from + at).collect();
        cuts.push(from + word.len());
        let piece = move |(from, to): (&usize, &usize)| Window { bytes: *from..*to, words: number..number + 1 };
        cuts.iter().zip(cuts.iter().skip(1)).map(piece).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each word's characters are its tokens.
    fn check(text: &str, most: usize, want: &[&str]) {
        let got = windows(text, most, |unit| unit.chars().count());
        assert_eq!(got.iter().map(|window| window.text(text)).collect::<Vec<_>>(), want, "{text:?}");
        let words: Vec<&str> = text.split_whitespace().collect();
        for window in got {
            let inside = window.text(text).split_whitespace().count();
            assert_eq!(window.words.len(), inside, "{text:?} {:?}", words.get(window.words));
        }
    }

    #[test]
    fn windows_overlap_and_end_at_words() {
        check("", 8, &[]);
        check(" \n\t", 8, &[]);
        check(" one two ", 8, &["one two"]);
        check("aa bb cc dd ee ff", 8, &["aa bb cc dd", "dd ee ff"]);
        check("aaaaaaaaaaaa bb", 8, &["aaaaaaaaaaaa", "bb"]);
        check("aaaaaaaa bbbbbbbb", 8, &["aaaaaaaa", "bbbbbbbb"]);
        check("a bb", 0, &["a", "bb"]);
    }

    #[test]
    fn nothing_of_a_text_without_spaces_is_lost() {
        let text = "水".repeat(100);
        let got = windows(&text, 64, |unit| unit.chars().count());
        let bytes: Vec<_> = got.iter().map(|window| window.bytes.clone()).collect();
        assert_eq!(bytes, [0..192, 192..300]);
        assert!(got.iter().all(|window| window.words == (0..1)));
    }
}
