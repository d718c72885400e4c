//! `recto search [PATH] "query"`: ranked pages.

use std::ops::Range;

use recto_page::Page;
use recto_search::{Correction, Hit, Kinds, Part, Query, Ranker, Routes, Scope, Share, snippet_of};
use serde::Serialize;

use crate::args::SearchArgs;
use crate::commands::index::index_if_named;
use crate::config::{Config, in_range};
use crate::corpus::Corpus;
use crate::encoders::Encoders;
use crate::exit::{Finish, usage};
use crate::joined::{Joined, Searched};
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
    /// Only pages that have or are all of this.
    pub(crate) kinds: Kinds,
    /// How many of the best pages to pass over.
    pub(crate) offset: usize,
    /// How many pages are wanted after those.
    pub(crate) k: usize,
}

/// A page that was found.
#[derive(Serialize)]
pub(crate) struct Row {
    /// Which index holds it, where several are searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<String>,
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
    /// Words of the query that no page has, and what was searched for instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) corrections: Vec<Correction>,
}

pub(crate) fn run(args: &SearchArgs, config: &Config) -> anyhow::Result<Finish> {
    let k = in_range(&args.k, 1, 100_000).map_err(|e| usage(format!("-k {:?}: expected {e}", args.k)))? as usize;
    let pages = args.page_range.as_deref().map(|text| PageList::parse("--page-range", text)).transpose()?;
    let kind = |name: &String| name.parse().map_err(|error| usage(format!("--kind {error}")));
    let kinds = args.kind.iter().map(kind).collect::<anyhow::Result<Vec<Kinds>>>()?;
    let kinds = kinds.into_iter().fold(Kinds::default(), Kinds::and);
    let (dir, query) = index_if_named("search", &args.words, config)?;
    let ranker: Ranker = args.route.parse().map_err(|error| usage(format!("--route {error}, several, or hybrid")))?;
    let encoders = Encoders::new(config);
    let asked = |scope, index: &dyn Searched| {
        let (ranker, pages) = (&ranker, pages.as_ref());
        find(&Asked { query, ranker, scope, pages, kinds, offset: 0, k }, index, &encoders)
    };
    let rows = if config.more_indexes.is_empty() {
        let corpus = Corpus::open(&dir)?;
        asked(&corpus.scope(&args.doc)?, &corpus)?
    } else {
        let others = config.more_indexes.iter().map(recto_page::IndexDir::new);
        let joined = Joined::open(&std::iter::once(dir).chain(others).collect::<Vec<_>>())?;
        asked(&joined.scope(&args.doc)?, &joined)?
    };
    tell_all(&rows, args, query, config)?;
    Ok(Finish::Done)
}

fn tell_all(rows: &[Row], args: &SearchArgs, query: &str, config: &Config) -> anyhow::Result<()> {
    if let Some(row) = rows.first().filter(|row| !row.corrections.is_empty() && !config.quiet) {
        output::note(format_args!("{}", corrected(&row.corrections, query)));
    }
    if config.json {
        output::json(&rows)?;
    } else {
        rows.iter().enumerate().try_for_each(|(index, row)| tell(index + 1, row, args.explain))?;
    }
    if rows.is_empty() && !config.quiet {
        output::note(format_args!("no page matches"));
    }
    Ok(())
}

/// That other words were searched for, and how to search for those that were typed.
fn corrected(corrections: &[Correction], query: &str) -> String {
    let mut quoted = query.to_owned();
    for Correction { typed, .. } in corrections {
        quoted = quoted.replacen(typed.as_str(), &format!("\"{typed}\""), 1);
    }
    let instead: Vec<&str> = corrections.iter().map(|correction| correction.instead.as_str()).collect();
    let instead = output::printable(&instead.join(", "));
    format!("showing pages for {instead}; search {} instead?", output::printable(&quoted))
}

/// The pages that a search finds, best first.
pub(crate) fn find(asked: &Asked<'_>, index: &dyn Searched, encoders: &Encoders) -> anyhow::Result<Vec<Row>> {
    let corrected = index.searcher().corrected(asked.query)?;
    let mut query = Query::parse(corrected.as_ref().map_or(asked.query, |corrected| &corrected.text));
    let corrections = corrected.map(|corrected| corrected.corrections).unwrap_or_default();
    let scope = index.narrowed(asked.scope)?;
    query.pages = index.labelled(&query, &scope)?;
    let routes = index.routes(asked.ranker, encoders)?;
    query.kinds = asked.kinds;
    let wanted = asked.offset.saturating_add(asked.k).max(encoders.reranked());
    let depth = if asked.pages.is_some() { usize::MAX } else { wanted };
    let mut ranking = routes.rank(asked.ranker, &query, &scope, depth)?;
    ranking.0.retain(|hit| asked.pages.is_none_or(|list| list.contains(hit.page.page)));
    let ranking = encoders.rerank(ranking, &query, index);
    let hits = ranking.0.into_iter().skip(asked.offset).take(asked.k);
    hits.map(|hit| row(hit, &query, &corrections, index, &routes)).collect()
}

fn row(
    hit: Hit,
    query: &Query,
    corrections: &[Correction],
    index: &dyn Searched,
    routes: &Routes<'_>,
) -> anyhow::Result<Row> {
    let page = index.page(&hit.page)?;
    let text = page.as_ref().map(Page::text).unwrap_or_default();
    let window = routes.window(&hit, &text);
    let snippet = snippet_of(&hit, query, window.clone(), &text, SNIPPET_CHARS);
    Ok(Row {
        index: index.index_of(&hit.page.doc).map(str::to_owned),
        corrections: corrections.to_vec(),
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
    let document = output::name(&row.document);
    // Sums of words are large, products and what fusion gives are small.
    let digits = if row.score.abs() < 1.0 { 4 } else { 2 };
    output::line(format_args!("{rank:>2}. {document}, page {}{label}  {:.digits$}", row.page, row.score))?;
    if !row.snippet.is_empty() {
        output::line(format_args!("    {}", output::stretch(&row.snippet, &row.matches)))?;
    }
    if explain {
        let share = |share: &Share| match share.rank {
            0 => format!("{} {:.digits$}", share.name, share.score),
            rank => format!("{} {:.digits$} ({:.2}, place {rank})", share.name, share.score, share.value),
        };
        let shares = row.shares.iter().map(share);
        let parts = row.parts.iter().map(told);
        for sum in [shares.collect::<Vec<_>>(), parts.collect()].into_iter().filter(|sum| !sum.is_empty()) {
            output::line(format_args!("    = {}", output::printable(&sum.join(" + "))))?;
        }
    }
    Ok(())
}

/// A term's share, and what it comes from.
fn told(part: &Part) -> String {
    format!(
        "{} {:.2} ({} here, on {})",
        part.term,
        part.score,
        output::count(part.count.into(), "time"),
        output::count(part.pages, "page")
    )
}
