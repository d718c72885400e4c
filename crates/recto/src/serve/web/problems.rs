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
/// Documents that are shown.
const DOCUMENTS: usize = 300;

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
    let of_one =
        |a: &(DocId, Problem), b: &(DocId, Problem)| a.0 == b.0 && a.1.code.is_failure() == b.1.code.is_failure();
    let documents = problems.chunk_by(of_one);
    html! {
        @for found in documents.clone().take(DOCUMENTS) { @if let Some((doc, _)) = found.first() { (document(links, doc, found)) } }
        @if documents.count() > DOCUMENTS { p.dim { "More are not shown; `recto problems` lists all." } }
    }
}

/// What went wrong with a document, each kind with its next step.
fn document(links: Links<'_>, doc: &DocId, found: &[(DocId, Problem)]) -> Markup {
    html! {
        article.problem {
            h2 { a href=(links.document(doc, "1")) { (doc) } }
            @for alike in found.chunk_by(|a, b| a.1.code == b.1.code) {
                @if let Some((_, first)) = alike.first() {
                    section {
                        p { span.tag.warn[first.code.is_failure()] { (first.code.as_str().replace('_', " ")) } " " (first.code.meaning()) }
                        ul { @for same in alike.chunk_by(|a, b| a.1.detail == b.1.detail) { li { (line(links, doc, same)) } } }
                        p { b { "Next: " } (capital(first.code.next_step())) "." }
                    }
                }
            }
        }
    }
}

/// One line for all pages of which the same is said.
fn line(links: Links<'_>, doc: &DocId, same: &[(DocId, Problem)]) -> Markup {
    let pages: Vec<_> = same.iter().filter_map(|(_, problem)| problem.page).collect();
    let detail = same.first().map_or("", |(_, problem)| problem.detail.as_str());
    html! {
        @if pages.is_empty() { (capital(detail)) } @else {
            span.num { @if pages.len() == 1 { "Page " } @else { "Pages " }
                @for page in pages.iter().take(NAMED) { a href=(links.page(&PageId::new(doc.clone(), *page))) { (page) } " " }
                @if pages.len() > NAMED { "and " (pages.len() - NAMED) " more" }
            }
            @if !detail.is_empty() { "– " (detail) }
        }
    }
}
