//! Spans of a page that have the form of an answer. Not which of them is right.

use super::number::Number;
use super::number_span::number_spans;
use super::sheet::Sheet;
use super::term::bare;
use crate::calculator::date::MONTHS as FULL_MONTHS;
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
    /// True if it has a unit of the measure that is asked for.
    pub(crate) measured: bool,
}

/// All spans of a page with the form that the question asks for.
pub(crate) fn spans(question: &Question, sheet: &Sheet) -> Vec<Span> {
    match question.kind {
        Kind::Count | Kind::Percent | Kind::Number | Kind::Year => number_spans(question, sheet),
        Kind::Code => code_spans(sheet),
        Kind::Contact => contact_spans(question, sheet),
        Kind::Date => date_spans(sheet),
        Kind::Person => super::role::with_roles(question, sheet, name_spans(sheet, 2)),
        Kind::Place => name_spans(sheet, 1),
        _ => text_spans(sheet),
    }
}

/// Words of letters, digits and hyphens with some digit, such as `AQ-1290`; long numbers too.
fn code_spans(sheet: &Sheet) -> Vec<Span> {
    let bare = |i: usize| bare(sheet.word(i));
    let fits = |i: &usize| {
        let word = bare(*i);
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let form = word.chars().all(|c| c.is_ascii_alphanumeric() || "-/._".contains(c));
        let parted = word.chars().any(|c| c.is_ascii_uppercase()) || word.contains('-') || digits >= 5;
        form && digits >= 1 && word.len() >= 4 && parted && super::measure::of_unit(word).is_none()
    };
    (0..sheet.words().len()).filter(fits).map(|i| text_span(sheet, vec![i], 0.0)).collect()
}

/// The form of a contact says much by itself.
const CONTACT_FIT: f64 = 0.35;

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
        let fit = |i: usize| if says_a_term(question, sheet.word(i)) { 0.5 } else { CONTACT_FIT };
        return (0..sheet.words().len()).filter(fits).map(|i| text_span(sheet, vec![i], fit(i))).collect();
    }
    let part = |i: usize| {
        let word = sheet.word(i).trim_end_matches([',', ';']);
        !word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || "+()-.".contains(c))
    };
    let digits = |run: &[usize]| run.iter().flat_map(|&i| sheet.word(i).chars()).filter(char::is_ascii_digit).count();
    let one_cell = |run: &[usize]| run.iter().all(|&i| sheet.cell_of.get(i) == sheet.cell_of.get(run[0]));
    let runs = runs(sheet, part, 6).into_iter().filter(|run| (7..=15).contains(&digits(run)) && one_cell(run));
    let fit = |run: &[usize]| {
        if run.len() > 1 || sheet.word(run[0]).starts_with(['+', '(']) { CONTACT_FIT + 0.1 } else { CONTACT_FIT }
    };
    runs.map(|words| text_span(sheet, words.clone(), fit(&words))).collect()
}

/// True if an address is made of a name that the question says.
fn says_a_term(question: &Question, address: &str) -> bool {
    let lower = address.to_lowercase();
    question
        .terms
        .iter()
        .any(|t| t.len() > 4 && lower.split('@').next().is_some_and(|local| local.contains(t.as_str())))
}

pub(crate) const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Runs of words made of months, days and years, with at least a month or the form `2021-02-08`.
fn date_spans(sheet: &Sheet) -> Vec<Span> {
    // `may` and `march` are no months; `2007).1` ends with the mark of a note.
    let bare = |i: usize| {
        let word = bare(sheet.word(i));
        let word = word.split([')', ']']).next().unwrap_or_default();
        if matches!(word, "may" | "march") { String::new() } else { word.to_lowercase() }
    };
    let month = |w: &str| w == "sept" || w.len() >= 3 && FULL_MONTHS.iter().any(|full| full.starts_with(w));
    let numeric = |w: &str| {
        let digits = w.trim_end_matches(['s', 't', 'n', 'd', 'r', 'h']);
        !digits.is_empty() && digits.len() <= 4 && digits.chars().all(|c| c.is_ascii_digit())
    };
    let joins = |i: usize| sheet.word(i) == "of" && i > 0 && numeric(&bare(i - 1)) && month(&bare(i + 1));
    runs(sheet, |i| month(&bare(i)) || numeric(&bare(i)) || iso(&bare(i)) || joins(i), 5)
        .into_iter()
        .filter(|run| run.iter().any(|&i| month(&bare(i)) || iso(&bare(i)) || bare(i).len() == 4))
        .map(|words| without_note(text_span(sheet, words, 0.0)))
        .collect()
}

/// A date without the mark of a note after the bracket that closes behind it.
fn without_note(mut span: Span) -> Span {
    if let Some((date, _)) = span.text.split_once(')').filter(|(date, _)| !date.contains('(')) {
        span.text = date.to_owned();
    }
    span
}

/// `2021-02-08`, `8.2.21`, `02/2021`, `12:30`; not a telephone number or an amount.
fn iso(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '/', '.', ':']).collect();
    let is_year = |part: &&&str| part.len() == 4;
    let fit = parts.iter().all(|part| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|b| b.is_ascii_digit()));
    fit && match parts.iter().filter(is_year).count() {
        0 => parts.len() == 3 || parts.len() == 2 && word.contains(':'),
        years => years == 1 && matches!(parts.len(), 2 | 3),
    }
}

/// Runs of capitalised words, at least `least` of them.
fn name_spans(sheet: &Sheet, least: usize) -> Vec<Span> {
    let small = ["of", "de", "van", "von", "der", "la", "and", "the", "&"];
    let capital = |i: usize| {
        let w = bare(sheet.word(i));
        w.starts_with(char::is_uppercase)
    };
    let joins = |i: usize| small.contains(&sheet.word(i)) && i > 0 && capital(i - 1) && capital(i + 1);
    let runs = runs(sheet, |i| capital(i) || joins(i), 8).into_iter().flat_map(|run| in_lines(sheet, run));
    let runs = runs.filter(|run| run.len() >= least);
    let runs: Vec<Vec<usize>> = if least == 1 { with_regions(sheet, runs.collect()) } else { runs.collect() };
    runs.into_iter().map(|words| text_span(sheet, words, 0.0)).collect()
}

/// A run parted where a line ends that had room for the next word: what follows is no part of the name.
fn in_lines(sheet: &Sheet, run: Vec<usize>) -> Vec<Vec<usize>> {
    let layer = &sheet.page.text_layer;
    let ends = |word: usize| {
        let line = layer.lines.partition_point(|l| l.words.end <= word);
        let (Some(own), Some(next)) = (layer.lines.get(line), layer.words.get(word + 1)) else { return false };
        let block = layer.blocks.iter().find(|b| b.lines.contains(&line)).map_or(own.region, |b| b.region);
        own.words.end == word + 1 && own.region.right() + next.region.width() < block.right()
    };
    let mut parts: Vec<Vec<usize>> = vec![Vec::new()];
    for word in run {
        if let Some(last) = parts.last_mut() {
            last.push(word);
        }
        if ends(word) {
            parts.push(Vec::new());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Places with what a comma parts from them: `Tornby, Harl County`.
fn with_regions(sheet: &Sheet, runs: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut joined: Vec<Vec<usize>> = Vec::new();
    for run in runs {
        let follows = |before: &Vec<usize>| {
            let (Some(&last), Some(&next)) = (before.last(), run.first()) else { return false };
            last + 1 == next
                && sheet.word(last).ends_with(',')
                && sheet.sentence_of.get(last) == sheet.sentence_of.get(next)
        };
        match joined.last_mut() {
            Some(before) if before.len() + run.len() <= 5 && follows(before) => before.extend(run),
            _ => joined.push(run),
        }
    }
    joined
}

/// Cells of tables, and what follows a colon.
fn text_spans(sheet: &Sheet) -> Vec<Span> {
    let mut spans = Vec::new();
    for row in &sheet.rows {
        for cell in sheet.cells.get(row.clone()).unwrap_or_default() {
            let colon = cell.iter().find(|&&i| sheet.word(i).ends_with([':', '：', '?']));
            if let Some(value) = colon.and_then(|&c| value_after(sheet, c)) {
                spans.push(text_span(sheet, value, 0.15));
            } else if row.len() > 1 && cell.len() <= 10 {
                spans.extend(cell_span(sheet, cell));
            }
        }
    }
    spans
}

/// What follows the colon of a label: the rest of its row, and further rows of the sentence while they go on in lower
/// case. At most twenty words.
pub(crate) fn value_after(sheet: &Sheet, colon: usize) -> Option<Vec<usize>> {
    let sentence = sheet.sentence_of.get(colon).and_then(|s| sheet.sentences.get(*s))?;
    // A question ends its sentence: what answers it is the next one.
    let next = sheet.sentence_of.get(colon).and_then(|s| sheet.sentences.get(s + 1));
    let end = next.filter(|_| sheet.word(colon).ends_with('?')).map_or(0, |next| next.end);
    let same_row = |i: usize| sheet.row_of.get(i) == sheet.row_of.get(i.saturating_sub(1));
    let goes_on = |i: usize| same_row(i) || sheet.word(i).starts_with(char::is_lowercase);
    let value: Vec<usize> = (colon + 1..end.max(sentence.end)).take_while(|&i| i == colon + 1 || goes_on(i)).collect();
    let value = before_next_label(sheet, value);
    (1..=20).contains(&value.len()).then_some(value)
}

/// A value without the label of the next field, which begins its cell.
fn before_next_label(sheet: &Sheet, mut value: Vec<usize>) -> Vec<usize> {
    let label = value.iter().position(|&i| sheet.word(i).ends_with([':', '：', '?']));
    if let Some(label) = label {
        let cell = |at: usize| value.get(at).and_then(|i| sheet.cell_of.get(*i));
        let start = (0..=label).rev().take_while(|at| cell(*at) == cell(label)).last().unwrap_or(label);
        value.truncate(start);
    }
    value
}

/// A cell that is no part of running text. A cell of several lines is one block of the text layer: its words are one span.
fn cell_span(sheet: &Sheet, cell: &[usize]) -> Option<Span> {
    let sentence = sheet.sentence_of.get(*cell.first()?).and_then(|s| sheet.sentences.get(*s))?;
    let lettered = cell.iter().any(|&i| has_letters(sheet.word(i)));
    let running = cell.iter().rev().skip(1).any(|&i| sheet.word(i).ends_with(['.', ';']) && sheet.word(i).len() > 3);
    let tabular = sheet.sentence_of.get(cell[0]).and_then(|s| sheet.tabular.get(*s)) == Some(&true);
    if !lettered || running || sentence.len() > 14 && !tabular {
        return None;
    }
    let place = |i: usize| (sheet.row_of.get(i), sheet.cell_of.get(i));
    let one_column = sentence
        .clone()
        .zip(sentence.clone().skip(1))
        .all(|(a, b)| place(a).0 != place(b).0 || place(a).1 == place(b).1);
    let narrow = one_column && cell.iter().all(|i| sentence.contains(i));
    let words = if narrow && sentence.len() <= 10 { sentence.clone().collect() } else { cell.to_vec() };
    Some(text_span(sheet, grown(sheet, words), 0.0))
}

/// A cell with the lines below it that go on in lower case.
fn grown(sheet: &Sheet, mut words: Vec<usize>) -> Vec<usize> {
    for _ in 0..3 {
        let (Some(&first), Some(&last)) = (words.first(), words.last()) else { break };
        let rows = sheet.row_of.get(last).and_then(|r| sheet.rows.get(r + 1..sheet.rows.len().min(r + 3)));
        let next = rows.unwrap_or_default().iter().flat_map(Clone::clone).filter_map(|c| sheet.cells.get(c));
        let (above, height) = (sheet.region(first), sheet.region(last).height());
        let continues = |cell: &&Vec<usize>| {
            cell.first().is_some_and(|&i| {
                let below = sheet.region(i);
                let under = below.left() < above.right() && below.left() > above.left() - 0.03;
                let close = below.top() - sheet.region(last).bottom() < 0.5 * height;
                under && close && sheet.word(i).starts_with(char::is_lowercase) && cell.len() <= 6
            })
        };
        let Some(cell) = next.into_iter().find(continues) else { break };
        words.extend(cell.iter().filter(|i| !words.contains(i)).copied().collect::<Vec<_>>());
    }
    words
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
    let text = text.trim_matches(|c: char| c.is_whitespace() || ",;:•·▪●➢".contains(c)).trim_end_matches('.');
    let text = match text.strip_prefix(['-', '–', '—', '*']).map(str::trim_start) {
        Some(item) if item.starts_with(char::is_alphabetic) => item,
        _ => text,
    };
    let text = text.to_owned();
    Span { words, text, number: None, fit, measured: false }
}
