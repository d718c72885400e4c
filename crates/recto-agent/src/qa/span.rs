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
        Kind::Contact => contact_spans(question, sheet),
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

/// Telephone numbers, or words that are addresses, as the question asks.
fn contact_spans(question: &Question, sheet: &Sheet) -> Vec<Span> {
    let lower = question.asked.to_lowercase();
    let mail = ["mail", "邮箱"].iter().any(|m| lower.contains(m));
    let web = ["web", "url"].iter().any(|m| lower.contains(m));
    if mail || web {
        let fits = |i: &usize| {
            let word = sheet.word(*i);
            if mail { word.contains('@') && word.contains('.') } else { word.contains("www.") || word.contains("://") }
        };
        return (0..sheet.words().len()).filter(fits).map(|i| text_span(sheet, vec![i], 0.2)).collect();
    }
    let part = |i: usize| sheet.word(i).chars().all(|c| c.is_ascii_digit() || "+()-./".contains(c));
    let digits = |run: &[usize]| run.iter().flat_map(|&i| sheet.word(i).chars()).filter(char::is_ascii_digit).count();
    let runs = runs(sheet, part, 6).into_iter().filter(|run| (7..=15).contains(&digits(run)));
    runs.map(|words| text_span(sheet, words, 0.2)).collect()
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

/// Cells of tables, and what follows a colon.
fn text_spans(sheet: &Sheet) -> Vec<Span> {
    let mut spans = Vec::new();
    for row in &sheet.rows {
        for cell in sheet.cells.get(row.clone()).unwrap_or_default() {
            let colon = cell.iter().position(|&i| sheet.word(i).ends_with([':', '：']));
            if let Some(value) = colon.and_then(|c| cell.get(c + 1..)).filter(|v| (1..=15).contains(&v.len())) {
                spans.push(text_span(sheet, value.to_vec(), 0.15));
            } else if row.len() > 1 && cell.len() <= 10 {
                spans.extend(cell_span(sheet, cell));
            }
        }
    }
    spans
}

/// A cell that is no part of running text. A cell of several lines is one block of the text layer: its words are one span.
fn cell_span(sheet: &Sheet, cell: &[usize]) -> Option<Span> {
    let sentence = sheet.sentence_of.get(*cell.first()?).and_then(|s| sheet.sentences.get(*s))?;
    let lettered = cell.iter().any(|&i| has_letters(sheet.word(i)));
    if !lettered || sentence.len() > 14 {
        return None;
    }
    let narrow = cell.iter().all(|i| sentence.contains(i));
    let words = if narrow && sentence.len() <= 10 { sentence.clone().collect() } else { cell.to_vec() };
    Some(text_span(sheet, words, 0.0))
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

pub(crate) fn text_span(sheet: &Sheet, words: Vec<usize>, fit: f64) -> Span {
    let text = sheet.text(words.iter().copied());
    let text = text.trim_matches(|c: char| c.is_whitespace() || ",;:•·".contains(c)).trim_end_matches('.').to_owned();
    Span { words, text, number: None, fit }
}
