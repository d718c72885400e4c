//! `recto status`: what an index holds.

use std::collections::BTreeMap;

use recto_page::catalog::{Size, StoredRoute};
use recto_page::{Catalog, DocId, Document, DocumentState, IndexDir};
use serde::Serialize;

use crate::config::Config;
use crate::exit::Finish;
use crate::output;

/// What an index holds.
#[derive(Serialize)]
pub(crate) struct Status {
    index: String,
    pub(crate) commit: u64,
    /// Without copies and what could not be read, which `documents` names too.
    pub(crate) size: Size,
    pub(crate) documents: Vec<Listed>,
    /// Routes of vectors.
    pub(crate) routes: Vec<Held>,
    pub(crate) pages_by_text_source: BTreeMap<String, u64>,
}

/// A route of vectors.
#[derive(Serialize)]
pub(crate) struct Held {
    pub(crate) route: String,
    pub(crate) encoder: String,
    /// Whether every page has its vectors.
    pub(crate) complete: bool,
}

/// A document, and how many problems it and its pages have.
#[derive(Serialize)]
pub(crate) struct Listed {
    #[serde(flatten)]
    pub(crate) document: Document,
    pub(crate) n_problems: usize,
}

pub(crate) fn run(config: &Config) -> anyhow::Result<Finish> {
    let dir = IndexDir::new(config.index_of(".".as_ref()));
    let status = read(&Catalog::open(&dir)?, &dir)?;
    if config.json {
        output::json(&status)?;
        return Ok(Finish::Done);
    }
    output::line(format_args!("{} (commit {}): {}", status.index, status.commit, in_words(status.size)))?;
    for Listed { document, n_problems } in &status.documents {
        let problems =
            if *n_problems > 0 { format!(", {}", output::count(*n_problems as u64, "problem")) } else { String::new() };
        let name = output::name(document.id.as_str());
        output::line(format_args!("  {name}: {}{problems}", describe(document)))?;
    }
    let sources: Vec<_> = status.pages_by_text_source.iter().map(|(source, n)| format!("{n} {source}")).collect();
    output::line(format_args!("pages by where their text came from: {}", sources.join(", ")))?;
    for Held { route, encoder, complete } in &status.routes {
        let state = if *complete { "" } else { ", not complete: `recto index` goes on with it" };
        output::line(format_args!("vectors: {route}, by {}{state}", output::printable(encoder)))?;
    }
    Ok(Finish::Done)
}

/// Such as `2 documents, 31 pages`.
pub(crate) fn in_words(Size { documents, pages }: Size) -> String {
    format!("{}, {}", output::count(documents, "document"), output::count(pages, "page"))
}

pub(crate) fn read(catalog: &Catalog, dir: &IndexDir) -> anyhow::Result<Status> {
    let mut problems: BTreeMap<DocId, usize> = BTreeMap::new();
    for (doc, _) in catalog.problems(None)? {
        *problems.entry(doc).or_default() += 1;
    }
    let listed =
        |document: Document| Listed { n_problems: problems.get(&document.id).copied().unwrap_or_default(), document };
    let held = |stored: StoredRoute| Held { route: stored.name, encoder: stored.encoder, complete: stored.complete };
    Ok(Status {
        index: dir.root().display().to_string(),
        commit: catalog.generation()?,
        size: catalog.size()?,
        documents: catalog.documents()?.into_iter().map(listed).collect(),
        routes: catalog.routes()?.into_iter().map(held).collect(),
        pages_by_text_source: catalog.pages_by_text_source()?,
    })
}

fn describe(document: &Document) -> String {
    match &document.state {
        DocumentState::Indexed => output::count(document.n_pages.into(), "page"),
        DocumentState::Failed => "could not be read".into(),
        DocumentState::DuplicateOf(first) => format!("the same as {first}"),
    }
}
