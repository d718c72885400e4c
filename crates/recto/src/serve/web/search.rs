//! *Search*: pages that match, each with what speaks for it.

use std::ops::Range;

use axum::extract::Query;
use axum::response::Response;
use maud::{Markup, html};
use recto_page::{DocId, PageId, PageNumber, PageSize, Pages, Region};
use recto_search::{Correction, Kinds, Ranker, Route};
use serde::Deserialize;

use super::find::terms;
use super::guest::Guest;
use super::job;
use super::layout::{Oops, empty, keys_dialog, name_of, printed};
use super::link::{Links, THUMB_DPI, query};
use super::sheet::{Marks, drawn_marks};
use crate::commands::search::{Asked, Row, find};
use crate::exit::usage;
use crate::library::Shelf;
use crate::page_list::PageList;
use crate::serve::fault::Fault;

/// Hits on a page of results.
const HITS: usize = 20;
/// The last hit that is shown.
const LAST: usize = 1000;

/// Kinds of pages, for people.
const KINDS: &[(&str, &str)] =
    &[("", "anything"), ("table", "a table"), ("figure", "a figure"), ("scan", "a scanned page")];

#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Wanted {
    q: String,
    route: String,
    doc: String,
    pages: String,
    kind: String,
    from: usize,
}

/// What the page shows.
struct Found {
    documents: Vec<String>,
    routes: Vec<String>,
    hits: Result<Vec<Hit>, String>,
}

/// A page that matches.
struct Hit {
    row: Row,
    id: PageId,
    size: PageSize,
    /// Where words of the query stand on it.
    marks: Vec<Region>,
}

/// `/c/{collection}/search`
pub(super) async fn page(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let asked = wanted.clone();
    let found = guest.visit.look(move |shelf| look(&asked, shelf)).await;
    let found = match found {
        Err(fault) if fault.code() == "not_ready" => return Ok(nothing_yet(&guest)),
        found => found?,
    };
    let content = html! {
        div.column {
            h1.unseen { "Search" }
            (form(&wanted, &found))
            (results(guest.links(), &wanted, &found))
        }
        (keys_dialog(&[("/", "search"), ("j k", "next result, result before"), ("Enter", "open it")], ""))
    };
    let title = if wanted.q.is_empty() { "Search" } else { &wanted.q };
    Ok(guest.page("search", title, &["keys.js"], &content))
}

/// What is shown where the collection holds nothing yet.
pub(super) fn nothing_yet(guest: &Guest) -> Response {
    let (title, why, next) = if job::is_busy(guest) {
        (
            "The documents are being read",
            "They can be searched and asked as soon as the first are ready.",
            "See how far it is",
        )
    } else if guest.writes() {
        ("No documents yet", "This collection holds nothing that could be searched.", "Add documents")
    } else {
        ("No documents yet", "This collection holds nothing that could be searched.", "Library")
    };
    let content =
        empty(title, &html! { p.dim { (why) } p { a.button.main href=(guest.links().to("library")) { (next) } } });
    guest.page("", title, &[], &content)
}

fn look(wanted: &Wanted, shelf: &Shelf<'_>) -> anyhow::Result<Found> {
    let catalog = &shelf.corpus.catalog;
    let documents = catalog.documents()?.into_iter().map(|document| document.id.as_str().to_owned()).collect();
    let complete = catalog.routes()?.into_iter().filter(|route| route.complete).map(|route| route.name);
    let routes = std::iter::once("bm25".to_owned()).chain(complete).collect();
    let hits = if wanted.q.trim().is_empty() { Ok(Vec::new()) } else { hits(wanted, shelf).map_err(told) };
    Ok(Found { documents, routes, hits })
}

/// What was asked for wrongly is told beside the form.
fn told(error: anyhow::Error) -> String {
    Fault::from(error).message().to_owned()
}

fn hits(wanted: &Wanted, shelf: &Shelf<'_>) -> anyhow::Result<Vec<Hit>> {
    let route = if wanted.route.is_empty() { "hybrid" } else { &wanted.route };
    let ranker: Ranker = route.parse().map_err(|error| usage(format!("route {error}, several, or hybrid")))?;
    let scope = shelf.scope(wanted.doc.trim())?;
    let pages = Some(wanted.pages.trim()).filter(|text| !text.is_empty());
    let pages = pages.map(|text| PageList::parse("pages", text)).transpose()?;
    let kinds: Kinds = wanted.kind.parse().map_err(|error| usage(format!("kind {error}")))?;
    let offset = wanted.from.min(LAST);
    let asked =
        Asked { query: &wanted.q, ranker: &ranker, scope: &scope, pages: pages.as_ref(), kinds, offset, k: HITS + 1 };
    let rows = find(&asked, shelf.corpus, shelf.encoders)?;
    let hit = |row: Row| {
        let id = PageId::new(DocId::new(&row.document), PageNumber::new(row.page)?);
        let page = shelf.corpus.catalog.page(&id).ok().flatten()?;
        let marks = terms(&page, &meant(&wanted.q, &row.corrections));
        Some(Hit { row, id, size: page.size, marks })
    };
    Ok(rows.into_iter().filter_map(hit).collect())
}

/// The query with what was searched for instead of words that no page has.
fn meant(query: &str, corrections: &[Correction]) -> String {
    corrections.iter().fold(query.to_owned(), |query, one| query.replacen(one.typed.as_str(), &one.instead, 1))
}

fn form(wanted: &Wanted, found: &Found) -> Markup {
    html! {
        form method="get" role="search" {
            div.asking {
                input type="search" name="q" value=(wanted.q) dir="auto" data-key="/" placeholder="Words, or \"a phrase\"" aria-label="Search for" autofocus[wanted.q.is_empty()];
                button.main { "Search" }
            }
            div.fields {
                label { "By"
                    select name="route" {
                        option value="" { "everything the index has" }
                        @for route in &found.routes {
                            option value=(route) selected[*route == wanted.route] { (name(route)) }
                        }
                    }
                }
                label { "In document" input name="doc" list="documents" value=(wanted.doc) placeholder="all, or a pattern such as *.pdf" size="28"; }
                label { "With"
                    select name="kind" {
                        @for (kind, told) in KINDS { option value=(kind) selected[*kind == wanted.kind] { (told) } }
                    }
                }
                label { "Pages" input name="pages" value=(wanted.pages) placeholder="all, or 1-5,9" size="12"; }
            }
            datalist #documents { @for document in found.documents.iter().take(2000) { option value=(document) {} } }
        }
    }
}

/// What a route is, for people.
fn name(route: &str) -> &str {
    match route.parse() {
        Ok(Route::Bm25) => "words (BM25)",
        Ok(Route::Dense) => "meaning (dense vectors)",
        Ok(Route::Late) => "meaning, word by word (late interaction)",
        Ok(Route::Page) => "pictures of pages",
        Err(_) => route,
    }
}

/// What speaks for a page, for people.
fn share_name(name: &str) -> &str {
    match name {
        "window" => "words close together",
        "exact" => "the very words",
        name => self::name(name),
    }
}

fn results(links: Links<'_>, wanted: &Wanted, found: &Found) -> Markup {
    let hits = match &found.hits {
        Err(why) => return html! { p.note.bad role="alert" { (super::layout::capital(why)) "." } },
        Ok(_) if wanted.q.trim().is_empty() => return hints(),
        Ok(hits) => hits,
    };
    if hits.is_empty() {
        return html! {
            div.empty role="status" { h1 { "No page matches" }
                p.dim { "Every hit has to share a word or its meaning with the query. Fewer or other words may help." } }
        };
    }
    let best = hits.first().map_or(1.0, |hit| hit.row.score.abs().max(1e-9));
    let corrections = hits.first().map(|hit| hit.row.corrections.as_slice()).unwrap_or_default();
    html! {
        @if !corrections.is_empty() {
            p.note role="status" { "Pages for “" (meant(&wanted.q, corrections)) "”, since no page has "
                @for (index, one) in corrections.iter().enumerate() { @if index > 0 { ", " } "“" (one.typed) "”" } "." }
        }
        ol.hits start=(wanted.from + 1) {
            @for hit in hits.iter().take(HITS) { (shown(links, wanted, hit, best)) }
        }
        nav.row aria-label="More results" {
            @if wanted.from > 0 { a.button rel="prev" href=(address(links, wanted, wanted.from.saturating_sub(HITS))) { "Previous" } }
            @if hits.len() > HITS && wanted.from < LAST { a.button rel="next" href=(address(links, wanted, wanted.from + HITS)) { "More" } }
        }
    }
}

fn hints() -> Markup {
    html! {
        div.card {
            h2 { "What can be typed" }
            p { "Plain words find pages that hold any of them, best first." }
            table.typed {
                tr { td { code { "\"in this order\"" } } td { "a phrase" } }
                tr { td { code { "pump*" } } td { "any word that begins so" } }
                tr { td { code { "-word" } } td { "must not be there" } }
            }
        }
    }
}

fn address(links: Links<'_>, wanted: &Wanted, from: usize) -> String {
    let from = if from == 0 { String::new() } else { from.to_string() };
    let Wanted { q, route, doc, pages, kind, .. } = wanted;
    links.with("search", &[("q", q), ("route", route), ("doc", doc), ("pages", pages), ("kind", kind), ("from", &from)])
}

fn shown(links: Links<'_>, wanted: &Wanted, hit: &Hit, best: f64) -> Markup {
    let Hit { row, id, size, marks } = hit;
    let to = query(links.page(id), "terms", &meant(&wanted.q, &row.corrections));
    let (file, folder) = name_of(&row.document);
    html! {
        li.hit {
            a.thumb href=(to) tabindex="-1" aria-hidden="true" {
                img src=(links.image(id, THUMB_DPI)) alt="" loading="lazy" decoding="async";
                (drawn_marks(*size, Marks { cited: marks, found: &[] }))
            }
            div {
                h2 { a href=(to) data-stop { bdi { (file) } ", page " (row.page) (printed(row.label.as_deref(), row.page)) } }
                @if let Some(folder) = folder { small { (folder) } }
                p dir="auto" { (snippet(&row.snippet, &row.matches)) }
                (why(row, best))
            }
        }
    }
}

/// The snippet with what matches marked.
pub(super) fn snippet(text: &str, matches: &[Range<usize>]) -> Markup {
    let mut pieces = Vec::new();
    let mut at = 0;
    for span in matches {
        pieces.push((text.get(at..span.start), false));
        pieces.push((text.get(span.clone()), true));
        at = span.end;
    }
    pieces.push((text.get(at..), false));
    html! {
        @if text.trim().is_empty() { span.dim { "A page without text." } }
        @for (text, is_match) in pieces {
            @if is_match { mark { (text.unwrap_or_default()) } } @else { (text.unwrap_or_default()) }
        }
    }
}

/// What the score is made of.
fn why(row: &Row, best: f64) -> Markup {
    let width = |score: f64| format!("{:.1}", (100.0 * score.abs() / best).clamp(0.0, 100.0));
    let digits = if best < 1.0 { 4 } else { 2 };
    html! {
        details.why {
            summary { "Why it is here" }
            table {
                tr { th scope="row" { "score" } td.num { (format!("{:.digits$}", row.score)) } td {} td {} }
                @for share in &row.shares {
                    tr { th scope="row" { (share_name(share.name)) }
                        td.num { (format!("{:.digits$}", share.score)) }
                        td { svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" { rect height="6" width=(width(share.score)) {} } }
                        td { @if share.rank > 0 { "place " (share.rank) " there, " (format!("{:.2}", share.value)) } }
                    }
                }
                @for part in &row.parts {
                    tr { th scope="row" { "“" (part.term) "”" }
                        td.num { (format!("{:.2}", part.score)) }
                        td { @if row.shares.is_empty() { svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" { rect height="6" width=(width(part.score)) {} } } }
                        td { @if row.shares.is_empty() { "words" } @else { "among the words" } }
                    }
                }
            }
        }
    }
}
