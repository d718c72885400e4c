//! *Annotate*: people answer questions as systems do: they search, look at pages, choose evidence and answer. Every step is
//! a form that is sent; the scripts only save loading the page anew.

use std::sync::Arc;

use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Form, Router};
use maud::{Markup, html};
use recto_bench::{Item, Row};
use recto_page::{DocId, PageId, PageNumber};
use recto_search::{Kinds, Scope};
use serde::Deserialize;

use super::annotate_page::{Research, Task, answer_page, conflict, research};
use super::annotate_people::{all_done, introduction};
use super::guest::Guest;
use super::layout::{Oops, empty};
use super::link::Links;
use super::search::nothing_yet;
use super::{annotate_people, annotate_review, annotate_write};
use crate::commands::bench::names::Names;
use crate::commands::search::{self, Asked};
use crate::exit::usage;
use crate::library::Shelf;
use crate::serve::annotation::{Desk, Draft, Person, Said, What, is_name, version};
use crate::serve::fault::Fault;
use crate::serve::keys::Right;
use crate::serve::state::App;

/// Pages that a search shows.
pub(super) const HITS: usize = 20;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/c/{collection}/annotate", get(page).post(act))
        .route("/c/{collection}/annotate/list", get(annotate_people::list))
        .route("/c/{collection}/annotate/write", get(annotate_write::page))
        .route("/c/{collection}/annotate/review", get(annotate_review::page).post(annotate_review::give))
}

/// Whose work is shown, and what of it.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Wanted {
    #[serde(rename = "as")]
    pub(super) name: String,
    /// The item; the next open one if empty.
    pub(super) id: String,
    /// Which of the searches, from 1.
    pub(super) s: String,
    /// The page that is open.
    pub(super) doc: String,
    pub(super) page: String,
}

/// What somebody does.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Act {
    #[serde(rename = "as")]
    name: String,
    id: String,
    s: String,
    doc: String,
    page: String,
    /// The page that stays open.
    open_doc: String,
    open_page: String,
    act: String,
    q: String,
    question: String,
    answer: String,
    unanswerable: String,
    seconds: String,
    version: String,
}

/// What comes of it.
enum Done {
    /// Nothing that could be seen.
    Quiet,
    To(String),
    /// The item was answered elsewhere since the page was loaded.
    Conflict(Box<(Item, Option<Row>)>),
}

/// Where people work; a page that says how to begin if there is no such place.
pub(super) fn desk(guest: &Guest) -> Result<Arc<Desk>, Box<Response>> {
    guest.visit.collection.desk.clone().ok_or_else(|| {
        let content = empty(
            "Nothing to annotate yet",
            &html! {
                p.dim { "People can answer a benchmark’s questions here, write new ones with their evidence, and review them. Start the server with a set and a folder for the answers:" }
                pre { "recto serve --annotate questions.jsonl --out answers" }
                p.dim { "What people say is a run like any other: " code { "recto bench score answers/NAME" } }
            },
        );
        Box::new(guest.page("annotate", "Annotate", &[], &content))
    })
}

/// `/c/{collection}/annotate`
async fn page(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let desk = match desk(&guest) {
        Ok(desk) => desk,
        Err(response) => return Ok(*response),
    };
    if !is_name(&wanted.name) {
        return Ok(introduction(&guest, &desk, &wanted.name));
    }
    let Some(set) = desk.set() else {
        return Ok(Redirect::to(&guest.links().with("annotate/write", &[("as", &wanted.name)])).into_response());
    };
    if !wanted.id.is_empty() && set.items.iter().all(|item| item.id != wanted.id) {
        return Err(Fault::not_found("question").into());
    }
    let (held, asked) = (Arc::clone(&desk), wanted.clone());
    let found = guest.visit.look(move |shelf| begin(&held, &asked, shelf)).await;
    match found {
        Err(fault) if fault.code() == "not_ready" => Ok(nothing_yet(&guest)),
        Err(fault) => Err(fault.into()),
        Ok(Begun::Task(task, research)) => Ok(answer_page(&guest, &wanted, &task, &research)),
        Ok(Begun::Next(id)) => Ok(Redirect::to(&address(guest.links(), &wanted.name, &id, "", None)).into_response()),
        Ok(Begun::AllDone) => Ok(all_done(&guest, &desk, &wanted.name)),
    }
}

enum Begun {
    Task(Box<Task>, Box<Research>),
    /// The next open item.
    Next(String),
    AllDone,
}

fn begin(desk: &Desk, wanted: &Wanted, shelf: &Shelf<'_>) -> anyhow::Result<Begun> {
    let Some(set) = desk.set() else { return Ok(Begun::AllDone) };
    desk.with(&wanted.name, shelf, |person| {
        let Some(place) = set.items.iter().position(|item| item.id == wanted.id) else {
            let open = set.items.iter().find(|item| person.row(&item.id).is_none());
            return Ok(open.map_or(Begun::AllDone, |item| Begun::Next(item.id.clone())));
        };
        let mut task = Task::new(&set.items, place, person);
        let scope = scope(&task.item, shelf);
        let research = research(shelf, &scope.clone().unwrap_or(Scope::All), person.work(&wanted.id), wanted)?;
        task.lacking = scope.err();
        Ok(Begun::Task(Box::new(task), Box::new(research)))
    })
}

/// Where an item is looked for. A document that the index lacks is the error.
fn scope(item: &Item, shelf: &Shelf<'_>) -> Result<Scope, String> {
    names(item, shelf).map_err(|error| format!("{error:#}"))?.scope(item)
}

fn names(item: &Item, shelf: &Shelf<'_>) -> anyhow::Result<Names> {
    Names::new(&[item], &shelf.corpus.catalog)
}

/// The address of the work on an item, a search of it shown and a page open.
pub(super) fn address(links: Links<'_>, name: &str, id: &str, s: &str, open: Option<&PageId>) -> String {
    let what = if id.is_empty() { "annotate/write" } else { "annotate" };
    let (doc, page) = open.map_or_else(Default::default, |page| (page.doc.as_str(), page.page.to_string()));
    links.with(what, &[("as", name), ("id", id), ("s", s), ("doc", doc), ("page", &page)])
}

/// Something is done.
async fn act(guest: Guest, Form(act): Form<Act>) -> Result<Response, Oops> {
    guest.visit.needs(Right::Ask)?;
    let desk = match desk(&guest) {
        Ok(desk) => desk,
        Err(response) => return Ok(*response),
    };
    if !is_name(&act.name) {
        return Ok(introduction(&guest, &desk, &act.name));
    }
    let (asked, collection) = (act.clone(), guest.visit.collection.name.clone());
    let done = guest.visit.look(move |shelf| done(&desk, &asked, shelf, Links { collection: &collection })).await?;
    Ok(match done {
        Done::Quiet => StatusCode::NO_CONTENT.into_response(),
        Done::To(address) => Redirect::to(&address).into_response(),
        Done::Conflict(now) => {
            let mut response = conflict(&guest, &act.name, &act.answer, &now.0, now.1.as_ref());
            *response.status_mut() = StatusCode::CONFLICT;
            response
        }
    })
}

fn done(desk: &Desk, act: &Act, shelf: &Shelf<'_>, links: Links<'_>) -> anyhow::Result<Done> {
    let items = desk.set().map(|set| set.items.as_slice()).unwrap_or_default();
    let item = items.iter().find(|item| item.id == act.id);
    if item.is_none() && !act.id.is_empty() {
        return Err(Fault::not_found("question").into());
    }
    desk.with(&act.name, shelf, |person| {
        if let Some(seconds) = act.seconds.parse().ok().filter(|seconds| *seconds > 0.0) {
            person.did(&act.id, What::Time { seconds })?;
        }
        let to = |s: &str, open: Option<&PageId>| Done::To(address(links, &act.name, &act.id, s, open));
        let meant =
            || page_id(&act.doc, &act.page).ok_or_else(|| usage("doc, page: expected a document and a page of it"));
        let stays = page_id(&act.open_doc, &act.open_page);
        match (act.act.as_str(), item) {
            ("time", _) => Ok(Done::Quiet),
            ("draft", _) => {
                let (question, answer) = (act.question.clone(), act.answer.clone());
                person.did(&act.id, What::Draft { question, answer }).map(|()| Done::Quiet)
            }
            ("search", _) => Ok(to(&searched(act, item, shelf, person)?, None)),
            ("open", _) => {
                let page = there(meant()?, shelf)?;
                person.did(&act.id, What::Open(page.clone()))?;
                Ok(to(&act.s, Some(&page)))
            }
            ("cite", _) => {
                person.did(&act.id, What::Cite(there(meant()?, shelf)?))?;
                Ok(to(&act.s, stays.as_ref()))
            }
            ("uncite", _) => {
                person.did(&act.id, What::Uncite(meant()?))?;
                Ok(to(&act.s, stays.as_ref()))
            }
            ("answer" | "decline", Some(item)) => given(act, item, items, shelf, person, links),
            ("write", None) => written(desk, act, person, links),
            _ => Err(usage("act: expected search, open, cite, uncite, draft, time, answer, decline or write")),
        }
    })
}

pub(super) fn page_id(doc: &str, page: &str) -> Option<PageId> {
    let page: PageNumber = page.parse().ok()?;
    (!doc.is_empty()).then(|| PageId::new(DocId::new(doc), page))
}

/// The page, if the index has it.
fn there(page: PageId, shelf: &Shelf<'_>) -> anyhow::Result<PageId> {
    let found = shelf.corpus.page(&page.doc, &page.page.to_string());
    found.map_err(|_| Fault::not_found("page").into())
}

/// Searches and notes what was found; which search it is.
fn searched(act: &Act, item: Option<&Item>, shelf: &Shelf<'_>, person: &mut Person) -> anyhow::Result<String> {
    let scope = item.map_or(Ok(Scope::All), |item| scope(item, shelf)).unwrap_or(Scope::All);
    let found = find(&act.q, &scope, shelf).unwrap_or_default();
    let pages = found.into_iter().map(|(_, page)| page).collect();
    person.did(&act.id, What::Search { query: act.q.trim().into(), pages })?;
    Ok(person.work(&act.id).searches.len().to_string())
}

/// Pages that a search finds, best first.
pub(super) fn find(query: &str, scope: &Scope, shelf: &Shelf<'_>) -> anyhow::Result<Vec<(search::Row, PageId)>> {
    let ranker = recto_search::Ranker::Hybrid;
    let asked = Asked { query, ranker: &ranker, scope, pages: None, kinds: Kinds::default(), offset: 0, k: HITS };
    let rows = search::find(&asked, shelf.corpus, shelf.encoders)?;
    let paged = |row: search::Row| {
        let page = PageId::new(DocId::new(&row.document), PageNumber::new(row.page)?);
        Some((row, page))
    };
    Ok(rows.into_iter().filter_map(paged).collect())
}

/// Keeps an answer, unless it rests on an older one than there is.
fn given(
    act: &Act,
    item: &Item,
    items: &[Item],
    shelf: &Shelf<'_>,
    person: &mut Person,
    links: Links<'_>,
) -> anyhow::Result<Done> {
    if act.version != version(person.row(&item.id)) {
        return Ok(Done::Conflict(Box::new((item.clone(), person.row(&item.id).cloned()))));
    }
    let said = if act.act == "decline" { Said::Decline } else { Said::Answer(act.answer.clone()) };
    if said == Said::Answer(String::new()) || act.act == "answer" && act.answer.trim().is_empty() {
        return Err(usage("answer: it is empty; if the documents do not hold it, say so"));
    }
    let names = names(item, shelf)?;
    person.give(item, &said, |page| names.page(item, page))?;
    // The next open item after this one, from the beginning if there is none.
    let place = items.iter().position(|other| other.id == item.id).unwrap_or_default();
    let (before, after) = items.split_at(place);
    let next = after.iter().chain(before).find(|other| person.row(&other.id).is_none());
    let next = next.map_or("", |next| next.id.as_str());
    Ok(Done::To(links.with("annotate", &[("as", &act.name), ("id", next)])))
}

fn written(desk: &Desk, act: &Act, person: &mut Person, links: Links<'_>) -> anyhow::Result<Done> {
    let draft = Draft {
        question: act.question.clone(),
        answer: act.answer.clone(),
        unanswerable: !act.unanswerable.is_empty(),
        pages: person.work("").cited,
    };
    let lacks = [
        (draft.question.trim().is_empty(), "question: it is empty"),
        (draft.answer.trim().is_empty() && !draft.unanswerable, "answer: it is empty; or the documents do not hold it"),
        (draft.pages.is_empty() && !draft.unanswerable, "evidence: choose the pages that hold the answer"),
    ];
    if let Some((_, why)) = lacks.iter().find(|(is_lacking, _)| *is_lacking) {
        return Err(usage(*why));
    }
    let id = desk.written(|written| written.add(&act.name, draft))?;
    person.did("", What::Written { id: id.clone() })?;
    Ok(Done::To(links.with("annotate/write", &[("as", &act.name), ("id", &id)])))
}

/// The ways through these pages.
pub(super) fn ways(links: Links<'_>, desk: &Desk, name: &str, here: &str) -> Markup {
    let way = |to: &str, text: &str| {
        html! { a href=(links.with(to, &[("as", name)])) aria-current=[(to == here).then_some("page")] { (text) } }
    };
    html! {
        nav.ways aria-label="Annotate" {
            @if desk.set().is_some() { (way("annotate", "Answer")) (way("annotate/list", "All questions")) }
            (way("annotate/write", "Write"))
            (way("annotate/review", "Review"))
            span.dim { "as " b { (name) } " · " a href=(links.to("annotate")) { "change" } }
        }
    }
}
