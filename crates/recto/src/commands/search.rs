//! `recto search [PATH] "query"`: ranked pages.

use std::collections::BTreeMap;
use std::ops::Range;

use recto_page::{Page, Pages};
use recto_search::{Hit, Part, Query, Ranker, Ranking, Routes, Share, snippet};
use serde::Serialize;

use crate::args::SearchArgs;
use crate::commands::index::index_if_named;
use crate::config::{Config, in_range};
use crate::corpus::Corpus;
use crate::encoders::Encoders;
use crate::exit::{Finish, usage};
use crate::output;
use crate::page_list::PageList;

/// About the length of a snippet.
const SNIPPET_CHARS: usize = 200;

#[derive(Serialize)]
struct Row<'a> {
    document: &'a str,
    page: u32,
    label: Option<String>,
    score: f64,
    /// The terms by which its words were found.
    parts: &'a [Part],
    /// What each route gave it, where vectors were asked.
    shares: &'a [Share],
    /// The bytes of the page's text that were nearest to the query, where vectors of texts were asked.
    window: Option<Range<usize>>,
    snippet: String,
    /// The bytes of the snippet that match the query.
    matches: Vec<Range<usize>>,
}

pub(crate) fn run(args: &SearchArgs, config: &Config) -> anyhow::Result<Finish> {
    let k = in_range(&args.k, 1, 100_000).map_err(|e| usage(format!("-k {:?}: expected {e}", args.k)))? as usize;
    let pages = args.page_range.as_deref().map(|text| PageList::parse("--page-range", text)).transpose()?;
    let (dir, text) = index_if_named(&args.words, config)?;
    let corpus = Corpus::open(&dir)?;
    let scope = corpus.scope(&args.doc)?;
    let query = Query::parse(text);
    let asked = if pages.is_some() { usize::MAX } else { k };
    let ranker: Ranker = args.route.parse().map_err(|error| usage(format!("--route {error}, several, or hybrid")))?;
    let encoders = Encoders::new(config);
    let routes = corpus.routes(&ranker, &encoders)?;
    let Ranking(mut hits) = routes.rank(&ranker, &query, &scope, asked)?;
    hits.retain(|hit| pages.as_ref().is_none_or(|list| list.contains(hit.page.page)));
    hits.truncate(k);
    let rows: Vec<Row<'_>> = hits.iter().map(|hit| row(hit, &query, &corpus, &routes)).collect::<Result<_, _>>()?;
    if config.json {
        output::json(&rows)?;
    } else {
        rows.iter().enumerate().try_for_each(|(index, row)| tell(index + 1, row, args.explain))?;
    }
    if rows.is_empty() && !config.quiet {
        output::note(format_args!("no page matches"));
    }
    Ok(Finish::Done)
}

fn row<'a>(hit: &'a Hit, query: &Query, corpus: &Corpus, routes: &Routes<'_>) -> anyhow::Result<Row<'a>> {
    let page = corpus.catalog.page(&hit.page)?;
    let text = page.as_ref().map(Page::text).unwrap_or_default();
    let window = routes.window(hit, &text);
    // What was found by its words is shown by them; else the window that is nearest to the query.
    let place = window.clone().filter(|_| hit.parts.is_empty()).unwrap_or(0..text.len());
    let weights: BTreeMap<&str, f64> = if hit.parts.is_empty() {
        query.terms.keys().map(|term| (term.as_str(), 1.0)).collect()
    } else {
        hit.parts.iter().map(|part| (part.term.as_str(), part.score)).collect()
    };
    let snippet = snippet(text.get(place).unwrap_or_default(), &weights, SNIPPET_CHARS);
    Ok(Row {
        document: hit.page.doc.as_str(),
        page: hit.page.page.get(),
        snippet: snippet.text,
        matches: snippet.matches,
        label: page.and_then(|page| page.label),
        score: hit.score,
        parts: &hit.parts,
        shares: &hit.shares,
        window,
    })
}

fn tell(rank: usize, row: &Row<'_>, explain: bool) -> anyhow::Result<()> {
    let label = output::printed(row.label.as_deref(), row.page);
    let document = output::printable(row.document);
    // Sums of words are large, products and what fusion gives are small.
    let digits = if row.shares.is_empty() { 2 } else { 4 };
    output::line(format_args!("{rank:>2}. {document}, page {}{label}  {:.digits$}", row.page, row.score))?;
    if !row.snippet.is_empty() {
        let words: Vec<&str> = row.snippet.split_whitespace().collect();
        output::line(format_args!("    {}", output::printable(&words.join(" "))))?;
    }
    if explain {
        let shares = row.shares.iter().map(|s| format!("{} {:.4} ({:.2}, place {})", s.name, s.score, s.value, s.rank));
        let parts = row.parts.iter().map(|part| format!("{} {:.2}", part.term, part.score));
        for sum in [shares.collect::<Vec<_>>(), parts.collect()].into_iter().filter(|sum| !sum.is_empty()) {
            output::line(format_args!("    = {}", output::printable(&sum.join(" + "))))?;
        }
    }
    Ok(())
}
