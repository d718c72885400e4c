//! How items ended, right or wrong, and what went wrong: the furthest point that the evidence reached.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Entry, Subject};
use crate::item::Item;
use crate::measure::Measure;
use crate::row::{Outcome, Row};

/// How an item ended; in the order of reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ending {
    /// The answer is right.
    Correct,
    /// A gold page was cited, the answer is wrong.
    Comprehension,
    /// A gold document was cited, but none of its gold pages.
    Navigation,
    /// No gold document was cited.
    Retrieval,
    /// An answer is there, and the system gave none.
    Refusal,
    /// The documents do not hold the answer, and the system gave one.
    Unfounded,
    /// There is no row, or one of a failure.
    Failed,
}

/// All endings with what they mean.
pub(super) const ENDINGS: [(Ending, &str, &str); 7] = [
    (Ending::Correct, "correct", "the answer is right"),
    (Ending::Comprehension, "comprehension", "a gold page is cited, the answer is wrong"),
    (Ending::Navigation, "navigation", "a gold document is cited, but no gold page"),
    (Ending::Retrieval, "retrieval", "no gold document is cited"),
    (Ending::Refusal, "refusal", "there is an answer, and none was given"),
    (Ending::Unfounded, "unfounded", "there is no answer, and one was given"),
    (Ending::Failed, "failed", "the run has no row for the item, or one of a failure"),
];

/// How many items of a run ended how. `None` for a run that only ranks, and where a ranking decides what is right: a page that
/// was found is no right answer. Wrong answers to items without gold pages are
/// not counted: nothing says where they went wrong.
pub(super) fn endings(subject: &Subject<'_>, entry: &Entry<'_>) -> Option<BTreeMap<Ending, usize>> {
    let answers = |row: &Row| row.answer.is_some() || row.outcome == Outcome::Declined;
    let by_ranking = subject.main.is_some_and(Measure::needs_places_only);
    (!by_ranking && entry.run.rows.values().any(answers)).then(|| {
        let mut counts = BTreeMap::new();
        for (item, row, _) in entry.scored(subject.set) {
            if let Some(ending) = ending(item, row, entry.right(&item.id)) {
                *counts.entry(ending).or_default() += 1;
            }
        }
        counts
    })
}

fn ending(item: &Item, row: Option<&Row>, right: bool) -> Option<Ending> {
    let failed = |row: &&Row| matches!(row.outcome, Outcome::Failed | Outcome::Missing);
    let row = match row.filter(|row| !failed(row)) {
        _ if right => return Some(Ending::Correct),
        None => return Some(Ending::Failed),
        Some(row) => row,
    };
    let empty = row.answer.as_ref().is_none_or(|answer| answer.entries().iter().all(|entry| entry.trim().is_empty()));
    let gold = item.gold.relevant();
    let docs: BTreeSet<_> = gold.iter().map(|page| &page.doc).collect();
    Some(match () {
        () if item.gold.unanswerable => Ending::Unfounded,
        () if empty || row.outcome == Outcome::Declined => Ending::Refusal,
        () if gold.is_empty() => return None,
        () if row.pages.iter().any(|page| gold.contains(page)) => Ending::Comprehension,
        () if row.pages.iter().any(|page| docs.contains(&page.doc)) => Ending::Navigation,
        () => Ending::Retrieval,
    })
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageId, PageNumber};

    use super::*;
    use crate::item::{Gold, GradedPage};
    use crate::row::AnswerText;

    fn page(doc: &str, number: u32) -> PageId {
        PageId::new(DocId::new(doc), PageNumber::new(number).unwrap())
    }

    #[test]
    fn an_item_ends_where_its_evidence_ended() {
        let gold = Gold { pages: vec![GradedPage { page: page("a", 2), grade: 1 }], ..Gold::default() };
        let answerable = Item { gold, ..Item::default() };
        let unanswerable = Item { gold: Gold { unanswerable: true, ..Gold::default() }, ..Item::default() };
        let row = |answer: &str, pages: &[PageId]| Row {
            answer: Some(AnswerText::Text(answer.into())),
            pages: pages.to_vec(),
            ..Row::default()
        };
        let declined = Row { outcome: Outcome::Declined, ..row("none", &[]) };
        let cases = [
            (&answerable, Some(row("x", &[])), true, Some(Ending::Correct)),
            (&answerable, Some(row("x", &[page("b", 2), page("a", 2)])), false, Some(Ending::Comprehension)),
            (&answerable, Some(row("x", &[page("a", 3)])), false, Some(Ending::Navigation)),
            (&answerable, Some(row("x", &[page("b", 2)])), false, Some(Ending::Retrieval)),
            (&answerable, Some(row("x", &[])), false, Some(Ending::Retrieval)),
            (&answerable, Some(row(" ", &[page("a", 2)])), false, Some(Ending::Refusal)),
            (&answerable, Some(declined.clone()), false, Some(Ending::Refusal)),
            (&unanswerable, Some(declined), true, Some(Ending::Correct)),
            (&unanswerable, Some(row("x", &[])), false, Some(Ending::Unfounded)),
            (&answerable, Some(Row::missing("x")), false, Some(Ending::Failed)),
            (&answerable, None, false, Some(Ending::Failed)),
            (&Item::default(), Some(row("x", &[])), false, None),
        ];
        for (item, row, right, want) in cases {
            assert_eq!(ending(item, row.as_ref(), right), want, "{row:?}");
        }
    }
}
