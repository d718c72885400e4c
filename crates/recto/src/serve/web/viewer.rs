//! *Pages*: the addresses of the document viewer.

use axum::extract::{Path, Query};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use recto_page::{DocId, Document, Page, PageError, PageId, PageNumber, Pages, Problem, Region};
use serde::Deserialize;

use super::find::{Found, find as find_on, terms};
use super::guest::Guest;
use super::layout::{Oops, name_of, printed};
use super::link::{Links, marks, query};
use super::sheet::{self, Marks};
use super::viewer_frame::{Leaf, Open, about_page, frame};
use crate::library::Shelf;
use crate::serve::fault::Fault;

/// Of longer documents, pages are laid out as large as the one that is opened, until they are seen.
const MEASURED: u32 = 400;
/// The most places that are listed.
const MOST_FOUND: usize = 500;

#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Wanted {
    /// Regions that are marked on the page.
    mark: String,
    /// Words that are looked for in the document.
    find: String,
    /// Words of a search; each is marked.
    terms: String,
}

/// `.../view/{document}`: its first page.
pub(super) async fn first(guest: Guest, Path((_, doc)): Path<(String, String)>) -> Redirect {
    Redirect::to(&guest.links().document(&DocId::new(doc), "1"))
}

/// `.../view/{document}/{page}`
pub(super) async fn page(
    guest: Guest,
    Path((_, doc, page)): Path<(String, String, String)>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let id = id(&doc, &page, &guest).await?;
    let (asked, find) = (id.clone(), wanted.find.clone());
    let (open, found) = guest
        .visit
        .look(move |shelf| {
            let open = opened(&asked, shelf)?;
            let found = if find.is_empty() { Vec::new() } else { found(&open.document, &find, shelf)? };
            Ok((open, found))
        })
        .await?;
    let links = guest.links();
    let found = if wanted.find.is_empty() {
        html! {}
    } else {
        found_list(links, &id.doc, &wanted.find, &found)
    };
    let current = Leaf { mark: &wanted.mark, find: &wanted.find, terms: &wanted.terms };
    let content = frame(links, &open, current, &found);
    let title = format!("{}, page {}", name_of(id.doc.as_str()).0, id.page);
    Ok(guest.bare("", &title, &["viewer.js"], &content))
}

/// The page that an address names, by number or by printed label.
async fn id(doc: &str, page: &str, guest: &Guest) -> Result<PageId, Fault> {
    let (doc, page) = (DocId::new(doc), page.to_owned());
    guest
        .visit
        .look(move |shelf| {
            // Of copies the original is shown: the index holds its pages only.
            let doc = shelf.corpus.catalog.original(&doc)?.id;
            shelf.corpus.page(&doc, &page).map_err(|_| Fault::not_found("page").into())
        })
        .await
}

fn record(id: &PageId, shelf: &Shelf<'_>) -> anyhow::Result<Page> {
    Ok(shelf.corpus.catalog.page(id)?.ok_or_else(|| PageError::NoPage(id.clone()))?)
}

fn opened(id: &PageId, shelf: &Shelf<'_>) -> anyhow::Result<Open> {
    let catalog = &shelf.corpus.catalog;
    let document = catalog.original(&id.doc)?;
    let problems = catalog.problems(Some(&document.id))?.into_iter().map(|(_, problem)| problem).collect::<Vec<_>>();
    if document.n_pages == 0 {
        return Ok(Open { id: id.clone(), page: None, sizes: Vec::new(), labels: Vec::new(), document, problems });
    }
    let page = record(id, shelf)?;
    let size_of = |number| match catalog.page(&PageId::new(document.id.clone(), number)) {
        Ok(Some(page)) => page.size,
        _ => page.size,
    };
    let measured = document.n_pages <= MEASURED;
    let sizes = PageNumber::first(document.n_pages).map(|number| if measured { size_of(number) } else { page.size });
    let (sizes, labels) = (sizes.collect(), catalog.labels(&document.id)?);
    Ok(Open { id: id.clone(), page: Some(page), sizes, labels, document, problems })
}

/// `.../layer`: what lies over the picture of a page.
pub(super) async fn layer(
    guest: Guest,
    Path((_, doc, page)): Path<(String, String, String)>,
    Query(wanted): Query<Wanted>,
) -> Result<Markup, Oops> {
    let id = id(&doc, &page, &guest).await?;
    let page = guest.visit.look(move |shelf| record(&id, shelf)).await?;
    let (cited, found) = wanted.on(&page);
    Ok(sheet::layer(&page, Marks { cited: &cited, found: &found }))
}

impl Wanted {
    /// The regions to be marked on a page: what is cited, and what is looked for.
    fn on(&self, page: &Page) -> (Vec<Region>, Vec<Region>) {
        let sought = if self.find.is_empty() { Vec::new() } else { find_on(page, &self.find) };
        let sought = sought.into_iter().flat_map(|found| found.regions);
        (marks(&self.mark), sought.chain(terms(page, &self.terms)).collect())
    }
}

/// `.../about`: what is known of a page.
pub(super) async fn about(guest: Guest, Path((_, doc, page)): Path<(String, String, String)>) -> Result<Markup, Oops> {
    let id = id(&doc, &page, &guest).await?;
    let page = guest.visit.look(move |shelf| record(&id, shelf)).await?;
    Ok(about_page(&page))
}

/// `.../pane`: a page alone, its marks in view.
pub(super) async fn pane(
    guest: Guest,
    Path((_, doc, page)): Path<(String, String, String)>,
    Query(wanted): Query<Wanted>,
) -> Result<Markup, Oops> {
    let id = id(&doc, &page, &guest).await?;
    let asked = id.clone();
    let page = guest.visit.look(move |shelf| record(&asked, shelf)).await?;
    let (cited, _) = wanted.on(&page);
    Ok(beside(guest.links(), &id, &page, &cited))
}

/// A page beside something else: what is cited of it marked.
pub(super) fn beside(links: Links<'_>, id: &PageId, page: &Page, cited: &[Region]) -> Markup {
    let (file, _) = name_of(id.doc.as_str());
    html! {
        div.pane-head {
            b title=(id.doc) { bdi { (file) } }
            span.num { "page " (id.page) (printed(page.label.as_deref(), id.page.get())) }
            a href=(links.marked(id, cited)) data-key="o" { "Open in the document" }
        }
        div.holder tabindex="0" role="group" aria-label={ "Page " (id.page) " of " (file) } {
            (sheet::sheet(links, id, page, Marks { cited, found: &[] }))
        }
    }
}

/// `.../find`: where words stand in a document.
pub(super) async fn find(
    guest: Guest,
    Path((_, doc)): Path<(String, String)>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let doc = DocId::new(doc);
    let (asked, words) = (doc.clone(), wanted.find.clone());
    let found = guest.visit.look(move |shelf| found(&shelf.corpus.catalog.original(&asked)?, &words, shelf)).await?;
    Ok(found_list(guest.links(), &doc, &wanted.find, &found).into_response())
}

fn found(document: &Document, words: &str, shelf: &Shelf<'_>) -> anyhow::Result<Vec<(PageNumber, Found)>> {
    let mut all = Vec::new();
    for number in PageNumber::first(document.n_pages) {
        if let Some(page) = shelf.corpus.catalog.page(&PageId::new(document.id.clone(), number))? {
            all.extend(find_on(&page, words).into_iter().map(|found| (number, found)));
        }
        if all.len() > MOST_FOUND {
            break;
        }
    }
    Ok(all)
}

fn found_list(links: Links<'_>, doc: &DocId, words: &str, found: &[(PageNumber, Found)]) -> Markup {
    html! {
        p.dim role="status" {
            @match found.len() {
                0 => { "“" (words) "” does not stand in this document." }
                1 => { "1 place" }
                n if n > MOST_FOUND => { "The first " (MOST_FOUND) " places" }
                n => { (n) " places" }
            }
        }
        ol.founds {
            @for (number, found) in found.iter().take(MOST_FOUND) {
                @let [before, within, after] = &found.around;
                li { a data-n=(number) data-top=[found.regions.first().map(Region::top)] href=(query(links.document(doc, &number.to_string()), "find", words)) {
                    small.num { "page " (number) } br;
                    (before) mark { (within) } (after)
                } }
            }
        }
    }
}

/// Problems of a page, or of the document as a whole.
pub(super) fn of_page(problems: &[Problem], page: Option<PageNumber>) -> impl Iterator<Item = &Problem> {
    problems.iter().filter(move |problem| problem.page == page)
}
