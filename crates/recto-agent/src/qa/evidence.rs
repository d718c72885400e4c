//! How strongly the words around a span speak for it: each of the question's terms counts once, by the nearest relation
//! in which it stands to the span.

use super::caption;
use super::part::Value;
use super::reading::Read;
use super::sheet::Sheet;
use super::span::Span;
use crate::{Kind, Question};

/// What speaks for a span.
#[derive(Clone, Debug, Default)]
pub(crate) struct Support {
    /// Weighted share of the question's terms, 0 to 1.
    pub(crate) score: f64,
    /// Words of the page that carry it, each with its relation.
    pub(crate) words: Vec<(usize, f64)>,
    /// Best relation of each term, 0 to 1.
    pub(crate) relations: Vec<f64>,
}

/// Relation of a noun that asks for a measure to a value with a unit of that measure.
const MEASURED: f64 = 0.8;

/// Share of the relation that is left where a word stands with another value of the sentence.
const OF_OTHER: f64 = 0.8;

/// Least relation of what opens a sentence to each of the values that follow.
const OF_ALL: f64 = 0.8;

/// The relation of a word to a value of running text by the part of the sentence that it stands in.
fn parted(question: &Question, sheet: &Sheet, first: usize, word: usize, near: f64) -> f64 {
    let same = sheet.is_running(first) && sheet.sentence_of.get(first) == sheet.sentence_of.get(word);
    match value(question.kind).filter(|_| same) {
        Some(value) if sheet.parts.is_of_other(first, word, value) => OF_OTHER * near,
        Some(value) if sheet.parts.is_of_all(first, word, value) => near.max(OF_ALL),
        _ => near,
    }
}

/// The kind of value that parts of sentences are compared by.
fn value(kind: Kind) -> Option<Value> {
    match kind {
        Kind::Date | Kind::Year => Some(Value::Date),
        kind if kind.is_numeric() => Some(Value::Number),
        _ => None,
    }
}

/// Relation of the head of a column to what stands below it on a later page.
const HEADED: f64 = 0.8;

/// What the words of the page, and what its document is about, say for a span.
pub(crate) fn support(question: &Question, read: &Read, sheet: &Sheet, span: &Span) -> Support {
    let Some((&first, &last)) = span.words.first().zip(span.words.last()) else { return Support::default() };
    let mut best: Vec<(f64, Option<usize>)> = read.base.iter().map(|base| (*base, None)).collect();
    let mut elsewhere = vec![false; best.len()];
    let running = sheet.is_running(first);
    let captions = if running { Vec::new() } else { caption::of(sheet, &sheet.captions, first) };
    let label = if running || span.number.is_none() { &[] } else { caption::label_below(sheet, first) };
    for &(word, term) in read.matches.iter().filter(|(w, _)| !span.words.contains(w)) {
        let told = told(sheet, first, word);
        elsewhere[term] |= told == Some(0.0);
        let named = if label.contains(&word) { 0.9 } else { 0.0 };
        let captioned = if captions.iter().any(|c| c.contains(&word)) { 0.65f64 } else { 0.0 };
        let role = (question.kind == Kind::Person).then(|| super::role::relation(sheet, &span.words, word)).flatten();
        let told = told.or(role);
        let relation = told.unwrap_or_else(|| {
            let near = relation(sheet, first, last, word);
            parted(question, sheet, first, word, near).max(captioned).max(named)
        });
        if relation > best[term].0 {
            best[term] = (relation, Some(word));
        }
    }
    for &(_, term) in read.headed.iter().filter(|(word, _)| *word == first) {
        if best[term].0 < HEADED {
            best[term] = (HEADED, None);
        }
    }
    // What names another row or column of the table is said of that one.
    best.iter_mut().zip(elsewhere).filter(|((r, _), e)| *e && *r < ELSEWHERE).for_each(|(b, _)| *b = (0.0, None));
    if span.measured {
        let asked = question.terms.iter().zip(&mut best).enumerate();
        let asked =
            asked.filter(|(at, (t, _))| question.measure.terms.contains(t) && !heads_other(read, sheet, span, *at));
        asked.for_each(|(_, (_, (relation, _)))| *relation = relation.max(MEASURED));
    }
    let score = best.iter().zip(&read.weights).map(|((r, _), w)| r * w).sum::<f64>() / read.total_weight();
    let words = best.iter().filter_map(|(r, word)| Some((*word.as_ref()?, *r))).collect();
    Support { score, words, relations: best.into_iter().map(|(r, _)| r).collect() }
}

/// A weaker relation than this is no reason to take a term for said where the table says it of something else.
const ELSEWHERE: f64 = 0.6;

/// What the table of both words, or `respectively` in their sentence, tells of them.
fn told(sheet: &Sheet, first: usize, word: usize) -> Option<f64> {
    sheet.aligned.iter().find_map(|list| list.relation(first, word)).or_else(|| sheet.grid.relation(first, word))
}

/// True if the term heads another column of the span's row, and not the span's own.
fn heads_other(read: &Read, sheet: &Sheet, span: &Span, term: usize) -> bool {
    let Some(row) = span.words.first().and_then(|first| sheet.row_of.get(*first)) else { return false };
    let heads = |word: usize| read.matches.iter().any(|(head, t)| *t == term && above(sheet, word, *head) > 0.5);
    let numeric = |word: &usize| sheet.word(*word).contains(|c: char| c.is_ascii_digit());
    let others = sheet.row_words(*row).filter(|word| !span.words.contains(word)).filter(numeric);
    !span.words.iter().any(|word| heads(*word)) && others.into_iter().any(heads)
}

/// How `word` stands to the span from `first` to `last`.
fn relation(sheet: &Sheet, first: usize, last: usize, word: usize) -> f64 {
    let same = |of: &[usize]| of.get(first) == of.get(word) && of.get(first).is_some();
    let apart = word.saturating_sub(last).max(first.saturating_sub(word)) as f64;
    let running = sheet.sentence_of.get(first).and_then(|s| sheet.tabular.get(*s)) == Some(&false);
    // `Tel: 1 Fax: 2`: a label speaks for what follows it.
    let is_label_of_next = word > last && sheet.word(word).ends_with(':');
    // What stands in brackets is said of what stands before them, unless the sentence goes on about it.
    let closes = sheet.word(last).ends_with([',', '.', ';']);
    let behind = if word > last && closes && sheet.word(first).starts_with('(') { 0.7 } else { 1.0 };
    let sentence = match running && same(&sheet.sentence_of) {
        true if is_label_of_next => 0.5,
        true => (1.0 - 0.015 * apart).max(0.5) * behind,
        false => 0.0,
    };
    // Rows of running text are lines, and what stands above is another line; but a question of a form stands beside its
    // answer.
    let lines = running && (sheet.is_running(word) || sheet.grid.place(word).is_some()) && !answers(sheet, first, word);
    let row = if same(&sheet.row_of) && !lines { in_row(sheet, first, word) } else { 0.0 };
    let over = if lines { 0.0 } else { above(sheet, first, word) };
    let near = sheet.distance(first, word);
    let near = if near < 0.05 { 0.6 - f64::from(near) * 4.0 } else { 0.0 };
    // Another sentence speaks of something else, near as it stands.
    let near = if running && !same(&sheet.sentence_of) { 0.6 * near } else { near };
    let before = if running && sheet.refers_back(first, word) { 0.8 } else { 0.0 };
    sentence.max(before).max(row).max(over).max(near)
}

/// True if the sentence of `word` is a question, and that of `first` the next one.
fn answers(sheet: &Sheet, first: usize, word: usize) -> bool {
    let asks = sheet.sentence(word).last().is_some_and(|last| sheet.word(last).ends_with('?'));
    asks && sheet.sentence(word).end == sheet.sentence(first).start
}

/// A label left of a value speaks for it; what stands right of it less so.
fn in_row(sheet: &Sheet, first: usize, word: usize) -> f64 {
    if sheet.cell_of.get(first) == sheet.cell_of.get(word) || sheet.region(word).left() < sheet.region(first).left() {
        0.95
    } else {
        0.6
    }
}

/// Cells of more words are running text, not the head of a column.
const LONGEST_HEADER: usize = 6;

/// A word over the span, as a column's header is.
fn above(sheet: &Sheet, first: usize, word: usize) -> f64 {
    let (a, b) = (sheet.region(first), sheet.region(word));
    let below = a.top() - b.bottom();
    let slack = 0.012;
    let over = b.left() < a.right() + slack && b.right() > a.left() - slack;
    let cell = sheet.cell_of.get(word).and_then(|c| sheet.cells.get(*c)).map_or(0, Vec::len);
    let most = if cell <= LONGEST_HEADER { 0.85 } else { 0.4 };
    if over && below > -0.005 && below < 0.5 { most - 0.4 * f64::from(below.max(0.0)) } else { 0.0 }
}
