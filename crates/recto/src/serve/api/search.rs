//! Search: the pages that match a query best.

use std::ops::Range;

use axum::Json;
use axum::http::StatusCode;
use recto_search::{Correction, Kinds, Ranker, Scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::commands::search::{Asked as Search, Row, find};
use crate::page_list::PageList;
use crate::percent::encoded;
use crate::serve::endpoint::Endpoint;
use crate::serve::extract::{Asked, Body, within};
use crate::serve::fault::Fault;
use crate::serve::visit::Visit;

const TAG: &str = "search";

/// What to search for, as an address says it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchQuery {
    /// Words; "phrases"; -without; prefix*
    #[schemars(length(min = 1))]
    query: String,
    /// What ranks: hybrid (all that the collection has), bm25 (words), dense, late or page (vectors), or several as bm25+dense
    #[serde(default = "hybrid")]
    route: String,
    /// Number of pages
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 1000))]
    k: u32,
    /// How many of the best pages to pass over: `next_offset` of the reply before
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    offset: u32,
    /// Only documents of this name or pattern, such as `reports/*.pdf`
    #[serde(default)]
    doc: String,
    /// Only these pages of each document, such as 1-5,10
    #[serde(default)]
    #[schemars(regex(
        pattern = "^(|[1-9][0-9]{0,8}(-([1-9][0-9]{0,8})?)?(,[1-9][0-9]{0,8}(-([1-9][0-9]{0,8})?)?)*)$"
    ))]
    pages: String,
    /// Only pages that have a table, a figure, or are scans: table, figure, scan; with commas, all of them
    #[serde(default)]
    #[schemars(regex(pattern = "^(|(table|figure|scan)(,(table|figure|scan))*)$"))]
    kind: String,
}

/// What to search for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchBody {
    /// Words; "phrases"; -without; prefix*
    #[schemars(length(min = 1))]
    pub(crate) query: String,
    /// What ranks: hybrid (all that the collection has), bm25 (words), dense, late or page (vectors), or several as bm25+dense
    #[serde(default = "hybrid")]
    pub(crate) route: String,
    /// Number of pages
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 1000))]
    pub(crate) k: u32,
    /// How many of the best pages to pass over: `next_offset` of the reply before
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub(crate) offset: u32,
    /// Only documents of these names or patterns; all if there are none
    #[serde(default)]
    pub(crate) documents: Vec<String>,
    /// Only these pages of each document, such as 1-5,10
    #[serde(default)]
    #[schemars(regex(
        pattern = "^(|[1-9][0-9]{0,8}(-([1-9][0-9]{0,8})?)?(,[1-9][0-9]{0,8}(-([1-9][0-9]{0,8})?)?)*)$"
    ))]
    pub(crate) pages: String,
    /// Only pages that have a table, a figure, or are scans: table, figure, scan; with commas, all of them
    #[serde(default)]
    #[schemars(regex(pattern = "^(|(table|figure|scan)(,(table|figure|scan))*)$"))]
    pub(crate) kind: String,
}

fn hybrid() -> String {
    "hybrid".into()
}

const fn ten() -> u32 {
    10
}

/// The pages that were found, best first.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Found {
    pub(crate) hits: Vec<HitBody>,
    /// Where the ranking goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u32>,
    /// Words of the query that no page has, and what was searched for instead; in quotes, they are searched for as they are
    corrections: Vec<CorrectionBody>,
    /// What to do where nothing was found
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

/// A word that was searched for in the place of another.
#[derive(Serialize, JsonSchema)]
struct CorrectionBody {
    typed: String,
    instead: String,
}

/// A page that was found.
#[derive(Serialize, JsonSchema)]
pub(crate) struct HitBody {
    /// Its place in the ranking, from 1
    rank: u32,
    document: String,
    page: u32,
    /// What is printed on the page, as the file declares it
    label: Option<String>,
    /// Comparable within one ranking only
    score: f64,
    /// The words by which it was found, with what each adds
    parts: Vec<PartBody>,
    /// What each route gave it, where vectors were asked
    shares: Vec<ShareBody>,
    /// A place that shows why it was found: words of the document
    snippet: String,
    /// The characters of the snippet that match the query, as [first, behind the last]
    matches: Vec<[usize; 2]>,
    /// Where the page is found here
    url: String,
    /// Where its picture is found here
    image: String,
}

/// A word and what it adds to the score.
#[derive(Serialize, JsonSchema)]
struct PartBody {
    term: String,
    score: f64,
}

/// What a route adds to the score.
#[derive(Serialize, JsonSchema)]
struct ShareBody {
    route: &'static str,
    /// The page's place in that route's ranking, from 1; 0 where it has none
    rank: u32,
    /// That route's own score
    value: f64,
    /// What it adds
    score: f64,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    let path = "/v1/collections/{collection}/search";
    vec![
        Endpoint::get(path, (TAG, "search"), "The pages that match a query best", by_query)
            .query::<SearchQuery>()
            .gives::<Found>(StatusCode::OK, "Pages, best first"),
        Endpoint::post(path, (TAG, "search_in"), "The same, with several documents to look in", by_body)
            .takes::<SearchBody>()
            .gives::<Found>(StatusCode::OK, "Pages, best first"),
    ]
}

async fn by_query(visit: Visit, Asked(asked): Asked<SearchQuery>) -> Result<Json<Found>, Fault> {
    let SearchQuery { query, route, k, offset, doc, pages, kind } = asked;
    let documents = if doc.is_empty() { Vec::new() } else { vec![doc] };
    search(visit, SearchBody { query, route, k, offset, documents, pages, kind }).await
}

async fn by_body(visit: Visit, Body(asked): Body<SearchBody>) -> Result<Json<Found>, Fault> {
    search(visit, asked).await
}

/// Searches a collection.
///
/// # Errors
/// 422 for values of no use; when the index can't be read.
pub(crate) async fn search(visit: Visit, asked: SearchBody) -> Result<Json<Found>, Fault> {
    let (k, offset) = (within("k", asked.k, 1, 1000)?, within("offset", asked.offset, 0, 1_000_000)?);
    let ranker: Ranker =
        asked.route.parse().map_err(|error| Fault::invalid(format!("route {error}, several, or hybrid")))?;
    let list = (!asked.pages.is_empty()).then(|| PageList::parse("pages", &asked.pages)).transpose()?;
    let kinds: Kinds = asked.kind.parse().map_err(|error| Fault::invalid(format!("kind: {error}")))?;
    let base = visit.base();
    let found = visit.look(move |shelf| {
        // Names that nothing has find nothing, whatever else they could mean.
        let scope = shelf.corpus.scope(&asked.documents).unwrap_or_else(|_| Scope::Documents(Default::default()));
        let (from, most) = (offset as usize, k as usize);
        // One more tells whether there are more.
        let search = Search {
            query: &asked.query,
            ranker: &ranker,
            scope: &scope,
            pages: list.as_ref(),
            kinds,
            offset: from,
            k: most + 1,
        };
        let rows = find(&search, shelf.corpus, shelf.encoders)?;
        let is_more = rows.len() > most;
        let corrections = rows.first().map(|row| row.corrections.clone()).unwrap_or_default();
        let corrections =
            corrections.into_iter().map(|Correction { typed, instead }| CorrectionBody { typed, instead });
        let corrections = corrections.collect();
        let hits: Vec<HitBody> = (offset + 1..).zip(rows).take(most).map(|(rank, row)| hit(rank, row, &base)).collect();
        let note = (hits.is_empty() && offset == 0).then_some("no page matches; try fewer or other words");
        Ok(Found { next_offset: is_more.then_some(offset + k), hits, corrections, note })
    });
    Ok(Json(found.await?))
}

fn hit(rank: u32, row: Row, base: &str) -> HitBody {
    let url = format!("{base}/documents/{}/pages/{}", encoded(&row.document), row.page);
    let share = |share: recto_search::Share| {
        let recto_search::Share { name, rank, value, score, .. } = share;
        ShareBody { route: name, rank, value, score }
    };
    HitBody {
        rank,
        matches: row.matches.iter().map(|range| in_characters(&row.snippet, range)).collect(),
        parts: row.parts.into_iter().map(|part| PartBody { term: part.term, score: part.score }).collect(),
        shares: row.shares.into_iter().map(share).collect(),
        document: row.document,
        page: row.page,
        label: row.label,
        score: row.score,
        snippet: row.snippet,
        image: format!("{url}/image"),
        url,
    }
}

/// A range of bytes as one of characters.
fn in_characters(text: &str, range: &Range<usize>) -> [usize; 2] {
    [range.start, range.end].map(|end| text.char_indices().take_while(|(at, _)| *at < end).count())
}
