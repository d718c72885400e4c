//! Chunks: words of a line that stand close together, as in the cell of a table; and rows of them.

use std::ops::Range;

use recto_page::{TextLayer, Turn};

use super::frame::Frame;
use super::sketch::is_leader;
use crate::glyph::{NOWHERE, union};

/// A gap of this many heights of the letters parts chunks; a space is about a quarter.
const WIDE_GAP: f32 = 0.7;

/// A cell of a table that is drawn cell by cell has at most this many lines.
const MOST_LINES_OF_CELL: usize = 14;

/// So many dots in a row lead to something.
const MIN_DOTS: usize = 4;

/// Words that stand close together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Chunk {
    /// Which words of the layer.
    pub(super) words: Range<usize>,
    /// The box around them, in points of the frame.
    pub(super) area: [f32; 4],
    /// How many letters they have.
    pub(super) letters: usize,
    /// True for amounts, shares, dates in digits, and what stands for a missing one.
    pub(super) is_number: bool,
    /// True if dots lead on from it: it is complete, and something belongs to it further right.
    pub(super) is_led: bool,
    /// Its first character.
    pub(super) opening: char,
    /// True if it begins like the caption of a figure or table.
    pub(super) opens_caption: bool,
}

/// Chunks on one line, from left to right. Has at least one.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    /// The chunks.
    pub(super) chunks: Vec<Chunk>,
    /// The box around them.
    pub(super) area: [f32; 4],
    /// How high a line of them is.
    pub(super) height: f32,
}

impl Row {
    fn new(mut chunks: Vec<Chunk>) -> Self {
        chunks.sort_by(|a, b| a.area[0].total_cmp(&b.area[0]));
        let area = chunks.iter().map(|chunk| chunk.area).fold(NOWHERE, union);
        let height = chunks.iter().map(|chunk| chunk.area[3] - chunk.area[1]).fold(f32::INFINITY, f32::min);
        Self { chunks, area, height }
    }

    /// Number of letters.
    pub(super) fn letters(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.letters).sum()
    }

    /// True if both stand on one line.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let shared = self.area[3].min(other.area[3]) - self.area[1].max(other.area[1]);
        shared > 0.5 * self.height.min(other.height)
    }
}

/// The rows of all lines of this turn whose words are free, in reading order.
pub(super) fn rows(layer: &TextLayer, frame: &Frame, turn: Turn, is_free: impl Fn(usize) -> bool) -> Vec<Row> {
    let lines = layer.lines.iter().filter(|line| line.turn == turn);
    let mut rows: Vec<Row> = Vec::new();
    for line in lines {
        let chunks = chunks(layer, frame, line.words.clone().filter(|word| is_free(*word)));
        if !chunks.is_empty() {
            insert(&mut rows, Row::new(chunks));
        }
    }
    rows
}

/// Puts a row where it stands: after the last one, or beside some of the last ones where a table is drawn cell by cell.
fn insert(rows: &mut Vec<Row>, row: Row) {
    let is_level = |other: &Row| other.area[3] > row.area[1] + 0.3 * row.height;
    let level = rows.iter().rev().take(MOST_LINES_OF_CELL + 1).take_while(|other| is_level(other)).count();
    let start = rows.len() - level;
    let tail = rows.get(start..).unwrap_or_default();
    let is_apart = |other: &Row| other.area[2] < row.area[0] + 1.0 || row.area[2] < other.area[0] + 1.0;
    if level == 0 || level > MOST_LINES_OF_CELL || !tail.iter().all(is_apart) {
        return rows.push(row);
    }
    match tail.iter().position(|other| other.is_beside(&row)) {
        Some(i) => {
            if let Some(beside) = rows.get_mut(start + i) {
                *beside = Row::new([std::mem::take(&mut beside.chunks), row.chunks].concat());
            }
        }
        None => {
            let after = tail.iter().take_while(|other| other.area[1] < row.area[1]).count();
            rows.insert(start + after, row);
        }
    }
}

/// Words of a line, parted at wide gaps. A currency stands with its amount and a sign with the number before it, however
/// far apart.
fn chunks(layer: &TextLayer, frame: &Frame, words: impl Iterator<Item = usize>) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for word in words {
        let Some(source) = layer.words.get(word) else { continue };
        let (text, area) = (source.text.as_str(), frame.enter_region(&source.region));
        match chunks.last_mut().filter(|last| last.words.end == word) {
            Some(last) if is_leader(text) => (last.words.end, last.is_led) = (word + 1, true),
            Some(last) if belongs(layer, last, text, area) => {
                last.words.end = word + 1;
                last.area = union(last.area, without_dots(text, area));
                last.letters += text.chars().count();
                last.is_number = is_number(layer, last.words.clone());
                last.is_led |= n_dots(text) >= MIN_DOTS;
            }
            _ => chunks.push(Chunk {
                words: word..word + 1,
                area: without_dots(text, area),
                letters: text.chars().count(),
                is_number: is_amount(text),
                is_led: n_dots(text) >= MIN_DOTS,
                opening: text.chars().next().unwrap_or(' '),
                opens_caption: opens_caption(text),
            }),
        }
    }
    chunks
}

/// True if a word at this place goes on with the chunk.
fn belongs(layer: &TextLayer, last: &Chunk, text: &str, area: [f32; 4]) -> bool {
    let gap = (area[0] - last.area[2]).max(last.area[0] - area[2]);
    let height = (area[3] - area[1]).min(last.area[3] - last.area[1]);
    let goes_on_far = || {
        let before = layer.words.get(last.words.end.saturating_sub(1)).map_or("", |w| w.text.as_str());
        (last.words.len() == 1 || !is_mark(before)) && goes_on(before, text) && last.area[0] < area[0]
    };
    !last.is_led && (gap < WIDE_GAP * height || goes_on_far())
}

fn opens_caption(word: &str) -> bool {
    let bare = word.trim_end_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    matches!(bare.as_str(), "table" | "figure" | "fig" | "exhibit" | "chart")
}

/// Dots at the end of a word.
fn n_dots(text: &str) -> usize {
    text.chars().rev().take_while(|c| *c == '.').count()
}

/// The place of a word without the dots that lead on from it, which are half as wide as letters.
fn without_dots(text: &str, [left, top, right, bottom]: [f32; 4]) -> [f32; 4] {
    let (all, dots) = (text.chars().count() as f32, n_dots(text) as f32);
    if dots < MIN_DOTS as f32 {
        return [left, top, right, bottom];
    }
    let letters = all - dots;
    [left, top, left + (right - left) * letters / (letters + dots / 2.0).max(1.0), bottom]
}

/// True if the two belong together whatever is between them.
fn goes_on(before: &str, text: &str) -> bool {
    if is_mark(before) {
        return true;
    }
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || "(-–—.".contains(c));
    is_currency(before) && is_number(text) || matches!(text, "%" | ")" | ")%" | "%)") && is_number(before)
}

/// True for what opens an item of a list: a bullet, `1.`, `(a)`, `[12]`.
pub(super) fn is_mark(text: &str) -> bool {
    let inner = text.trim_matches(|c| matches!(c, '(' | ')' | '[' | ']' | '.'));
    let is_digits = inner.chars().all(|c| c.is_ascii_digit());
    let is_letter =
        inner.chars().count() == 1 && inner.chars().all(char::is_alphabetic) || matches!(inner, "ii" | "iii" | "iv");
    let is_item = match text.chars().next_back() {
        Some('.') => is_letter || is_digits && inner.len() <= 2,
        Some(')') => is_letter,
        Some(']') => is_digits && text.starts_with('['),
        _ => false,
    };
    let is_bullet =
        matches!(text, "•" | "■" | "▪" | "●" | "○" | "◦" | "□" | "‣" | "➢" | "✦" | "►" | "o" | "\u{f0b7}" | "\u{f0a7}");
    is_bullet || is_item && !inner.is_empty() && inner.len() < text.len()
}

fn is_currency(text: &str) -> bool {
    matches!(text, "$" | "€" | "£" | "¥" | "₹" | "US$" | "($" | "-$")
}

fn is_number(layer: &TextLayer, words: Range<usize>) -> bool {
    let words = layer.words.get(words).unwrap_or_default();
    words.len() <= 4
        && words.iter().rev().all(|word| is_amount(&word.text) || is_currency(&word.text) || word.text == "±")
}

/// True for amounts and what stands for one: digits with little else, a dash, a tick.
fn is_amount(text: &str) -> bool {
    let (mut digits, mut letters) = (0, 0);
    for c in text.chars() {
        digits += usize::from(c.is_numeric());
        letters += usize::from(c.is_alphabetic());
    }
    digits > letters || letters == 0 && matches!(text, "-" | "–" | "—" | "−" | "*" | "✓" | "✗" | "×" | "%" | ")" | ")%")
}
