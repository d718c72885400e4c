//! What is quoted for a span, so that a reader can check it: its sentence, or the label, cell and head of a table. Words of
//! the question that stand elsewhere on the page are no evidence.

use super::evidence::Support;
use super::sheet::Sheet;
use super::span::Span;

/// Of longer sentences the part around the answer is quoted.
const LONGEST_SENTENCE: usize = 60;

/// Longer cells are quoted only if the span is in them.
const LONGEST_LABEL: usize = 12;

/// Words with a weaker relation to the span are not quoted.
const SAYING: f64 = 0.5;

/// The words that are quoted, in the order of the page.
pub(crate) fn quoted(sheet: &Sheet, span: &Span, support: &Support) -> Vec<usize> {
    let Some(&first) = span.words.first() else { return Vec::new() };
    let is_told = sheet.grid.place(first).is_some();
    let mut words =
        if sheet.is_running(first) && !is_told { around(sheet, span, support) } else { row(sheet, span, support) };
    words.extend(&span.words);
    words.sort_unstable();
    words.dedup();
    words
}

/// The sentence of the span, and the one before where that says what `It` is.
fn around(sheet: &Sheet, span: &Span, support: &Support) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (span.words.first(), span.words.last()) else { return Vec::new() };
    let sentence = sheet.sentence(first);
    let back = support.words.iter().find(|(word, r)| *r >= SAYING && sheet.refers_back(first, *word));
    let start = back.map_or(sentence.start, |(word, _)| sheet.sentence(*word).start);
    let end = sentence.end.max(last + 1);
    if end - start <= LONGEST_SENTENCE {
        return (start..end).collect();
    }
    let half = LONGEST_SENTENCE / 2;
    (start.max(first.saturating_sub(half))..end.min(last + half)).collect()
}

/// The cell of the span, the label of its row, the head of its column, and other cells that speak for it.
fn row(sheet: &Sheet, span: &Span, support: &Support) -> Vec<usize> {
    let Some(&first) = span.words.first() else { return Vec::new() };
    let mut words = cell(sheet, first);
    let short = |words: Vec<usize>| if words.len() <= LONGEST_LABEL { words } else { Vec::new() };
    words.extend(short(sheet.grid.label(first)));
    words.extend(short(sheet.grid.heads(first)));
    for (word, _) in support.words.iter().filter(|(_, relation)| *relation >= SAYING) {
        let own = cell(sheet, *word);
        words.extend(if own.len() <= LONGEST_LABEL { own } else { vec![*word] });
    }
    words
}

/// The words of the cell of a table, or of what stands together in a row.
fn cell(sheet: &Sheet, word: usize) -> Vec<usize> {
    let told = sheet.grid.cell_words(word);
    let loose = || sheet.cell_of.get(word).and_then(|cell| sheet.cells.get(*cell)).cloned().unwrap_or_default();
    if told.is_empty() { loose() } else { told }
}
