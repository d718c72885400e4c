//! Citations: the pages, or the documents, that a system names as evidence beside the right ones.

use std::collections::BTreeSet;

use recto_page::PageId;

use super::answer::{ONLY_RANKS, only_ranks};
use super::{Case, Cutoff, Definition, Formula};
use crate::score::Score;
use crate::text::squad::Overlap;

/// `PageF1`: F1 of cited and right pages as sets (MADQA's Page F1).
pub(super) const PAGES: Definition = Definition {
    name: "PageF1",
    about: "F1 of the cited pages",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| score(case, |page| page, |of| of.f1)),
};

/// `PagePrecision`: the share of the cited pages that are right; 0 if none is cited.
pub(super) const PAGE_PRECISION: Definition = Definition {
    name: "PagePrecision",
    about: "share of the cited pages that are right",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| score(case, |page| page, |of| of.precision)),
};

/// `PageRecall`: the share of the right pages that are cited.
pub(super) const PAGE_RECALL: Definition = Definition {
    name: "PageRecall",
    about: "share of the right pages that are cited",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| score(case, |page| page, |of| of.recall)),
};

/// `DocF1`: F1 of the documents of cited and right pages as sets (MADQA's Doc F1).
pub(super) const DOCUMENTS: Definition = Definition {
    name: "DocF1",
    about: "F1 of the cited documents",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| score(case, |page| &page.doc, |of| of.f1)),
};

fn score<T: Ord + ?Sized>(case: &Case, part: impl Fn(&PageId) -> &T, take: impl Fn(Overlap) -> f64) -> Score {
    if only_ranks(case.row) {
        return Score::Unscored(ONLY_RANKS.into());
    }
    let gold: BTreeSet<&T> = case.item.gold.relevant().into_iter().map(&part).collect();
    if gold.is_empty() {
        return Score::Unscored("no right page is known".into());
    }
    Score::Value(take(agreement(&case.row.pages.iter().map(&part).collect(), &gold)))
}

/// Precision, recall and F1 of sets; 0 of nothing.
pub fn agreement<T: Ord>(said: &BTreeSet<T>, gold: &BTreeSet<T>) -> Overlap {
    let share = |of: usize| said.intersection(gold).count() as f64 / of.max(1) as f64;
    Overlap::of(share(said.len()), share(gold.len()))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// A citation as MADQA's reader takes it: `file` before `document`, a page only as a number.
    fn citation(value: &Value) -> Option<(String, u64)> {
        let doc = value.get("file").filter(|file| !file.is_null()).or(value.get("document"))?.as_str()?;
        let page = value["page"].as_f64()?;
        Some((doc.to_owned(), page as u64))
    }

    #[track_caller]
    fn check(vector: &Value, ours: Overlap, theirs: &Value) {
        for (ours, name) in [(ours.precision, "precision"), (ours.recall, "recall"), (ours.f1, "f1")] {
            assert!((ours - theirs[name].as_f64().unwrap()).abs() < 1e-9, "{name} of {vector}: {ours}");
        }
    }

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["citation_f1"].as_array().unwrap();
        for vector in vectors {
            let set = |key: &str| -> BTreeSet<(String, u64)> {
                vector[key].as_array().map(|rows| rows.iter().filter_map(citation).collect()).unwrap_or_default()
            };
            let docs = |key: &str| -> BTreeSet<String> {
                let rows = vector[key].as_array().into_iter().flatten();
                let doc =
                    |row: &Value| row.get("file").or(row.get("document")).and_then(Value::as_str).map(str::to_owned);
                rows.filter_map(doc).collect()
            };
            let pages = agreement(&set("predicted"), &set("gold"));
            check(vector, pages, &vector["page"]);
            let docs = agreement(&docs("predicted"), &docs("gold"));
            check(vector, docs, &vector["document"]);
        }
        assert_eq!(vectors.len(), 13);
    }
}
