//! The word index as its users see it: written, committed, opened, searched.
#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod best;
mod boolean;
mod durability;
mod joined;
mod named;
mod oracle;
mod search;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use recto_page::{DocId, PageNumber};
use recto_search::{Kinds, LexicalReader, LexicalWriter, Query, Ranking, Scope, Searcher};

pub(crate) fn page(number: u32) -> PageNumber {
    PageNumber::new(number).unwrap()
}

pub(crate) fn add(writer: &mut LexicalWriter, version: u64, pages: &[&str]) {
    for (i, text) in pages.iter().enumerate() {
        writer.add_page(version, PageNumber::from_index(i), text, "", Kinds::default()).unwrap();
    }
}

pub(crate) fn live(names: &[(u64, &str)]) -> BTreeMap<u64, DocId> {
    names.iter().map(|(version, name)| (*version, DocId::new(name))).collect()
}

pub(crate) fn searcher(dir: &Path, names: &[(u64, &str)]) -> Searcher {
    LexicalReader::open(dir).unwrap().searcher(&live(names)).unwrap()
}

pub(crate) fn run(searcher: &Searcher, query: &str) -> Ranking {
    searcher.run(&Query::parse(query), &Scope::All, 10).unwrap()
}

/// The pages of a ranking as `name:page`.
pub(crate) fn pages(ranking: &Ranking) -> Vec<String> {
    ranking.0.iter().map(|hit| format!("{}:{}", hit.page.doc, hit.page.page)).collect()
}

pub(crate) fn scope(names: &[&str]) -> Scope {
    Scope::Documents(names.iter().map(DocId::new).collect::<BTreeSet<_>>())
}
