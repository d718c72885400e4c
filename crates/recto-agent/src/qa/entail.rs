//! Yes or no, where one sentence says all that is asked; else nothing. Not a judgement on what follows from what.

use super::reading::{Read, Reading};
use super::sheet::Sheet;
use super::term::lists;
use super::{Found, close_pages};
use crate::Question;

/// Confidence in a sentence that says all that is asked.
const SAID: f64 = 0.85;

/// Sentences hold fewer terms by chance.
const LEAST: usize = 3;

/// Words of questions that one sentence does not answer.
const WEIGHING: &str = "more less fewer higher lower greater smaller larger bigger better worse than all every only both always \
    most least same different";

/// Words that make of a statement its contrary.
const DENYING: &str = "not no never none neither nor cannot without doesn't don't didn't isn't aren't wasn't weren't";

/// Words that leave open what is true.
const LEAVING_OPEN: &str = "if unless may might could would whether should except excluding but although";

/// The answer to a question for yes or no.
pub(crate) fn entailed(question: &Question, reading: &Reading) -> Option<Found> {
    let lower = question.asked.to_lowercase();
    let has = |list: &str, text: &str| {
        let mut words = text.split(|c: char| c.is_whitespace() || ",;:?()".contains(c));
        words.any(|word| lists(list, word.trim_end_matches('.')))
    };
    if has(WEIGHING, &lower) || has(DENYING, &lower) || question.terms.len() < LEAST {
        return None;
    }
    for (at, _) in close_pages(question, reading) {
        let read = reading.pages.get(at)?;
        let sheet = Sheet::in_full(&read.page);
        let sentences = sheet.sentences.iter().filter(|s| s.len() >= 4 && sheet.is_running(s.start));
        for sentence in sentences.filter(|s| says_all(question, read, (*s).clone())) {
            let text = sheet.text(sentence.clone()).to_lowercase().replace('\u{2019}', "'");
            if has(LEAVING_OPEN, &text) || text.ends_with('?') {
                continue;
            }
            let text = if has(DENYING, &text) { "No" } else { "Yes" };
            return Some(Found::new(text.to_owned(), vec![(at, sentence.clone().collect())], SAID));
        }
    }
    None
}

/// True if the sentence holds each of the question's terms, but for what its document is named for.
fn says_all(question: &Question, read: &Read, sentence: std::ops::Range<usize>) -> bool {
    let said = |term: usize| read.matches.iter().any(|(word, t)| *t == term && sentence.contains(word));
    let known = |term: usize| read.base.get(term).is_some_and(|base| *base >= super::reading::SUBJECT);
    let n = (0..question.terms.len()).filter(|term| said(*term)).count();
    n >= LEAST && (0..question.terms.len()).all(|term| said(term) || known(term))
}
