//! Fields of forms: a question that says the label of a field, and nothing that the label leaves out, asks for its value.

use super::Found;
use super::reading::{IN_DOCUMENT, Read, Reading, SUBJECT};
use super::sheet::Sheet;
use super::span::{text_span, value_after};
use super::term::{bare, is_general, is_stop_word, terms};
use crate::{Kind, Question};

/// Confidence in the only field that is called so.
const NAMED: f64 = 0.65;

/// Longer labels are sentences.
const LONGEST_LABEL: usize = 10;

/// The value of the only field, or of fields that hold the same.
pub(crate) fn field(question: &Question, reading: &Reading) -> Option<Found> {
    let mut found: Option<(usize, Vec<usize>, String)> = None;
    for (page, _) in super::close_pages(question, reading) {
        let read = reading.pages.get(page)?;
        let sheet = Sheet::new(&read.page);
        for (label, value) in fields(&sheet).filter(|(label, _)| is_asked(question, read, &sheet, label)) {
            let text = super::text::text(question, &text_span(&sheet, value.clone(), 0.0));
            let fits = is_value(question.kind, &text);
            match &found {
                Some((.., known)) if *known != text => return None,
                None if fits => found = Some((page, label.into_iter().chain(value).collect(), text)),
                None => return None,
                Some(_) => {}
            }
        }
    }
    let (page, words, text) = found?;
    Some(Found::new(text, vec![(page, words)], NAMED))
}

/// Labels that end with a colon, each with what follows it.
fn fields<'s>(sheet: &'s Sheet) -> impl Iterator<Item = (Vec<usize>, Vec<usize>)> + 's {
    sheet.cells.iter().filter_map(|cell| {
        let colon = cell.iter().position(|i| sheet.word(*i).ends_with([':', '?']))?;
        let label = cell.get(..=colon).filter(|label| label.len() <= LONGEST_LABEL)?;
        let value = value_after(sheet, *cell.get(colon)?)?;
        let row = |word: &usize| sheet.row_of.get(*word);
        (row(value.first()?) == row(cell.first()?)).then(|| (label.to_vec(), value))
    })
}

/// True if the question says all of the label, and the label all of the question that its document is not about.
fn is_asked(question: &Question, read: &Read, sheet: &Sheet, label: &[usize]) -> bool {
    // `5.` and `a.` number the field.
    let numbered = |word: &str| word.len() <= 3 && word.ends_with(['.', ')']);
    let words = label.iter().map(|i| sheet.word(*i)).filter(|word| !numbered(word) && !is_stop_word(bare(word)));
    let own: Vec<String> = words.flat_map(terms).collect();
    let said = |(at, term): (usize, &String)| {
        let base = read.base.get(at).copied().unwrap_or(IN_DOCUMENT);
        own.contains(term) || is_general(term) || base >= SUBJECT
    };
    own.iter().any(|term| !is_general(term))
        && own.iter().all(|term| question.terms.contains(term))
        && question.terms.iter().enumerate().all(said)
}

/// True if the text may be what is asked for.
fn is_value(kind: Kind, text: &str) -> bool {
    let digits = text.contains(|c: char| c.is_ascii_digit());
    text.contains(char::is_alphanumeric)
        && match kind {
            Kind::Date | Kind::Year | Kind::Count | Kind::Percent | Kind::Contact | Kind::Code => digits,
            Kind::Person | Kind::Place => text.starts_with(char::is_uppercase),
            Kind::YesNo => false,
            _ => true,
        }
}
