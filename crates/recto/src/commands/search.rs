//! `recto search [PATH] "query"`: ranked pages.

use std::collections::BTreeMap;
use std::ops::Range;

use recto_page::{Page, Pages};
use recto_search::{Hit, Part, Query, Ranker, Ranking, Routes, Scope, Share, snippet};
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

/// What is searched for, and where.
pub(crate) struct Asked<'a> {
    pub(crate) query: &'a str,
    pub(crate) ranker: &'a Ranker,
    pub(crate) scope: &'a Scope,
    /// Only these pages of each document.
    pub(crate) pages: Option<&'a PageList>,
    /// How many of the best pages to pass over.
    pub(crate) offset: usize,
    /// How many pages are wanted after those.
    pub(crate) k: usize,
}

/// A page that was found.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) document: String,
    pub(crate) page: u32,
    pub(crate) label: Option<String>,
    pub(crate) score: f64,
    /// The terms by which its words were found.
    pub(crate) parts: Vec<Part>,
    /// What each route gave it, where vectors were asked.
    pub(crate) shares: Vec<Share>,
    /// The bytes of the page's text that were nearest to the query, where vectors of texts were asked.
    window: Option<Range<usize>>,
    pub(crate) snippet: String,
    /// The bytes of the snippet that match the query.
    pub(crate) matches: Vec<Range<usize>>,
}

pub(crate) fn run(args: &SearchArgs, config: &Config) -> anyhow::Result<Finish> {
    let k = in_range(&args.k, 1, 100_000).map_err(|e| usage(format!("-k {:?}: expected {e}", args.k)))? as usize;
    let pages = args.page_range.as_deref().map(|text| PageList::parse("--page-range", text)).transpose()?;
    let (dir, text) = index_if_named(&args.words, config)?;
    let corpus = Corpus::open(&dir)?;
    let scope = corpus.scope(&args.doc)?;
    let ranker: Ranker = args.route.parse().map_err(|error| usage(format!("--route {error}, several, or hybrid")))?;
    let asked = Asked { query: text, ranker: &ranker, scope: &scope, pages: pages.as_ref(), offset: 0, k };
    let rows = find(&asked, &corpus, &Encoders::new(config))?;
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

/// The pages that a search finds, best first.
pub(crate) fn find(asked: &Asked<'_>, corpus: &Corpus, encoders: &Encoders) -> anyhow::Result<Vec<Row>> {
    let query = Query::parse(asked.query);
    let routes = corpus.routes(asked.ranker, encoders)?;
    let depth = if asked.pages.is_some() { usize::MAX } else { asked.offset.saturating_add(asked.k) };
    let Ranking(mut hits) = routes.rank(asked.ranker, &query, asked.scope, depth)?;
    hits.retain(|hit| asked.pages.is_none_or(|list| list.contains(hit.page.page)));
    let wanted = hits.into_iter().skip(asked.offset).take(asked.k);
    wanted.map(|hit| row(hit, &query, corpus, &routes)).collect()
}

fn row(hit: Hit, query: &Query, corpus: &Corpus, routes: &Routes<'_>) -> anyhow::Result<Row> {
    let page = corpus.catalog.page(&hit.page)?;
    let text = page.as_ref().map(Page::text).unwrap_or_default();
    let window = routes.window(&hit, &text);
    // What was found by its words is shown by them; else the window that is nearest to the query.
    let place = window.clone().filter(|_| hit.parts.is_empty()).unwrap_or(0..text.len());
    let weights: BTreeMap<&str, f64> = if hit.parts.is_empty() {
        query.terms.keys().map(|term| (term.as_str(), 1.0)).collect()
    } else {
        hit.parts.iter().map(|part| (part.term.as_str(), part.score)).collect()
    };
    let snippet = snippet(text.get(place).unwrap_or_default(), &weights, SNIPPET_CHARS);
    Ok(Row {
        document: hit.page.doc.as_str().into(),
        page: hit.page.page.get(),
        snippet: snippet.text,
        matches: snippet.matches,
        label: page.and_then(|page| page.label),
        score: hit.score,
        parts: hit.parts,
        shares: hit.shares,
        window,
    })
}

fn tell(rank: usize, row: &Row, explain: bool) -> anyhow::Result<()> {
    let label = output::printed(row.label.as_deref(), row.page);
    let document = output::printable(&row.document);
    // Sums of words are large, products and what fusion gives are small.
    let digits = if row.score.abs() < 1.0 { 4 } else { 2 };
    output::line(format_args!("{rank:>2}. {document}, page {}{label}  {:.digits$}", row.page, row.score))?;
    if !row.snippet.is_empty() {
        let words: Vec<&str> = row.snippet.split_whitespace().collect();
        output::line(format_args!("    {}", output::printable(&words.join(" "))))?;
    }
    if explain {
        let share = |share: &Share| match share.rank {
            0 => format!("{} {:.digits$}", share.name, share.score),
            rank => format!("{} {:.digits$} ({:.2}, place {rank})", share.name, share.score, share.value),
        };
        let shares = row.shares.iter().map(share);
        let parts = row.parts.iter().map(|part| format!("{} {:.2}", part.term, part.score));
        for sum in [shares.collect::<Vec<_>>(), parts.collect()].into_iter().filter(|sum| !sum.is_empty()) {
            output::line(format_args!("    = {}", output::printable(&sum.join(" + "))))?;
        }
    }
    Ok(())
}
