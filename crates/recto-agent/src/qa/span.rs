//! Spans of a page that have the form of an answer. Not which of them is right.

use super::number::{Number, numbers};
use super::sheet::Sheet;
use crate::{Kind, Question};

/// A span that could be the answer.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// Its words, positions in the text layer.
    pub(crate) words: Vec<usize>,
    pub(crate) text: String,
    /// The number, if it is one.
    pub(crate) number: Option<Number>,
    /// How well its form fits the question, added to its support.
    pub(crate) fit: f64,
}

/// All spans of a page with the form that the question asks for.
pub(crate) fn spans(question: &Question, sheet: &Sheet) -> Vec<Span> {
    match question.kind {
        Kind::Count | Kind::Percent | Kind::Number | Kind::Year => number_spans(question, sheet),
        Kind::Date => date_spans(sheet),
        Kind::Person => name_spans(sheet, 2),
        Kind::Place => name_spans(sheet, 1),
        _ => text_spans(sheet),
    }
}

fn number_spans(question: &Question, sheet: &Sheet) -> Vec<Span> {
    let span = |n: Number| {
        let fit = number_fit(question, &n, sheet)?;
        Some(Span { words: n.words.clone().collect(), text: n.text(), fit, number: Some(n) })
    };
    numbers(sheet).into_iter().filter_map(span).collect()
}

/// `None` if the number can't be meant.
fn number_fit(question: &Question, n: &Number, sheet: &Sheet) -> Option<f64> {
    if question.kind == Kind::Year {
        return n.is_year().then_some(0.1);
    }
    let first = n.words.start;
    let in_question = question.asked.contains(sheet.word(first).trim_matches(|c: char| !c.is_alphanumeric()));
    let captions = ["figure", "fig", "table", "page", "section", "chapter", "note", "item", "part"];
    let before = first.checked_sub(1).map_or("", |i| sheet.word(i)).trim_end_matches('.').to_lowercase();
    if n.is_year() || in_question || captions.contains(&before.as_str()) {
        return None;
    }
    let edge = sheet.region(first).top() > 0.93 || sheet.region(first).bottom() < 0.05;
    let fit = match question.kind {
        Kind::Percent if n.percent => 0.12,
        Kind::Percent if n.value.abs() > 100.0 || n.currency.is_some() => -0.3,
        Kind::Count if n.percent || n.currency.is_some() || !n.is_whole() || n.value < 0.0 => -0.3,
        _ => 0.0,
    };
    Some(if edge { fit - 0.2 } else { fit })
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Runs of words made of months, days and years, with at least a month or the form `2021-02-08`.
fn date_spans(sheet: &Sheet) -> Vec<Span> {
    let bare = |i: usize| sheet.word(i).trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let month = |w: &str| w.len() >= 3 && w.is_char_boundary(3) && MONTHS.contains(&&w[..3]) && w.len() <= 9;
    let numeric = |w: &str| {
        let digits = w.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h']);
        !digits.is_empty() && digits.len() <= 4 && digits.chars().all(|c| c.is_ascii_digit())
    };
    let iso = |w: &str| {
        w.matches(['-', '/', '.', ':']).count() >= 1
            && w.len() >= 4
            && w.chars().all(|c| c.is_ascii_digit() || "-/.:".contains(c))
    };
    runs(sheet, |i| month(&bare(i)) || numeric(&bare(i)) || iso(&bare(i)), 5)
        .into_iter()
        .filter(|run| run.iter().any(|&i| month(&bare(i)) || iso(&bare(i)) || bare(i).len() == 4))
        .map(|words| text_span(sheet, words, 0.0))
        .collect()
}

/// Runs of capitalised words, at least `least` of them.
fn name_spans(sheet: &Sheet, least: usize) -> Vec<Span> {
    let small = ["of", "de", "van", "von", "der", "la", "and", "the", "&"];
    let capital = |i: usize| {
        let w = sheet.word(i).trim_matches(|c: char| !c.is_alphanumeric());
        w.starts_with(char::is_uppercase)
    };
    let joins = |i: usize| small.contains(&sheet.word(i)) && i > 0 && capital(i - 1) && capital(i + 1);
    runs(sheet, |i| capital(i) || joins(i), 8)
        .into_iter()
        .filter(|run| run.len() >= least)
        .map(|words| text_span(sheet, words, 0.0))
        .collect()
}

/// Cells of rows with several cells, and what follows a colon.
fn text_spans(sheet: &Sheet) -> Vec<Span> {
    let mut spans = Vec::new();
    for row in &sheet.rows {
        for cell in sheet.cells.get(row.clone()).unwrap_or_default() {
            let colon = cell.iter().position(|&i| sheet.word(i).ends_with([':', '：']));
            if let Some(value) = colon.and_then(|c| cell.get(c + 1..)).filter(|v| !v.is_empty()) {
                spans.push(text_span(sheet, value.to_vec(), 0.15));
            } else if row.len() > 1 && cell.len() <= 12 && cell.iter().any(|&i| has_letters(sheet.word(i))) {
                spans.push(text_span(sheet, cell.clone(), 0.0));
            }
        }
    }
    spans
}

fn has_letters(word: &str) -> bool {
    word.chars().any(char::is_alphabetic)
}

/// Longest runs of neighbouring words in one sentence for which `fits`, up to `most` words.
fn runs(sheet: &Sheet, fits: impl Fn(usize) -> bool, most: usize) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut open = false;
    for i in 0..sheet.words().len() {
        let fit = fits(i);
        let joined = open && i > 0 && sheet.sentence_of.get(i) == sheet.sentence_of.get(i - 1);
        match runs.last_mut() {
            Some(run) if fit && joined && run.len() < most => run.push(i),
            _ if fit => runs.push(vec![i]),
            _ => {}
        }
        open = fit && !sheet.word(i).ends_with([',', ';', ':']);
        let date_comma = sheet.word(i).ends_with(',') && sheet.word(i).starts_with(|c: char| c.is_ascii_digit());
        open = open || fit && date_comma;
    }
    runs
}

fn text_span(sheet: &Sheet, words: Vec<usize>, fit: f64) -> Span {
    let text = sheet.text(words.iter().copied());
    let text = text.trim_matches(|c: char| c.is_whitespace() || ",;:•·".contains(c)).trim_end_matches('.').to_owned();
    Span { words, text, number: None, fit }
}
