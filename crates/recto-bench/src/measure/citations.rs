//! Citations: the pages, or the documents, that a system names as evidence beside the right ones.

use std::collections::BTreeSet;

use recto_page::PageId;

use super::answer::{ONLY_RANKS, only_ranks};
use super::{Case, Cutoff, Definition, Formula};
use crate::score::Score;

/// `PageF1`: F1 of cited and right pages as sets (MADQA's Page F1).
pub(super) const PAGES: Definition = Definition {
    name: "PageF1",
    about: "F1 of the cited pages",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| score(case, |page| page)),
};

/// `DocF1`: F1 of the documents of cited and right pages as sets (MADQA's Doc F1).
pub(super) const DOCUMENTS: Definition = Definition {
    name: "DocF1",
    about: "F1 of the cited documents",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| score(case, |page| &page.doc)),
};

fn score<T: Ord + ?Sized>(case: &Case, part: impl Fn(&PageId) -> &T) -> Score {
    if only_ranks(case.row) {
        return Score::Unscored(ONLY_RANKS.into());
    }
    let gold: BTreeSet<&T> = case.item.gold.relevant().into_iter().map(&part).collect();
    if gold.is_empty() {
        return Score::Unscored("no right page is known".into());
    }
    Score::Value(f1(&case.row.pages.iter().map(&part).collect(), &gold))
}

/// 2 |both| ÷ (|said| + |gold|), which is the F1 of precision and recall; 0 if nothing is right.
pub fn f1<T: Ord>(said: &BTreeSet<T>, gold: &BTreeSet<T>) -> f64 {
    let both = said.intersection(gold).count();
    if both == 0 { 0.0 } else { 2.0 * both as f64 / (said.len() + gold.len()) as f64 }
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
            let pages = f1(&set("predicted"), &set("gold"));
            assert!((pages - vector["page"]["f1"].as_f64().unwrap()).abs() < 1e-9, "{vector}: {pages}");
            let docs = f1(&docs("predicted"), &docs("gold"));
            assert!((docs - vector["document"]["f1"].as_f64().unwrap()).abs() < 1e-9, "{vector}: {docs}");
        }
        assert_eq!(vectors.len(), 13);
    }
}
