//! Vectors that others made: as a system, and as distances between pages.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use recto_bench::baseline::vectors::{Distances, Nearest, Vectors};
use recto_bench::row::{Fault, FaultClass};
use recto_bench::run_dir::RunConfig;
use recto_bench::{BenchmarkSet, Item, Row, System};
use recto_page::{Catalog, DocId, IndexDir, PageId, PageNumber, Pages};
use recto_search::Route;
use recto_search::route::PageInputs;

use super::names::Names;
use crate::config::Config;
use crate::encoders::Encoders;
use crate::exit::usage;

/// Pages ranked by the vectors of two files.
struct OfVectors {
    pages: Nearest,
    queries: BTreeMap<String, Vec<f32>>,
    depth: usize,
}

/// Vectors of pages and of queries, as typed: `PAGES,QUERIES`.
pub(super) fn system(files: &str, set: &BenchmarkSet, depth: usize) -> anyhow::Result<Arc<dyn System>> {
    let (pages, queries) = files.split_once(',').ok_or_else(|| {
        usage("--system vectors:PAGES,QUERIES: a file of pages' vectors and one of the queries', by the items' ids")
    })?;
    let (pages, queries) = (Vectors::read(Path::new(pages))?, Vectors::read(Path::new(queries))?);
    let (of_pages, of_queries) = (pages.dimensions(), queries.dimensions());
    if of_pages != of_queries {
        return Err(usage(format!("vectors of pages have {of_pages} dimensions, those of queries {of_queries}")));
    }
    let queries = queries.iter().map(|(name, vectors)| (name.to_owned(), vectors.to_vec())).collect();
    let pages = Nearest::new(pages, |name| page_of(set, name));
    Ok(Arc::new(OfVectors { pages, queries, depth }))
}

/// The page of a name: as the benchmark has it, or as recto prints pages (`report.pdf p. 3`), or a document of one page.
fn page_of(set: &BenchmarkSet, name: &str) -> PageId {
    let named = set.page_names.get(name).cloned();
    let printed = || {
        let (doc, number) = name.rsplit_once(" p. ")?;
        Some(PageId::new(DocId::new(doc), number.parse().ok()?))
    };
    named.or_else(printed).unwrap_or_else(|| PageId::new(DocId::new(name), PageNumber::FIRST))
}

impl System for OfVectors {
    fn row(&self, item: &Item) -> Result<Row, Fault> {
        let missing = || Fault::new(FaultClass::Permanent, "the file of queries has no vectors for this item");
        let query = self.queries.get(&item.id).ok_or_else(missing)?;
        let inside = |page: &PageId| item.docs.is_empty() || item.docs.contains(&page.doc);
        let mut ranking = self.pages.rank(query, inside);
        ranking.truncate(self.depth);
        Ok(Row { ranking, ..Row::default() })
    }
}

/// How far pages of evidence are from each other: by the vectors of a file, or by those of `dense`, the index's encoder of
/// texts.
pub(super) fn distances(what: &str, run: &RunConfig, set: &BenchmarkSet, config: &Config) -> anyhow::Result<Distances> {
    if what == "dense" {
        return of_index(run, set, config);
    }
    let vectors = Vectors::read(Path::new(what))?;
    Ok(Distances::new(vectors.dimensions(), vectors.iter().map(|(name, vectors)| (page_of(set, name), vectors))))
}

fn of_index(run: &RunConfig, set: &BenchmarkSet, config: &Config) -> anyhow::Result<Distances> {
    let dir = run.index.clone().map_or_else(|| IndexDir::new(config.index_of(".".as_ref())), IndexDir::new);
    let catalog = Catalog::open(&dir)?;
    let noted = catalog.routes()?.into_iter().find(|route| route.name == Route::Dense.to_string());
    let encoder = Encoders::new(config).of(Route::Dense, noted.as_ref().map_or("potion", |route| &route.encoder))?;
    let items: Vec<&Item> = set.items.iter().collect();
    let names = Names::new(&items, &catalog)?;
    let (mut pages, mut texts) = (Vec::new(), Vec::new());
    for page in items.iter().flat_map(|item| item.gold.relevant()).collect::<std::collections::BTreeSet<_>>() {
        let inside = names.in_index(page).map(|inside| catalog.page(&inside)).transpose()?.flatten();
        if let Some(inside) = inside {
            pages.push(page.clone());
            texts.push(inside.text());
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = encoder.encode_pages(PageInputs::Texts(&texts))?;
    let with_text = pages.into_iter().zip(&vectors).filter(|(_, vectors)| !vectors.is_empty());
    Ok(Distances::new(encoder.space().dim() as usize, with_text.map(|(page, vectors)| (page, vectors.as_slice()))))
}
