//! Persons by their roles: `Ines Rask, director of the mill`, or a name with its role on the line below.

use super::sheet::Sheet;
use super::span::Span;
use super::term::{is_stop_word, terms};
use crate::Question;

/// Added to the fit of a name whose own role says all that is asked.
const OWN: f64 = 0.25;

/// Taken from the fit of a name that has another role.
const OTHER: f64 = 0.2;

/// Longer lines and clauses are no roles.
const LONGEST: usize = 10;

/// The names, fitting better or worse by what is said right behind or below them.
pub(crate) fn with_roles(question: &Question, sheet: &Sheet, mut names: Vec<Span>) -> Vec<Span> {
    let lower = question.asked.to_lowercase();
    let asks = ["who is", "who was", "who are", "who were"].iter().any(|ask| lower.contains(ask));
    for name in names.iter_mut().filter(|_| asks) {
        let Some(role) = role(sheet, &name.words) else { continue };
        let share = said(question, sheet, role);
        name.fit += if share > 0.0 { OWN * share } else { -OTHER };
    }
    names
}

/// How much a word says of a name by its role: all that is in it.
pub(crate) fn relation(sheet: &Sheet, name: &[usize], word: usize) -> Option<f64> {
    role(sheet, name).filter(|role| role.contains(&word)).map(|_| 0.97)
}

/// Share of the role's words that the question says, if they say all that it asks for.
fn said(question: &Question, sheet: &Sheet, role: std::ops::Range<usize>) -> f64 {
    let words = role.filter(|i| !is_stop_word(sheet.word(*i)));
    let own: Vec<String> = words.flat_map(|i| terms(sheet.word(i))).collect();
    let n = own.iter().filter(|term| question.terms.contains(term)).count();
    let all = question.focus.iter().all(|term| own.contains(term));
    if all { n as f64 / own.len().max(1) as f64 } else { 0.0 }
}

/// What stands behind the comma after a name, up to the next one; else the line below a line that is only the name.
fn role(sheet: &Sheet, name: &[usize]) -> Option<std::ops::Range<usize>> {
    let (first, last) = (*name.first()?, *name.last()?);
    let layer = &sheet.page.text_layer;
    let line = layer.lines.partition_point(|l| l.words.end <= first);
    let line_words = layer.lines.get(line)?.words.clone();
    if sheet.word(last).ends_with(',') {
        let end = sheet.sentence(last).end;
        let end = if last + 1 < line_words.end { end.min(line_words.end) } else { end };
        let stop = (last + 1..end).find(|i| sheet.word(*i).ends_with([',', ';'])).map_or(end, |i| i + 1);
        return (1..=LONGEST).contains(&(stop - last - 1)).then_some(last + 1..stop);
    }
    let below = layer.lines.get(line + 1).map(|l| l.words.clone())?;
    let alone = line_words == (first..last + 1) && below.len() <= LONGEST;
    alone.then_some(below)
}
