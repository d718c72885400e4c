//! What the model says, checked on the pages that it was shown: places that are not among them are dropped, quotes get the
//! regions of the words that they stand for, or none.

use std::collections::BTreeSet;

use recto_page::PageId;

use super::ask::{Decided, Place, Said, documents};
use super::order::in_order;
use super::read::Shown;
use super::status_of;
use crate::answer::{Answer, Citation, Coverage, DECLINE, Status};
use crate::citation::cite_nearly;
use crate::fence::clean;
use crate::qa::list_text;
use crate::{Kind, Question};

/// So many places are looked at.
const PLACES: usize = 200;
/// What is kept of an answer, in bytes.
const LONGEST: usize = 4_000;

/// The answer with what is left of its evidence.
pub(super) fn verified(
    decided: &Decided,
    question: &Question,
    shown: &[Shown],
    coverage: Coverage,
    name: &str,
) -> Answer {
    let Decided { said, confidence, notes } = decided;
    let mut notes = notes.clone();
    let status = status_of(said.is_answered());
    let (mut text, mut evidence) = (DECLINE.to_owned(), Vec::new());
    if status == Status::Answered {
        text = text_of(said, question, shown);
        evidence = citations(&said.evidence, shown, &mut notes);
        if evidence.is_empty() {
            notes.push("the model named no page that it was shown as evidence".into());
        }
    }
    let confidence = if status == Status::Answered { *confidence } else { 0.0 };
    Answer { status, text, shown: None, evidence, confidence, coverage, answerer: name.into(), notes, missed: None }
}

/// The value, or the things as a list; where their number is asked for, that alone.
fn text_of(said: &Said, question: &Question, shown: &[Shown]) -> String {
    let items: Vec<String> = said.items.iter().map(|item| line(item)).filter(|item| !item.is_empty()).collect();
    let counted = question.kind == Kind::Count && said.answer.contains(|c: char| c.is_ascii_digit());
    let items = if counted { Vec::new() } else { items };
    let text = match items.as_slice() {
        [] => line(&said.answer),
        [one] if said.answer.trim().is_empty() => one.clone(),
        [_] => line(&said.answer),
        _ => list_text(&in_order(items, question, shown)),
    };
    text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default().to_owned()
}

/// On one line, without characters that hide or move text.
fn line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn citations(places: &[Place], shown: &[Shown], notes: &mut Vec<String>) -> Vec<Citation> {
    let mut citations: Vec<Citation> = Vec::new();
    for place in places.iter().take(PLACES) {
        match page_of(place, shown) {
            Some(shown) => {
                let citation = cite_nearly(&shown.id, &shown.page, &line(&place.quote));
                if !citations.contains(&citation) {
                    citations.push(citation);
                }
            }
            None => notes.push(format!("the model named page {}, which it was not shown: left out", place.page)),
        }
    }
    // A page once with a place needs no mention without one.
    let placed: BTreeSet<PageId> = citations.iter().filter(|c| !c.regions.is_empty()).map(|c| c.page.clone()).collect();
    citations.retain(|citation| !citation.regions.is_empty() || !placed.contains(&citation.page));
    citations
}

fn page_of<'s>(place: &Place, shown: &'s [Shown]) -> Option<&'s Shown> {
    let documents = documents(shown);
    let at = place.document.unwrap_or(1).checked_sub(1)?;
    let doc = documents.get(usize::try_from(at).ok()?)?;
    shown.iter().find(|shown| shown.id.doc == **doc && u64::from(shown.id.page.get()) == place.page)
}
