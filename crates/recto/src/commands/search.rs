//! `recto search [PATH] "query"`: ranked pages.

use std::ops::Range;

use recto_page::{Page, Pages};
use recto_search::{Hit, Part, Query, Ranking, snippet};
use serde::Serialize;

use crate::args::SearchArgs;
use crate::commands::index::index_if_named;
use crate::config::{Config, in_range};
use crate::corpus::Corpus;
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
    /// The terms that the score comes from.
    parts: &'a [Part],
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
    let Ranking(mut hits) = corpus.searcher.run(&query, &scope, asked)?;
    hits.retain(|hit| pages.as_ref().is_none_or(|list| list.contains(hit.page.page)));
    hits.truncate(k);
    let rows: Vec<Row<'_>> = hits.iter().map(|hit| row(hit, &corpus)).collect::<Result<_, _>>()?;
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

fn row<'a>(hit: &'a Hit, corpus: &Corpus) -> anyhow::Result<Row<'a>> {
    let page = corpus.catalog.page(&hit.page)?;
    let weights = hit.parts.iter().map(|part| (part.term.as_str(), part.score)).collect();
    let snippet = snippet(&page.as_ref().map(Page::text).unwrap_or_default(), &weights, SNIPPET_CHARS);
    Ok(Row {
        document: hit.page.doc.as_str(),
        page: hit.page.page.get(),
        snippet: snippet.text,
        matches: snippet.matches,
        label: page.and_then(|page| page.label),
        score: hit.score,
        parts: &hit.parts,
    })
}

fn tell(rank: usize, row: &Row<'_>, explain: bool) -> anyhow::Result<()> {
    let label = output::printed(row.label.as_deref(), row.page);
    let document = output::printable(row.document);
    output::line(format_args!("{rank:>2}. {document}, page {}{label}  {:.2}", row.page, row.score))?;
    if !row.snippet.is_empty() {
        let words: Vec<&str> = row.snippet.split_whitespace().collect();
        output::line(format_args!("    {}", output::printable(&words.join(" "))))?;
    }
    if explain {
        let parts: Vec<String> = row.parts.iter().map(|part| format!("{} {:.2}", part.term, part.score)).collect();
        output::line(format_args!("    = {}", output::printable(&parts.join(" + "))))?;
    }
    Ok(())
}
