//! How soon an answerer's searches find evidence: the share of items of which the first k searches returned a gold page, or a
//! page of a gold document (MADQA, source 001, figure 23).

use recto_page::PageId;

use super::{Entry, Subject};
use crate::item::Item;

/// What counts as evidence.
pub(super) struct Level {
    /// Its name in reports.
    pub(super) name: &'static str,
    is_evidence: fn(&Item, &PageId) -> bool,
}

/// Documents, then pages.
pub(super) const LEVELS: [Level; 2] = [
    Level {
        name: "A gold document is found",
        is_evidence: |item, page| item.gold.relevant().iter().any(|gold| gold.doc == page.doc),
    },
    Level { name: "A gold page is found", is_evidence: |item, page| item.gold.relevant().contains(page) },
];

impl Level {
    /// The share of items after each number of searches, from 0 on; empty if no row has searches.
    pub(super) fn curve(&self, subject: &Subject<'_>, entry: &Entry<'_>) -> Vec<(f64, f64)> {
        let (mut n, mut longest, mut found) = (0, 0, Vec::new());
        for item in subject.set.items.iter().filter(|item| !item.gold.relevant().is_empty()) {
            let Some(row) = entry.row(&item.id).filter(|row| !row.searches.is_empty()) else { continue };
            n += 1;
            longest = row.searches.len().max(longest);
            let first = row.searches.iter().position(|search| search.pages.iter().any(|p| (self.is_evidence)(item, p)));
            found.extend(first.map(|at| at + 1));
        }
        let within = |k: usize| found.iter().filter(|at| **at <= k).count() as f64 / f64::from(n);
        if n == 0 { Vec::new() } else { (0..=longest).map(|k| (k as f64, within(k))).collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use recto_page::{DocId, PageNumber};

    use super::*;
    use crate::evaluation::evaluate;
    use crate::item::{BenchmarkSet, Gold};
    use crate::report::Run;
    use crate::row::{Row, Search};
    use crate::run_dir::RunConfig;

    #[test]
    fn evidence_comes_with_searches() {
        let page = |text: &str| {
            let (doc, number) = text.split_once(' ').unwrap();
            PageId::new(DocId::new(doc), number.parse::<PageNumber>().unwrap())
        };
        let gold = Gold { pages: vec![page("a 2").into()], ..Gold::default() };
        let item = |id: &str| Item { id: id.into(), gold: gold.clone(), ..Item::default() };
        let set =
            BenchmarkSet { items: ["at once", "later", "never", "none"].map(item).to_vec(), ..BenchmarkSet::default() };
        let row = |id: &str, found: &[&str]| Row {
            id: id.into(),
            searches: found.iter().map(|p| Search { query: String::new(), pages: vec![page(p)] }).collect(),
            ..Row::default()
        };
        let rows =
            [row("at once", &["a 2"]), row("later", &["b 1", "a 1", "a 2"]), row("never", &["b 1"]), row("none", &[])];
        let evaluation = evaluate(&set, &rows, &BTreeMap::new(), &[]);
        let config = RunConfig {
            version: String::new(),
            set: String::new(),
            set_path: "".into(),
            items_hash: String::new(),
            ids: None,
            system: "x".into(),
            index: None,
            index_hash: None,
        };
        let rows = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
        let runs = [Run { config, evaluation, rows, timings: BTreeMap::new() }];
        let subject = Subject::new(&set, &runs);
        let third = 1.0 / 3.0;
        for (level, right) in
            LEVELS.iter().zip([[0.0, third, 2.0 * third, 2.0 * third], [0.0, third, third, 2.0 * third]])
        {
            let curve: Vec<f64> = level.curve(&subject, &subject.runs[0]).into_iter().map(|(_, share)| share).collect();
            assert_eq!(curve, right, "{}", level.name);
        }
    }
}
