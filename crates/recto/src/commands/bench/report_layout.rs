//! What stands on the pages of a benchmark's documents, for reports: counted in the index of the runs.

use std::collections::{BTreeMap, BTreeSet};

use recto_bench::report::{Elements, Layout};
use recto_bench::{BenchmarkSet, Item};
use recto_page::{BlockKind, Catalog, DocId, IndexDir, Page, PageId, PageNumber, Pages};

use super::names::Names;
use super::score::Scored;
use crate::config::Config;

/// Counts in the index of the first run that has one, else in the configured one.
pub(super) fn of(set: &BenchmarkSet, runs: &[Scored], config: &Config) -> anyhow::Result<Layout> {
    let index = runs.iter().find_map(|run| run.config.index.clone());
    let catalog = Catalog::open(&IndexDir::new(index.unwrap_or_else(|| config.index_of(".".as_ref()))))?;
    let items: Vec<&Item> = set.items.iter().collect();
    let names = Names::new(&items, &catalog)?;
    let lengths: BTreeMap<DocId, u32> = catalog.documents()?.into_iter().map(|doc| (doc.id, doc.n_pages)).collect();
    let named = |item: &&Item| {
        let of_pages = item.gold.pages.iter().map(|graded| graded.page.doc.clone());
        item.docs.iter().cloned().chain(of_pages).collect::<Vec<_>>()
    };
    let mut layout = Layout::new();
    for doc in items.iter().flat_map(named).collect::<BTreeSet<_>>() {
        let first = PageId::new(doc.clone(), PageNumber::FIRST);
        if let Some(PageId { doc: inside, .. }) = names.in_index(&first) {
            let n = lengths.get(&inside).copied().unwrap_or_default();
            layout.insert(doc, elements(&catalog, &inside, n)?);
        }
    }
    Ok(layout)
}

fn elements(catalog: &Catalog, doc: &DocId, n_pages: u32) -> anyhow::Result<Elements> {
    let mut elements = Elements::default();
    for number in PageNumber::first(n_pages) {
        if let Some(page) = catalog.page(&PageId::new(doc.clone(), number))? {
            elements.pages += 1;
            count(&page, &mut elements);
        }
    }
    Ok(elements)
}

fn count(page: &Page, elements: &mut Elements) {
    let layer = page.reading();
    let kinds = [
        ("paragraphs", BlockKind::Text),
        ("headings", BlockKind::Heading),
        ("lists", BlockKind::List),
        ("captions", BlockKind::Caption),
        ("formulas", BlockKind::Formula),
        ("footnotes", BlockKind::Footnote),
    ];
    let blocks = kinds.map(|(name, kind)| (name, layer.blocks.iter().filter(|block| block.kind == kind).count()));
    for (name, n) in blocks.into_iter().chain([("tables", page.tables.len()), ("pictures", page.pictures.len())]) {
        *elements.counts.entry(name.into()).or_default() += n as u32;
    }
}
