//! Baselines of papers as systems: made of the pages' texts, or of what other systems said; no index of postings is asked.

use std::path::Path;
use std::sync::Arc;

use recto_bench::baseline::bm25::Bm25;
use recto_bench::baseline::ctrl_f::CtrlF;
use recto_bench::baseline::rrf;
use recto_bench::row::{Fault, FaultClass};
use recto_bench::{BenchmarkSet, Item, Outcome, RankedPage, Row, System, predictions};
use recto_page::{Catalog, DocumentState, IndexDir, PageId, PageNumber, Pages};

use super::names::Names;
use crate::exit::usage;

/// What ranks the texts of pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Baseline {
    /// VisDocAgentBench's BM25: every page, those without a word of the query too.
    Bm25,
    /// Pages that hold so many words of the question in a row.
    CtrlF(usize),
}

type Rank = Box<dyn Fn(&str) -> Vec<RankedPage> + Send + Sync>;

/// A baseline over the texts of an index.
struct OfTexts {
    rank: Rank,
    /// Its pages are also what it cites: it says "look here" of each.
    cites: bool,
    names: Names,
    depth: usize,
}

/// A baseline over the texts of the pages in `dir`.
pub(super) fn of_texts(
    baseline: Baseline,
    dir: &IndexDir,
    names: Names,
    depth: usize,
) -> anyhow::Result<Arc<dyn System>> {
    let texts = texts(&Catalog::open(dir)?)?;
    let texts = texts.iter().map(|(page, text)| (page.clone(), text.as_str()));
    let rank: Rank = match baseline {
        Baseline::Bm25 => {
            let bm25 = Bm25::new(texts);
            Box::new(move |query| bm25.rank(query))
        }
        Baseline::CtrlF(n) => {
            let ctrl_f = CtrlF::new(n, texts);
            Box::new(move |query| ctrl_f.rank(query))
        }
    };
    Ok(Arc::new(OfTexts { rank, cites: matches!(baseline, Baseline::CtrlF(_)), names, depth }))
}

fn texts(catalog: &Catalog) -> anyhow::Result<Vec<(PageId, String)>> {
    let mut texts = Vec::new();
    for document in catalog.documents()?.iter().filter(|document| document.state == DocumentState::Indexed) {
        for number in PageNumber::first(document.n_pages) {
            let id = PageId::new(document.id.clone(), number);
            if let Some(page) = catalog.page(&id)? {
                texts.push((id, page.text()));
            }
        }
    }
    Ok(texts)
}

impl System for OfTexts {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        let scope = self.names.scope(item).map_err(|why| Fault::new(FaultClass::Permanent, why))?;
        let found = (self.rank)(&item.question).into_iter().filter(|ranked| scope.holds(&ranked.page.doc));
        let named = found.map(|ranked| RankedPage { page: self.names.page(item, &ranked.page), ..ranked });
        let all: Vec<RankedPage> = named.collect();
        let pages = if self.cites { all.iter().map(|ranked| ranked.page.clone()).collect() } else { Vec::new() };
        let outcome = if self.cites && pages.is_empty() { Outcome::Declined } else { Outcome::Done };
        Ok(Row { outcome, ranking: all.into_iter().take(self.depth).collect(), pages, ..Row::default() })
    }
}

/// Reciprocal-rank fusion of what other systems ranked.
struct Fused(Vec<std::collections::BTreeMap<String, Vec<PageId>>>);

/// Fuses the rankings of prediction files.
pub(super) fn fused(files: &str, set: &BenchmarkSet) -> anyhow::Result<Arc<dyn System>> {
    let files: Vec<&str> = files.split(',').collect();
    if files.len() < 2 {
        return Err(usage("--system rrf:FILE,FILE: two files of predictions at least"));
    }
    let read = |file: &&str| {
        let rows = predictions::read(Path::new(file), set)?.into_iter();
        let pages = |row: Row| row.ranking.into_iter().map(|ranked| ranked.page).collect();
        Ok(rows.map(|row| (row.id.clone(), pages(row))).collect())
    };
    Ok(Arc::new(Fused(files.iter().map(read).collect::<anyhow::Result<_>>()?)))
}

impl System for Fused {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        let rankings: Vec<Vec<PageId>> = self.0.iter().filter_map(|file| file.get(&item.id).cloned()).collect();
        Ok(Row { ranking: rrf::fuse(&rankings, rrf::K, rrf::DEPTH), ..Row::default() })
    }
}
