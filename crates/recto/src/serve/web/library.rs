//! *Library*: the documents with their states and problems, files to add, and how far reading them has come.

use axum::extract::Query;
use axum::response::Response;
use maud::{Markup, html};
use recto_page::DocumentState;
use recto_page::catalog::Size;
use serde::Deserialize;

use super::guest::Guest;
use super::job;
use super::layout::{Oops, empty, keys_dialog, name_of};
use super::link::{Links, encoded};
use crate::commands::status::{self, Listed, Status};
use crate::output;

/// Documents on a page.
const LISTED: usize = 500;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    /// Only documents whose name or title holds these words.
    filter: String,
    from: usize,
}

/// `/c/{collection}/library`
pub(super) async fn page(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let status = guest.visit.look(|shelf| status::read(&shelf.corpus.catalog, shelf.dir)).await;
    let status = match status {
        Err(fault) if fault.code() == "not_ready" => None,
        status => Some(status?),
    };
    let links = guest.links();
    let content = html! {
        div.column {
            h1 { "Library" }
            @if guest.writes() { (drop_zone(links)) }
            (job::place(&guest, status.as_ref().map(|status| status.commit)))
            div #holdings {
                @match &status {
                    Some(status) if !status.documents.is_empty() => { (holdings(&guest, status, &wanted)) }
                    _ => { (empty("No documents yet", &html! {
                        @if guest.writes() { p.dim { "Drop files above, or index a folder:" } } @else { p.dim { "Index a folder:" } }
                        pre { "recto index FOLDER --index INDEX" }
                    })) }
                }
            }
        }
        p.column.dim { "For programs: " a href="/docs" { "the same by HTTP" } "." }
        (keys_dialog(&[("/", "show documents by name"), ("j k", "next document, document before"), ("Enter", "open it")], ""))
    };
    Ok(guest.page("library", "Library", &["keys.js", "library.js"], &content))
}

fn drop_zone(links: Links<'_>) -> Markup {
    html! {
        div #drop.drop data-upload=(job::upload(links)) data-method="POST" data-form="files" {
            label.button for="files" { "Choose files" }
            input.unseen #files type="file" multiple;
            span { "or drop them here, folders too: PDF, pictures, office documents, web pages, mail, text" }
        }
        ul #sent.steps aria-live="polite" {}
    }
}

fn holdings(guest: &Guest, status: &Status, wanted: &Wanted) -> Markup {
    let links = guest.links();
    let words: Vec<String> = wanted.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let kept: Vec<&Listed> = status.documents.iter().filter(|listed| fits(listed, &words)).collect();
    html! {
        (stats(links, status))
        form.fields method="get" role="search" {
            label { "Show documents named" input #narrow type="search" name="filter" data-key="/" value=(wanted.filter) placeholder="any name or title" size="28"; }
        }
        div #list {
            @if kept.is_empty() { p.dim role="status" { "No document is called so." } } @else { (list(guest, kept.iter().skip(wanted.from).take(LISTED))) }
            nav.row aria-label="More documents" {
                @if wanted.from > 0 { a.button href=(at(links, wanted, wanted.from.saturating_sub(LISTED))) { "Previous" } }
                @if kept.len() > wanted.from + LISTED { a.button href=(at(links, wanted, wanted.from + LISTED)) { "More" } }
            }
        }
    }
}

fn at(links: Links<'_>, wanted: &Wanted, from: usize) -> String {
    links.with("library", &[("filter", &wanted.filter), ("from", &from.to_string())])
}

fn fits(listed: &Listed, words: &[String]) -> bool {
    let document = &listed.document;
    let text = format!("{} {}", document.id, document.title.as_deref().unwrap_or_default()).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn stats(links: Links<'_>, status: &Status) -> Markup {
    let Size { documents, pages } = status.size;
    let complete = status.routes.iter().filter(|held| held.complete).map(|held| held.route.as_str());
    let ways: Vec<&str> = std::iter::once("words").chain(complete.map(way)).collect();
    let problems: usize = status.documents.iter().map(|listed| listed.n_problems).sum();
    html! {
        ul.stats {
            li { b { (documents) } (plural(documents as usize, "document")) }
            li { b { (pages) } (plural(pages as usize, "page")) }
            li { b { a href=(links.to("problems")) { (problems) } } (plural(problems, "problem")) }
        }
        p.dim { "Searched by " (ways.join(", ")) "." }
        @for held in status.routes.iter().filter(|held| !held.complete) {
            p.note { "Vectors of “" (held.route) "” are not complete and not used yet; indexing goes on with them." }
        }
    }
}

/// What a route of vectors goes by, for people.
fn way(route: &str) -> &str {
    match route {
        "dense" => "meaning",
        "late" => "meaning word by word",
        "page" => "pictures of pages",
        route => route,
    }
}

fn plural(n: usize, one: &str) -> String {
    format!("{one}{}", if n == 1 { "" } else { "s" })
}

fn list<'a>(guest: &Guest, listed: impl Iterator<Item = &'a &'a Listed>) -> Markup {
    html! {
        table.list {
            thead { tr { th scope="col" { "Document" } th.num scope="col" { "Pages" } th scope="col" { "State" } th scope="col" { "Problems" }
                @if guest.writes() { th scope="col" { span.unseen { "Remove" } } } } }
            tbody { @for one in listed { (row(guest, one)) } }
        }
    }
}

fn row(guest: &Guest, listed: &Listed) -> Markup {
    let (links, document) = (guest.links(), &listed.document);
    let (file, folder) = name_of(document.id.as_str());
    let title = document.title.as_deref().filter(|title| !title.trim().is_empty());
    html! {
        tr {
            th scope="row" {
                a href=(links.document(&document.id, "1")) data-stop { bdi { (file) } }
                @if let Some(title) = title { span.title { (title) } }
                @if let Some(folder) = folder { span.title { "in " (folder) } }
            }
            td.num data-name="Pages" { (document.n_pages) }
            td { @match &document.state {
                DocumentState::Indexed => { span.tag.good { "ready" } }
                DocumentState::Failed => { span.tag.bad { "could not be read" } }
                DocumentState::DuplicateOf(first) => { span.tag { "same as" } " " a href=(links.document(first, "1")) { bdi { (first) } } }
            } }
            td.short { @if listed.n_problems > 0 { a href=(links.with("problems", &[("doc", document.id.as_str())])) { (output::count(listed.n_problems as u64, "problem")) } } }
            @if guest.writes() { td { (remove(links, document.id.as_str())) } }
        }
    }
}

fn remove(links: Links<'_>, doc: &str) -> Markup {
    let address = format!("/v1/collections/{}/documents/{}", encoded(links.collection), encoded(doc));
    html! {
        form data-remove=(address) data-confirm={ "Remove " (doc) " from the index? The file itself stays where it is." } {
            button.quiet title={ "Remove " (doc) } aria-label={ "Remove " (doc) } { "✕" }
        }
    }
}
