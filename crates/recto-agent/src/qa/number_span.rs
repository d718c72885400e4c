//! Numbers of a page as answers: which can't be meant, and how well the others fit by unit, sign and place. Not how
//! numbers are read.

use super::caption;
use super::measure::Measure;
use super::number::{Number, numbers};
use super::sheet::Sheet;
use super::span::{MONTHS, Span};
use super::term::{self, bare, terms};
use crate::{Kind, Question};

/// All numbers of a page that could be meant.
pub(crate) fn number_spans(question: &Question, sheet: &Sheet) -> Vec<Span> {
    let lower = question.asked.to_lowercase();
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
        let fit = fit + super::change::fit(&lower, sheet, &n);
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
        Some(Measure::Money) if has_cents(n) && question.measure.measures.contains(&Measure::Money) => 0.15,
        _ if !question.asks_money || n.grouped => 0.0,
        Some(Measure::Money) => 0.1,
        _ => -0.15,
    }
}

/// True for a number with two decimal places, as prices have them.
fn has_cents(n: &Number) -> bool {
    n.printed.split_once('.').is_some_and(|(_, cents)| cents.len() == 2)
}

/// `None` if the number can't be meant.
fn number_fit(question: &Question, n: &Number, sheet: &Sheet) -> Option<f64> {
    if question.kind == Kind::Year {
        return n.is_year().then_some(0.1);
    }
    let first = n.words.start;
    let in_question = question.asked.split_whitespace().any(|w| bare(w) == n.printed);
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
    let fit_of_label = label_fit(question, sheet, n);
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
    let fit = if n.words.clone().any(|i| sheet.word(i).to_lowercase().contains("-in-ten")) { fit - 0.12 } else { fit };
    Some(fit_of_label + if edge { fit - 0.2 } else { fit })
}

/// True if what is counted is named right after the number or names its row, or the number is a large one.
fn counts_focus(question: &Question, sheet: &Sheet, n: &Number) -> bool {
    names_focus(question, sheet, n) || n.grouped || labels_focus(question, sheet, n)
}

/// True if what is counted names the row of a table.
fn labels_focus(question: &Question, sheet: &Sheet, n: &Number) -> bool {
    let row = sheet.row_of.get(n.words.start).filter(|_| !sheet.is_running(n.words.start));
    let before = row.into_iter().flat_map(|row| sheet.row_words(*row)).take_while(|word| *word != n.words.start);
    before.flat_map(|word| terms(sheet.word(word))).any(|term| question.focus.contains(&term))
}

/// A row that is called by what is counted fits, one whose label goes on to something else (`employee share plans`) does not.
fn label_fit(question: &Question, sheet: &Sheet, n: &Number) -> f64 {
    let row = sheet.row_of.get(n.words.start).filter(|_| !sheet.is_running(n.words.start));
    let before = row.into_iter().flat_map(|row| sheet.row_words(*row)).take_while(|word| *word != n.words.start);
    let label: Vec<usize> = before.take_while(|i| super::number::parse(sheet.word(*i)).is_none()).collect();
    let told = sheet.grid.label(n.words.start);
    let label = if told.is_empty() { label } else { told };
    let says = |i: &usize, of: &[String]| terms(sheet.word(*i)).iter().any(|term| of.contains(term));
    let matters = |i: &&usize| sheet.word(**i).contains(char::is_alphabetic) && !term::is_stop_word(sheet.word(**i));
    let own: Vec<&usize> = label.iter().filter(matters).collect();
    if own.len() > 1 && own.iter().all(|i| says(i, &question.terms)) {
        return SAME_LABEL;
    }
    let last = own.iter().rposition(|i| says(i, &question.focus));
    let next = last.and_then(|at| Some((own.get(at)?, own.get(at + 1)?)));
    let goes_on = next.is_some_and(|(a, b)| **a + 1 == **b && !says(b, &question.terms) && !ends_name(sheet.word(**a)));
    if question.kind == Kind::Count && goes_on { -0.3 } else { 0.0 }
}

/// Added to the fit of a number in a row whose label says nothing but what is asked.
const SAME_LABEL: f64 = 0.06;

fn ends_name(word: &str) -> bool {
    word.ends_with([',', ';', ':', ')', '\u{2013}', '\u{2014}'])
}

fn names_focus(question: &Question, sheet: &Sheet, n: &Number) -> bool {
    let after =
        (n.words.end..n.words.end + 4).filter(|&i| sheet.sentence_of.get(i) == sheet.sentence_of.get(n.words.start));
    // What follows another number is counted by that one, unless both are of one list.
    let listed = sheet.thing_of(n.words.start).is_some();
    let after = after.take_while(|i| listed || super::number::parse(sheet.word(*i)).is_none());
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
pub(crate) fn is_month(word: &str) -> bool {
    let word = bare(word).to_lowercase();
    word.len() <= 9 && word.get(..3).is_some_and(|w| MONTHS.contains(&w)) && (word.len() == 3 || term::is_month(&word))
}
