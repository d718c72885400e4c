//! An answer checked on the pages that it cites: no place is shown that was not found among a page's own words.

use std::collections::BTreeSet;

use recto_page::PageId;

use super::desk::Desk;
use super::rules::Kind;
use super::said::Said;
use super::shelf::Shelf;
use crate::answer::{Answer, Citation, Coverage, DECLINE, Status};
use crate::citation::cite_nearly;
use crate::fence::clean;
use crate::qa::list_text;

/// What is kept of an answer, in bytes.
const LONGEST: usize = 4_000;

/// What an answer is checked with.
pub(super) struct Check<'a> {
    pub(super) desk: &'a dyn Desk,
    pub(super) kind: Kind,
    pub(super) shelf: &'a Shelf,
    pub(super) found: &'a BTreeSet<PageId>,
    pub(super) seen: &'a BTreeSet<PageId>,
    pub(super) planner: &'a str,
}

impl Check<'_> {
    /// The answer with what is left of its evidence, and what the planner could mend.
    pub(super) fn answer(&self, said: &Said) -> (Answer, Vec<String>) {
        let coverage = self.coverage();
        if said.declined {
            let mut answer = Answer { answerer: self.planner.into(), ..Answer::decline(coverage) };
            answer.notes.extend((!said.reason.trim().is_empty()).then(|| line(&said.reason)));
            return (answer, Vec::new());
        }
        let (mut evidence, mut faults): (Vec<Citation>, Vec<String>) = (Vec::new(), Vec::new());
        for (value, quote) in &said.places {
            match self.cited(value, quote) {
                Ok((citation, fault)) => {
                    faults.extend(fault);
                    if !evidence.contains(&citation) {
                        evidence.push(citation);
                    }
                }
                Err(why) => faults.push(why),
            }
        }
        if said.places.is_empty() {
            faults.push("name at least one page that the answer stands on".into());
        }
        let mut coverage = coverage;
        coverage.read = coverage.read.max(u32::try_from(evidence.len()).unwrap_or(u32::MAX));
        coverage.with_text = coverage.read;
        let proved = evidence.iter().any(|citation| !citation.regions.is_empty());
        let confidence = if proved {
            0.9
        } else if evidence.is_empty() {
            0.3
        } else {
            0.5
        };
        let answer = Answer {
            status: Status::Answered,
            text: text_of(&said.items),
            shown: None,
            evidence,
            confidence,
            coverage,
            answerer: self.planner.into(),
            notes: Vec::new(),
            missed: None,
        };
        (answer, faults)
    }

    fn coverage(&self) -> Coverage {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Coverage { read: count(self.seen.len()), with_text: count(self.seen.len()), of: None }
    }

    /// A citation and what is wrong with it; an error if it names no page that was found.
    fn cited(&self, value: &serde_json::Value, quote: &str) -> Result<(Citation, Option<String>), String> {
        let told = || value.get("page").unwrap_or(value).to_string();
        let page = self.shelf.page(value).ok_or_else(|| format!("{} is no page of the corpus", told()))?;
        let name = self.shelf.page_name(&page);
        // Those of benchmarks cite what they like, as their authors' do.
        if self.kind == Kind::Recto && !self.found.contains(&page) && !self.seen.contains(&page) {
            return Err(format!("{name} was not found by any search and not read"));
        }
        let record = self.desk.page(&page).map_err(|error| format!("{name}: {error}"))?;
        let quote = line(quote);
        let mut citation = cite_nearly(&page, &record, &quote);
        if quote.is_empty() {
            citation.note = Some("the page as a whole".into());
        }
        let unseen = quote.is_empty() && self.kind == Kind::Recto && !self.seen.contains(&page);
        let unfound = !quote.is_empty() && citation.regions.is_empty() && self.kind == Kind::Recto;
        let given = record.given_text.is_some() && citation.regions.is_empty();
        let fault = if unseen {
            Some(format!("{name}: read or look at a page before you cite it without a quote"))
        } else if unfound && !given {
            Some(format!(
                "{name}: its text does not hold the quote {quote:?}; copy it letter by letter, or leave it empty if only the \
                 picture shows it"
            ))
        } else {
            None
        };
        Ok((citation, fault))
    }
}

/// The value, or the things as a list.
fn text_of(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| line(item)).filter(|item| !item.is_empty()).collect();
    let text = match items.as_slice() {
        [] => DECLINE.to_owned(),
        [one] => one.clone(),
        several => list_text(several),
    };
    text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default().to_owned()
}

/// On one line, without characters that hide or move text.
fn line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
