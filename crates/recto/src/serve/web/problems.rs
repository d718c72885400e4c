//! What went wrong, by document and kind, each with its next step.

use axum::extract::Query;
use axum::response::Response;
use maud::{Markup, html};
use recto_page::{DocId, PageId, Problem};
use serde::Deserialize;

use super::guest::Guest;
use super::layout::{Oops, capital, empty};
use super::link::Links;
use super::search::nothing_yet;

/// Pages of one kind of problem that are named one by one.
const NAMED: usize = 40;
/// Groups that are shown.
const GROUPS: usize = 500;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    doc: String,
}

/// `/c/{collection}/problems`
pub(super) async fn page(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let doc = Some(wanted.doc.as_str()).filter(|doc| !doc.is_empty()).map(DocId::new);
    let asked = doc.clone();
    let problems = guest.visit.look(move |shelf| Ok(shelf.corpus.catalog.problems(asked.as_ref())?)).await;
    let mut problems = match problems {
        Err(fault) if fault.code() == "not_ready" => return Ok(nothing_yet(&guest)),
        problems => problems?,
    };
    // What the index lacks comes before what is only worth knowing.
    problems.sort_by_key(|(doc, problem)| {
        (!problem.code.is_failure(), doc.clone(), problem.code, problem.detail.clone(), problem.page)
    });
    let content = html! {
        div.column {
            h1 { "Problems" @if let Some(doc) = &doc { " of " (doc) } }
            @if problems.is_empty() {
                (empty("No problems", &html! { p.dim { "Everything that was found could be read." } }))
            } @else {
                p.lead { "What could not be read, or not well. Everything else was, and can be searched." }
                (list(guest.links(), &problems))
            }
        }
    };
    Ok(guest.page("library", "Problems", &[], &content))
}

fn list(links: Links<'_>, problems: &[(DocId, Problem)]) -> Markup {
    let groups = problems.chunk_by(|a, b| a.0 == b.0 && a.1.code == b.1.code && a.1.detail == b.1.detail);
    html! {
        @for group in groups.clone().take(GROUPS) { @if let Some((doc, first)) = group.first() { (one(links, doc, first, group)) } }
        @if groups.count() > GROUPS { p.dim { "More are not shown; `recto problems` lists all." } }
    }
}

fn one(links: Links<'_>, doc: &DocId, first: &Problem, group: &[(DocId, Problem)]) -> Markup {
    let pages: Vec<_> = group.iter().filter_map(|(_, problem)| problem.page).collect();
    html! {
        article.problem {
            h2 { a href=(links.document(doc, "1")) { (doc) } }
            p {
                span.tag.warn[first.code.is_failure()] { (first.code.as_str().replace('_', " ")) }
                " " (first.code.meaning())
            }
            @if !first.detail.is_empty() { p.dim { (first.detail) } }
            @if !pages.is_empty() {
                p.num { @if pages.len() == 1 { "Page " } @else { "Pages " }
                    @for page in pages.iter().take(NAMED) { a href=(links.page(&PageId::new(doc.clone(), *page))) { (page) } " " }
                    @if pages.len() > NAMED { "and " (pages.len() - NAMED) " more" }
                }
            }
            p { b { "Next: " } (capital(first.code.next_step())) "." }
        }
    }
}
