//! What speaks against the span that is supported best: others that are supported as well, and words of the question that
//! nothing says of it.

use std::collections::BTreeSet;

use super::Candidate;
use super::evidence::Support;
use super::reading::IN_DOCUMENT;
use super::term::{is_general, is_spaceless};
use crate::Question;

/// What speaks against a span that is supported best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Doubt {
    None,
    /// It may be another one, or the page may speak of something else.
    Some,
    /// It could as well be any of several.
    Any,
}

/// Weighs the span against the others and against what the question says beside.
pub(super) fn doubt(question: &Question, best: &Candidate, all: &[Candidate]) -> Doubt {
    let within = |less: f64| {
        let near = all.iter().filter(|one| (best.score - less..=best.score).contains(&one.score));
        near.map(|one| &one.span.text).collect::<BTreeSet<_>>().len()
    };
    let unsaid = best.unsaid > UNSAID;
    let absent = question.kind.is_numeric() && is_absent(question, &best.support);
    match (within(TIED), unsaid) {
        (3.., _) | (2, true) => Doubt::Any,
        _ if absent => Doubt::Any,
        _ if unsaid || within(CLOSE_BY) > 1 => Doubt::Some,
        _ => Doubt::None,
    }
}

/// For each term whether the words around the span say it, or it need not be said.
pub(super) fn said(question: &Question, support: &Support) -> Vec<bool> {
    let said = |(term, relation): (&String, &f64)| *relation >= SAID || !matters(question, term);
    question.terms.iter().zip(&support.relations).map(said).collect()
}

/// True if a word of the noun that is asked for is not even on the page.
fn is_absent(question: &Question, support: &Support) -> bool {
    let mut related = question.terms.iter().zip(&support.relations);
    related.any(|(term, relation)| *relation <= IN_DOCUMENT && question.focus.contains(term) && matters(question, term))
}

/// False for words that go with anything, and for pairs of letters that may belong to two words.
fn matters(question: &Question, term: &String) -> bool {
    !is_general(term) && !question.measure.terms.contains(term) && !term.starts_with(is_spaceless)
}

/// A weaker relation leaves open whether a word is said of the span.
const SAID: f64 = 0.5;

/// More of a question left unsaid leaves open whether it is answered.
const UNSAID: f64 = 0.12;

/// Scores as near as this are the same.
const TIED: f64 = 0.005;

/// Scores as near as this leave open which is right.
const CLOSE_BY: f64 = 0.02;

/// True if the row of a table holds another value that is supported as well: nothing says which column is meant.
pub(super) fn is_any_of_row(one: &Candidate, all: &[Candidate]) -> bool {
    let same = |other: &&Candidate| (other.page, other.row) == (one.page, one.row) && one.row.is_some();
    let differs = |other: &Candidate| other.span.text != one.span.text && (other.score - one.score).abs() < 1e-6;
    all.iter().filter(same).any(differs)
}
