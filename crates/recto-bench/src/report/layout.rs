//! What stands on the pages of kinds of documents: elements of each kind a page, and how far that is from what the kinds
//! of documents have on average (MADQA, source 001, figures 2 and 11).

use std::collections::{BTreeMap, BTreeSet};

use recto_page::DocId;
use serde::Serialize;

use super::Layout;
use crate::item::BenchmarkSet;

/// Kinds of slices that say what sort of document an item is about, the first that a set has.
const SORTS: [&str; 4] = ["document_category", "doc_type", "domain", "category"];

/// The documents of one sort.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Sort {
    /// Its name; empty if the set does not tell sorts of documents apart.
    pub(super) name: String,
    /// Its documents and pages.
    pub(super) documents: usize,
    pub(super) pages: u32,
    /// Elements a page, by kind.
    pub(super) density: BTreeMap<String, f64>,
    /// Standard deviations from the mean over the sorts; empty for less than two sorts.
    pub(super) deviation: BTreeMap<String, f64>,
}

/// The kind of slice that tells sorts of documents apart.
pub(super) fn sort_kind(set: &BenchmarkSet) -> Option<&'static str> {
    SORTS.into_iter().find(|kind| set.items.iter().any(|item| item.slices.contains_key(*kind)))
}

/// Each sort of documents; none if nothing is known of their pages.
pub(super) fn sorts(set: &BenchmarkSet, layout: &Layout) -> Vec<Sort> {
    let mut sorts: Vec<Sort> = documents(set, layout).into_iter().map(|(name, docs)| of(name, &docs, layout)).collect();
    sorts.retain(|sort| sort.pages > 0);
    let kinds: BTreeSet<String> = sorts.iter().flat_map(|sort| sort.density.keys().cloned()).collect();
    if sorts.len() > 1 {
        kinds.iter().for_each(|kind| deviations(&mut sorts, kind));
    }
    sorts
}

/// The documents of each sort.
fn documents<'a>(set: &'a BenchmarkSet, layout: &'a Layout) -> BTreeMap<String, BTreeSet<&'a DocId>> {
    let Some(kind) = sort_kind(set) else { return BTreeMap::from([(String::new(), layout.keys().collect())]) };
    let mut sorts: BTreeMap<String, BTreeSet<&DocId>> = BTreeMap::new();
    for item in &set.items {
        for name in item.slices.get(kind).into_iter().flatten() {
            let of_pages = item.gold.pages.iter().map(|graded| &graded.page.doc);
            sorts.entry(name.clone()).or_default().extend(item.docs.iter().chain(of_pages));
        }
    }
    sorts
}

fn of(name: String, docs: &BTreeSet<&DocId>, layout: &Layout) -> Sort {
    let known: Vec<_> = docs.iter().filter_map(|doc| layout.get(*doc)).collect();
    let pages: u32 = known.iter().map(|elements| elements.pages).sum();
    let mut density: BTreeMap<String, f64> = BTreeMap::new();
    for (kind, n) in known.iter().flat_map(|elements| &elements.counts) {
        *density.entry(kind.clone()).or_default() += f64::from(*n) / f64::from(pages.max(1));
    }
    Sort { name, documents: known.len(), pages, density, deviation: BTreeMap::new() }
}

fn deviations(sorts: &mut [Sort], kind: &str) {
    let values: Vec<f64> = sorts.iter().map(|sort| sort.density.get(kind).copied().unwrap_or_default()).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    for (sort, value) in sorts.iter_mut().zip(values) {
        let deviation = if spread > 0.0 { (value - mean) / spread } else { 0.0 };
        sort.deviation.insert(kind.to_owned(), deviation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Item;
    use crate::report::Elements;

    #[test]
    fn sorts_of_documents_are_set_apart() {
        let item = |id: &str, doc: &str, sort: &str| Item {
            id: id.into(),
            docs: vec![DocId::new(doc)],
            slices: BTreeMap::from([("doc_type".into(), BTreeSet::from([sort.into()]))]),
            ..Item::default()
        };
        let items = vec![
            item("1", "a", "brochure"),
            item("2", "a", "brochure"),
            item("3", "b", "report"),
            item("4", "c", "lost"),
        ];
        let set = BenchmarkSet { items, ..BenchmarkSet::default() };
        let elements = |pages, tables| Elements { pages, counts: BTreeMap::from([("table".into(), tables)]) };
        let layout = Layout::from([(DocId::new("a"), elements(4, 2)), (DocId::new("b"), elements(2, 3))]);
        let found: Vec<_> = sorts(&set, &layout)
            .into_iter()
            .map(|sort| (sort.name, sort.pages, sort.density["table"], sort.deviation["table"]))
            .collect();
        assert_eq!(found, [("brochure".into(), 4, 0.5, -1.0), ("report".into(), 2, 1.5, 1.0)]);
        let whole = sorts(&BenchmarkSet::default(), &layout);
        assert_eq!((whole.len(), whole[0].pages, whole[0].deviation.len()), (1, 6, 0));
        assert_eq!(sorts(&set, &Layout::new()), []);
    }
}
