//! Spans of a page that have the form of an answer. Not which of them is right.

use super::caption;
use super::measure::Measure;
use super::number::{Number, numbers};
use super::sheet::Sheet;
use super::term::{self, terms};
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
        Kind::Person => name_spans(sheet, 2),
        Kind::Place => name_spans(sheet, 1),
        _ => text_spans(sheet),
    }
}

fn number_spans(question: &Question, sheet: &Sheet) -> Vec<Span> {
    let span = |mut n: Number| {
        let fit = number_fit(question, &n, sheet)?;
        if n.unit.is_none() && !n.percent && n.currency.is_none() && stands_alone(sheet, &n) {
            let unit = caption::unit(sheet, &sheet.captions, n.words.start);
            n.percent = unit.as_ref().is_some_and(|(_, m)| *m == Measure::Share);
            n.unit = unit.filter(|_| !n.percent);
        }
        let measure = measure_of(&n);
        let measured = measure.is_some_and(|m| question.measure.measures.contains(&m));
        let fit = fit + measure_fit(question, measure, measured) + money_fit(question, &n, measure);
        Some(Span { words: n.words.clone().collect(), text: n.text(), fit, measured, number: Some(n) })
    };
    numbers(sheet).into_iter().filter_map(span).collect()
}

/// True if the number is all that its cell holds, so that the heads of its table say what it is.
fn stands_alone(sheet: &Sheet, n: &Number) -> bool {
    let cell = sheet.cell_of.get(n.words.start).and_then(|c| sheet.cells.get(*c));
    let digits = n.printed.contains(|c: char| c.is_ascii_digit());
    digits && !sheet.is_running(n.words.start) && cell.is_some_and(|cell| cell.iter().all(|i| n.words.contains(i)))
}

/// What a number measures, by the unit or sign beside it.
fn measure_of(n: &Number) -> Option<Measure> {
    let sign = n.currency.map(|_| Measure::Money).or(n.percent.then_some(Measure::Share));
    sign.or(n.unit.as_ref().map(|(_, measure)| *measure))
}

/// A unit of the measure that is asked for speaks for a number, that of another against it.
fn measure_fit(question: &Question, measure: Option<Measure>, measured: bool) -> f64 {
    match measure {
        _ if question.measure.measures.is_empty() => 0.0,
        None => -0.03,
        Some(_) if measured => 0.12,
        Some(_) => -0.3,
    }
}

/// Amounts of money are written with a sign, a unit or thousands commas.
fn money_fit(question: &Question, n: &Number, measure: Option<Measure>) -> f64 {
    match measure {
        _ if !question.asks_money || n.grouped => 0.0,
        Some(Measure::Money) if n.printed.len() > 3 && n.printed.rfind('.') == Some(n.printed.len() - 3) => 0.15,
        Some(Measure::Money) => 0.1,
        _ => -0.15,
    }
}

/// `None` if the number can't be meant.
fn number_fit(question: &Question, n: &Number, sheet: &Sheet) -> Option<f64> {
    if question.kind == Kind::Year {
        return n.is_year().then_some(0.1);
    }
    let first = n.words.start;
    let in_question =
        question.asked.split_whitespace().any(|w| w.trim_matches(|c: char| !c.is_alphanumeric()) == n.printed);
    let captions = ["figure", "fig", "table", "page", "section", "chapter", "note", "item", "part"];
    let before = first.checked_sub(1).map_or("", |i| sheet.word(i)).trim_end_matches('.').to_lowercase();
    let bare_one = n.value == 1.0 && !n.printed.starts_with('1') && n.unit.is_none();
    if n.is_year()
        || in_question
        || bare_one
        || in_date(sheet, n)
        || numbers_heading(sheet, n)
        || captions.contains(&before.as_str())
    {
        return None;
    }
    let counted = question.kind == Kind::Count && !counts_focus(question, sheet, n);
    let row = sheet.row_of.get(first).and_then(|r| sheet.rows.get(*r)).map_or(1, std::ops::Range::len);
    let edge = sheet.region(first).top() > 0.93 || sheet.region(first).bottom() < 0.05;
    let fit = match question.kind {
        Kind::Percent if n.percent => 0.12,
        Kind::Percent if n.value.abs() > 100.0 || n.currency.is_some() => -0.3,
        Kind::Count if n.percent || n.currency.is_some() || !n.is_whole() || n.value < 0.0 => -0.3,
        _ => 0.0,
    };
    let bracketed = sheet.word(first).starts_with('(') && row > 1 && question.kind != Kind::Count;
    let fit = if bracketed && !n.grouped { fit - 0.1 } else { fit };
    let named = question.kind == Kind::Count && !counted && names_focus(question, sheet, n);
    let fit = if counted {
        fit - 0.2
    } else if named {
        fit + 0.08
    } else {
        fit
    };
    let fit = if (3..10).contains(&row) { fit + 0.06 } else { fit };
    Some(if edge { fit - 0.2 } else { fit })
}

/// True if what is counted is named right after the number, or the number is a large one.
fn counts_focus(question: &Question, sheet: &Sheet, n: &Number) -> bool {
    names_focus(question, sheet, n) || n.grouped
}

fn names_focus(question: &Question, sheet: &Sheet, n: &Number) -> bool {
    let after =
        (n.words.end..n.words.end + 4).filter(|&i| sheet.sentence_of.get(i) == sheet.sentence_of.get(n.words.start));
    after.flat_map(|i| terms(sheet.word(i))).any(|t| question.focus.contains(&t))
}

/// True if the number is the day of a date.
fn in_date(sheet: &Sheet, n: &Number) -> bool {
    let beside = |i: Option<usize>| {
        i.is_some_and(|i| is_month(sheet.word(i)) && sheet.cell_of.get(i) == sheet.cell_of.get(n.words.start))
    };
    n.value.abs() <= 31.0 && n.is_whole() && (beside(Some(n.words.end)) || beside(n.words.start.checked_sub(1)))
}

/// True if the number opens a short line that is a heading: `4.1 Chemistry`, `6 The year ahead`.
fn numbers_heading(sheet: &Sheet, n: &Number) -> bool {
    let line = sheet.page.text_layer.lines.iter().find(|l| l.words.start == n.words.start);
    line.is_some_and(|l| {
        let rest = l.words.start + 1..l.words.end;
        (1..=10).contains(&rest.len())
            && n.unit.is_none()
            && n.value < 100.0
            && sheet.word(rest.start).starts_with(char::is_uppercase)
            && !rest.clone().any(|i| sheet.word(i).contains(|c: char| c.is_ascii_digit()))
    })
}

/// True if a word is the name of a month, in full or cut.
fn is_month(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    word.len() <= 9 && word.get(..3).is_some_and(|w| MONTHS.contains(&w)) && (word.len() == 3 || term::is_month(&word))
}

/// Words of letters, digits and hyphens with some digit, such as `AQ-1290`; long numbers too.
fn code_spans(sheet: &Sheet) -> Vec<Span> {
    let bare = |i: usize| sheet.word(i).trim_matches(|c: char| !c.is_alphanumeric());
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
    let joins = |i: usize| sheet.word(i) == "of" && i > 0 && numeric(&bare(i - 1)) && month(&bare(i + 1));
    runs(sheet, |i| month(&bare(i)) || numeric(&bare(i)) || iso(&bare(i)) || joins(i), 5)
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
            let colon = cell.iter().find(|&&i| sheet.word(i).ends_with([':', '：']));
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
fn value_after(sheet: &Sheet, colon: usize) -> Option<Vec<usize>> {
    let sentence = sheet.sentence_of.get(colon).and_then(|s| sheet.sentences.get(*s))?;
    let same_row = |i: usize| sheet.row_of.get(i) == sheet.row_of.get(i.saturating_sub(1));
    let goes_on = |i: usize| same_row(i) || sheet.word(i).starts_with(char::is_lowercase);
    let value: Vec<usize> = (colon + 1..sentence.end).take_while(|&i| i == colon + 1 || goes_on(i)).collect();
    (1..=20).contains(&value.len()).then_some(value)
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
    let text = text.trim_matches(|c: char| c.is_whitespace() || ",;:•·".contains(c)).trim_end_matches('.').to_owned();
    Span { words, text, number: None, fit, measured: false }
}
