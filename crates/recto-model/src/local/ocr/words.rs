//! Words of a line that was read: split at spaces and at wide gaps, each with its place.

use super::reader::Glyph;
use super::strip::HEIGHT;

/// A word and the fractions of the strip's width between which it stands.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) from: f32,
    pub(crate) to: f32,
}

/// A blank gap of this many times the strip's height ends a word even if no space was read.
const WORD_GAP: f32 = 0.55;
/// The same between two digits, which stand close together in a number: labels of bars side by side.
const DIGIT_GAP: f32 = 0.4;
/// The same after a full-width symbol, whose own box may be half empty.
const WIDE_GAP: f32 = 1.0;

/// The words of a strip, given its symbols and which of its columns hold ink.
pub(crate) fn words(glyphs: &[Glyph], ink: &[bool]) -> Vec<Span> {
    let mut words: Vec<(String, usize, usize)> = Vec::new();
    let columns = ink.len();
    let column = |glyph: &Glyph| ((glyph.at * columns as f32) as usize).min(columns.saturating_sub(1));
    let mut before: Option<usize> = None;
    let mut spaced = false;
    for glyph in glyphs {
        let at = column(glyph);
        if glyph.text.trim().is_empty() {
            spaced = true;
            continue;
        }
        let gap = before.map(|before| widest_gap(ink, before, at));
        match (words.last_mut(), gap) {
            (Some(word), Some(gap)) if !spaced && !is_wide(gap, &word.0, &glyph.text) => {
                word.0.push_str(&glyph.text);
                word.2 = columns;
            }
            (Some(word), Some(gap)) => {
                word.2 = gap.0;
                words.push((glyph.text.clone(), gap.1, columns));
            }
            _ => words.push((glyph.text.clone(), 0, columns)),
        }
        (before, spaced) = (Some(at), false);
    }
    words.into_iter().map(|(text, from, to)| trimmed(text, from, to, ink)).collect()
}

fn is_wide((from, to): (usize, usize), before: &str, after: &str) -> bool {
    let digits = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
    let limit = match before.chars().next_back() {
        Some(last) if last >= '\u{2E80}' => WIDE_GAP,
        _ if digits(before) && digits(after) => DIGIT_GAP,
        _ => WORD_GAP,
    };
    (to - from) as f32 > HEIGHT as f32 * limit
}

/// A word of digits with the letter o in place of zeros: old-style figures look so.
fn with_zeros(word: &str) -> String {
    let is_number = |c: char| matches!(c, 'o' | 'O') || !c.is_alphabetic();
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    if has_digit(word) && word.chars().all(is_number) { word.replace(['o', 'O'], "0") } else { word.to_owned() }
}

/// The widest run of columns without ink between two symbols; none is a run of no width in the middle.
fn widest_gap(ink: &[bool], from: usize, to: usize) -> (usize, usize) {
    let middle = from.midpoint(to.max(from));
    let gaps = gaps(ink.get(from..to).unwrap_or_default());
    let widest = gaps.into_iter().rev().max_by_key(|(start, end)| end - start);
    widest.map_or((middle, middle), |(start, end)| (from + start, from + end))
}

/// Runs of columns without ink.
pub(crate) fn gaps(ink: &[bool]) -> Vec<(usize, usize)> {
    let mut gaps: Vec<(usize, usize)> = Vec::new();
    for at in (0..ink.len()).filter(|&at| !ink[at]) {
        match gaps.last_mut() {
            Some(gap) if gap.1 == at => gap.1 = at + 1,
            _ => gaps.push((at, at + 1)),
        }
    }
    gaps
}

/// A word without the blank columns at its ends.
fn trimmed(text: String, from: usize, to: usize, ink: &[bool]) -> Span {
    let inked = |range: std::ops::Range<usize>| ink.get(range).unwrap_or_default().iter();
    let start = from + inked(from..to).position(|&column| column).unwrap_or_default();
    let end = from + inked(from..to).rposition(|&column| column).map_or(to.saturating_sub(from), |at| at + 1);
    let fraction = |column: usize| column as f32 / ink.len().max(1) as f32;
    Span { text: with_zeros(&text), from: fraction(start), to: fraction(end.max(start)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols of 20 columns each, of which the outer two are blank; `_` is a blank of 20 columns, `,` one of 5.
    fn check(line: &str, want: &[&str]) {
        let mut ink = Vec::new();
        let mut places = Vec::new();
        for c in line.chars() {
            let width = if c == ',' { 5 } else { 20 };
            if !matches!(c, '_' | ',') {
                places.push((c, ink.len() + 10));
            }
            ink.extend((0..width).map(|x| !matches!(c, '_' | ',' | ' ') && (2..18).contains(&x)));
        }
        let at = |column: usize| (column as f32 + 0.5) / ink.len() as f32;
        let glyph = |(c, column): &(char, usize)| Glyph { text: c.to_string(), at: at(*column), sure: 1.0 };
        let glyphs: Vec<Glyph> = places.iter().map(glyph).collect();
        let got = words(&glyphs, &ink);
        assert_eq!(got.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), want, "{line}");
        for word in &got {
            let columns = |v: f32| (v * ink.len() as f32).round() as usize;
            assert!(ink[columns(word.from)] && ink[columns(word.to) - 1], "{line}: {word:?}");
        }
    }

    #[test]
    fn lines_are_cut_at_spaces_and_wide_gaps() {
        check("", &[]);
        check("ab cd", &["ab", "cd"]);
        check("_ab__cd_", &["ab", "cd"]);
        check("ab_cd", &["ab_cd".replace('_', "").as_str()]);
        check("12,3", &["123"]);
        check("12_3", &["12", "3"]);
        check("你_好", &["你好"]);
    }

    #[test]
    fn zeros_that_look_like_letters_are_zeros() {
        check("2oo8", &["2008"]);
        check("1O%", &["10%"]);
        check("no oO H2O", &["no", "oO", "H2O"]);
    }
}
