//! *Ask*: a question, the steps to its answer as they happen, the answer. Answers are kept in the index under an address of
//! their own, so that going back to one, or showing it to others, asks nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::Query;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use maud::{Markup, html};
use recto_agent::Status;
use recto_page::catalog::Size;
use recto_page::{PageId, Pages, Region};
use recto_search::{Hit, Scope, Search, snippet};
use serde::Deserialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::answer::{Asked, Near, Shown};
use super::guest::Guest;
use super::layout::{Oops, capital, keys_dialog, name_of};
use super::search::nothing_yet;
use crate::answerer::{Manner, told};
use crate::commands::ask::unread;
use crate::commands::status::in_words;
use crate::library::Shelf;
use crate::output;
use crate::serve::fault::Fault;
use crate::serve::keys::Right;
use crate::serve::sessions::random;
use crate::watch::{Step, Watch};

/// Pages that are shown where there is no answer, and about how many letters of each.
const NEAREST: usize = 3;
const SNIPPET: usize = 160;

#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Wanted {
    q: String,
    doc: String,
    /// The name of an answer that was given.
    answer: String,
}

/// What the page says before anything is asked.
struct Home {
    documents: Vec<String>,
    size: Size,
    model: Option<String>,
    /// The answer that is gone back to.
    kept: Option<Shown>,
}

/// `/c/{collection}/ask`. With a question it is asked when the page has come; without scripts a button is pressed first.
pub(super) async fn page(guest: Guest, Query(mut wanted): Query<Wanted>) -> Result<Response, Oops> {
    let (collection, id) = (Arc::clone(&guest.visit.collection), wanted.answer.clone());
    let home = match guest.visit.look(move |shelf| home(collection.answers.get(&id), shelf)).await {
        Err(fault) if fault.code() == "not_ready" => return Ok(nothing_yet(&guest)),
        home => home?,
    };
    let (links, kept) = (guest.links(), &home.kept);
    let is_gone = !wanted.answer.is_empty() && kept.is_none();
    if let Some(Shown { asked, .. }) = kept {
        wanted.q.clone_from(&asked.question);
        wanted.doc.clone_from(&asked.doc);
    }
    let is_first = wanted.q.is_empty() && !is_gone;
    let content = html! {
        div.narrow #home .home[is_first] {
            @if is_first { h1 #greeting { "What do you want to know?" } } @else { h1.unseen { "Ask" } }
            (form(&guest, &wanted, &home, kept.is_none()))
        }
        noscript { p.note.narrow { "Questions are asked by a script of this page, and scripts are off." } }
        div #told aria-live="polite" {
            @if let Some(shown) = kept { (shown.told(links, &wanted.answer)) }
            @if is_gone { p.note.narrow { "This answer is no longer kept. Ask again." } }
        }
        (keys())
    };
    let title = if wanted.q.is_empty() { "Ask" } else { &wanted.q };
    Ok(guest.page("ask", title, &["keys.js", "ask.js"], &content))
}

fn home(kept: Option<Asked>, shelf: &Shelf<'_>) -> anyhow::Result<Home> {
    let documents = shelf.corpus.catalog.documents()?;
    let documents = documents.into_iter().map(|document| document.id.as_str().to_owned()).collect();
    let kept = kept.map(|asked| Shown::of(asked, shelf)).transpose()?;
    Ok(Home {
        documents,
        size: shelf.corpus.catalog.size()?,
        model: shelf.answerer()?.model().map(str::to_owned),
        kept,
    })
}

fn keys() -> Markup {
    let keys = [
        ("/", "write a question"),
        ("1 2 3", "open a citation beside the answer"),
        ("o", "open the page in its document"),
        ("c", "copy the answer with its citations"),
        ("l", "copy a link to the answer"),
    ];
    keys_dialog(&keys, "")
}

fn form(guest: &Guest, wanted: &Wanted, home: &Home, is_new: bool) -> Markup {
    let links = guest.links();
    let asks_now = is_new && !wanted.q.trim().is_empty();
    html! {
        form #asking method="get" action=(links.to("ask")) data-live=(links.to("ask/live")) data-now=[asks_now.then_some("yes")] {
            div.asking {
                textarea name="q" rows="1" maxlength="4000" dir="auto" data-key="/" aria-label="Question" placeholder="Ask about the documents" autofocus[wanted.q.is_empty()] { (wanted.q) }
                button.main { "Ask" }
            }
            div.under {
                span {
                    a.plain href=(links.to("library")) { (in_words(home.size)) } ". "
                    @match &home.model {
                        Some(model) => { "Answers by " (model) "." }
                        None => { span title="Set a model with --model to have questions answered by one." { "Answered by rules, without a language model." } }
                    }
                }
                @if home.documents.len() > 1 {
                    label { "in "
                        select name="doc" {
                            option value="" { "all documents" }
                            @for document in home.documents.iter().take(2000) { option selected[*document == wanted.doc] { (document) } }
                        }
                    }
                }
            }
        }
    }
}

/// What happens on the way to an answer.
enum Happening {
    Step(String),
    /// One of many alike, shown in the place of the last.
    Reading(String),
    /// The answer, and its name.
    Answer(String, Box<Shown>),
    Fault(Fault),
}

/// `/c/{collection}/ask/live`: steps as events, then the answer.
pub(super) async fn live(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Fault> {
    guest.visit.needs(Right::Ask)?;
    if wanted.q.trim().is_empty() {
        return Ok(Redirect::to(&guest.links().to("ask")).into_response());
    }
    let (app, collection) = (Arc::clone(&guest.visit.app), Arc::clone(&guest.visit.collection));
    let place = Arc::clone(&app.streams).try_acquire_owned();
    let place = place.map_err(|_| Fault::busy("--max-streams", app.limits.streams))?;
    let (tell, told) = unbounded_channel();
    tokio::spawn(async move {
        let (teller, kept) = (tell.clone(), Arc::clone(&collection));
        let time = app.limits.answer_time;
        let asked = app.answer(&collection, move |shelf| {
            let (asked, id) = (answer(&wanted, shelf, &teller, time)?, random()?);
            kept.answers.put(&id, &asked);
            Ok(Happening::Answer(id, Box::new(Shown::of(asked, shelf)?)))
        });
        // Whoever asked may be gone.
        let _ = tell.send(asked.await.unwrap_or_else(Happening::Fault));
    });
    let collection = guest.visit.collection.name.clone();
    Ok(Sse::new(events(told, collection, place)).keep_alive(KeepAlive::default()).into_response())
}

fn events(
    told: UnboundedReceiver<Happening>,
    collection: String,
    place: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> + Send + 'static {
    unfold((told, collection, place), |(mut told, collection, place)| async move {
        let event = event(told.recv().await?, &collection);
        Some((Ok(event), (told, collection, place)))
    })
}

fn event(happening: Happening, collection: &str) -> Event {
    match happening {
        Happening::Step(text) => Event::default().event("step").data(line_ends(&text)),
        Happening::Reading(text) => Event::default().event("reading").data(line_ends(&text)),
        Happening::Answer(id, shown) => {
            let told = shown.told(super::link::Links { collection }, &id);
            Event::default().event("answer").data(line_ends(&told.into_string()))
        }
        Happening::Fault(fault) => Event::default().event("error").data(line_ends(&fault_note(&fault).into_string())),
    }
}

/// A carriage return would end a line of the stream.
fn line_ends(text: &str) -> String {
    text.replace('\r', "")
}

fn fault_note(fault: &Fault) -> Markup {
    html! {
        div.narrow { p.note.bad role="alert" { (capital(fault.message())) ". " (capital(fault.next_step())) "." } }
    }
}

fn answer(
    wanted: &Wanted,
    shelf: &Shelf<'_>,
    tell: &UnboundedSender<Happening>,
    time: std::time::Duration,
) -> anyhow::Result<Asked> {
    let begun = Instant::now();
    let scope = shelf.scope(wanted.doc.trim())?;
    let read = AtomicU64::new(0);
    let hear = |step: Step| drop(tell.send(happening(&step, &read)));
    let is_late = || begun.elapsed() > time;
    // Nobody waits any more once the page is closed.
    let is_over = || tell.is_closed() || is_late();
    let watch = Watch { tell: &hear, is_over: &is_over };
    let manner = Manner { time: Some(time), watch, ..Manner::of(None) };
    let found = shelf.answerer()?.over(shelf.corpus)?.answer_so(wanted.q.trim(), &scope, &manner);
    let (answer, spent) = match found {
        Err(_) if is_late() => return Err(Fault::late(time.as_secs()).into()),
        found => found?,
    };
    let is_answered = answer.status == Status::Answered;
    let nearest = if is_answered { Vec::new() } else { near(&wanted.q, &scope, shelf) };
    Ok(Asked {
        question: wanted.q.trim().into(),
        doc: wanted.doc.trim().into(),
        unread: unread(shelf.corpus, &scope),
        seconds: begun.elapsed().as_secs_f64(),
        commit: shelf.corpus.catalog.generation()?,
        answer,
        spent,
        nearest,
    })
}

/// Where a reader might look, with the words that speak for it.
fn near(question: &str, scope: &Scope, shelf: &Shelf<'_>) -> Vec<Near> {
    let near = |hit: &Hit| {
        let page = shelf.corpus.catalog.page(&hit.page).ok().flatten();
        // Words that are everywhere speak for no page.
        let least = 0.2 * hit.parts.iter().fold(0.0, |most: f64, part| most.max(part.score));
        let telling = hit.parts.iter().filter(|part| part.score >= least);
        let weights = telling.map(|part| (part.term.as_str(), part.score)).collect();
        let found = snippet(&page.map(|page| page.text()).unwrap_or_default(), &weights, SNIPPET);
        Near { page: hit.page.clone(), text: found.text, matches: found.matches }
    };
    let ranking = shelf.corpus.searcher.search(question, scope, NEAREST).unwrap_or_default();
    ranking.0.iter().map(near).collect()
}

/// A step, for people.
fn happening(step: &Step, read: &AtomicU64) -> Happening {
    let place = |page: &PageId| format!("{}, page {}", name_of(page.doc.as_str()).0, page.page);
    match step {
        Step::Searched { query, pages } => {
            let query: String = query.chars().take(200).collect();
            Happening::Step(format!("Searched for “{query}”: {}", output::count(pages.len() as u64, "page")))
        }
        Step::Read { page } => {
            let read = read.fetch_add(1, Ordering::Relaxed) + 1;
            Happening::Reading(format!("Read {}, last {}", output::count(read, "page"), place(page)))
        }
        Step::Drawn { page, region, .. } if *region == Region::FULL => {
            Happening::Reading(format!("Looked at {}", place(page)))
        }
        Step::Drawn { page, .. } => Happening::Step(format!("Enlarged a part of {}", place(page))),
        Step::Asked { model, failed: true, .. } => Happening::Step(format!("{model} gave no answer")),
        Step::Asked { model, spent, .. } => Happening::Step(format!("{model} answered; so far {}", told(spent))),
    }
}
