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
            (Some(word), Some(gap)) if !spaced && !is_wide(gap, &word.0) => {
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

fn is_wide((from, to): (usize, usize), before: &str) -> bool {
    let full_width = before.chars().next_back().is_some_and(|c| c >= '\u{2E80}');
    (to - from) as f32 > HEIGHT as f32 * if full_width { WIDE_GAP } else { WORD_GAP }
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
    Span { text, from: fraction(start), to: fraction(end.max(start)) }
}
