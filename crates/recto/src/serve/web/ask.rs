//! *Ask*: a question, the steps to its answer as they happen, the answer. Answers are kept for a while under an address of
//! their own, so that going back to one costs nothing.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::Extension;
use axum::extract::Query;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Redirect, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use maud::{Markup, html};
use recto_agent::Status;
use recto_page::{PageId, Pages, Region};
use serde::Deserialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::answer::{Asked, shown};
use super::guest::Guest;
use super::layout::{Oops, capital, name_of};
use super::search::nothing_yet;
use crate::answerer::{Manner, told};
use crate::commands::ask::{nearest, unread};
use crate::library::Shelf;
use crate::output;
use crate::serve::fault::Fault;
use crate::serve::keys::Right;
use crate::serve::sessions::random;
use crate::watch::{Step, Watch};

/// So many answers are kept.
const KEPT: usize = 200;

/// Answers that were given, the last one last.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<VecDeque<Kept>>>);

/// An answer under the name that its address has.
struct Kept {
    collection: String,
    id: String,
    asked: Arc<Asked>,
}

impl Answers {
    fn keep(&self, collection: &str, asked: Asked) -> anyhow::Result<(String, Arc<Asked>)> {
        let (id, asked) = (random()?, Arc::new(asked));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Kept { collection: collection.into(), id: id.clone(), asked: Arc::clone(&asked) });
        if kept.len() > KEPT {
            kept.pop_front();
        }
        Ok((id, asked))
    }

    fn get(&self, collection: &str, id: &str) -> Option<Arc<Asked>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let meant = kept.iter().find(|kept| kept.collection == collection && kept.id == id);
        meant.map(|kept| Arc::clone(&kept.asked))
    }
}

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
    pages: u64,
    model: Option<String>,
}

/// `/c/{collection}/ask`. With a question it is asked when the page has come; without scripts a button is pressed first.
pub(super) async fn page(
    guest: Guest,
    Extension(answers): Extension<Answers>,
    Query(mut wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let home = match guest.visit.look(home).await {
        Err(fault) if fault.code() == "not_ready" => return Ok(nothing_yet(&guest)),
        home => home?,
    };
    let links = guest.links();
    let kept = answers.get(links.collection, &wanted.answer);
    let is_gone = !wanted.answer.is_empty() && kept.is_none();
    if let Some(asked) = &kept {
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
            @if let Some(asked) = &kept { (shown(links, &wanted.answer, asked)) }
            @if is_gone { p.note.narrow { "This answer is no longer kept. Ask again." } }
        }
    };
    let title = if wanted.q.is_empty() { "Ask" } else { &wanted.q };
    Ok(guest.page("ask", title, &["ask.js"], &content))
}

fn home(shelf: &Shelf<'_>) -> anyhow::Result<Home> {
    let documents = shelf.corpus.catalog.documents()?;
    let pages = documents.iter().map(|document| u64::from(document.n_pages)).sum();
    let documents = documents.into_iter().map(|document| document.id.as_str().to_owned()).collect();
    Ok(Home { documents, pages, model: shelf.answerer()?.model().map(str::to_owned) })
}

fn form(guest: &Guest, wanted: &Wanted, home: &Home, is_new: bool) -> Markup {
    let links = guest.links();
    let asks_now = is_new && !wanted.q.trim().is_empty();
    html! {
        form #asking method="get" action=(links.to("ask")) data-live=(links.to("ask/live")) data-now=[asks_now.then_some("yes")] {
            div.asking {
                textarea name="q" rows="1" maxlength="4000" aria-label="Question" placeholder="Ask about the documents" autofocus[wanted.q.is_empty()] { (wanted.q) }
                button.main { "Ask" }
            }
            div.under {
                span {
                    (output::count(home.documents.len() as u64, "document")) ", " (output::count(home.pages, "page")) ". "
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
    /// The answer's name.
    Answer(String, Arc<Asked>),
    Fault(Fault),
}

/// `/c/{collection}/ask/live`: steps as events, then the answer.
pub(super) async fn live(
    guest: Guest,
    Extension(answers): Extension<Answers>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Fault> {
    guest.visit.needs(Right::Ask)?;
    if wanted.q.trim().is_empty() {
        return Ok(Redirect::to(&guest.links().to("ask")).into_response());
    }
    let (tell, told) = unbounded_channel();
    let (app, collection) = (Arc::clone(&guest.visit.app), Arc::clone(&guest.visit.collection));
    let name = collection.name.clone();
    tokio::spawn(async move {
        let teller = tell.clone();
        let time = app.limits.answer_time;
        let asked = app.look(&collection, move |shelf| answer(&wanted, shelf, &teller, time)).await;
        let kept = asked.and_then(|asked| Ok(answers.keep(&name, asked)?));
        // Whoever asked may be gone.
        let _ = tell.send(kept.map_or_else(Happening::Fault, |(id, asked)| Happening::Answer(id, asked)));
    });
    let collection = guest.visit.collection.name.clone();
    Ok(Sse::new(events(told, collection)).keep_alive(KeepAlive::default()).into_response())
}

fn events(
    told: UnboundedReceiver<Happening>,
    collection: String,
) -> impl Stream<Item = Result<Event, Infallible>> + Send + 'static {
    unfold((told, collection), |(mut told, collection)| async move {
        let event = event(told.recv().await?, &collection);
        Some((Ok(event), (told, collection)))
    })
}

fn event(happening: Happening, collection: &str) -> Event {
    match happening {
        Happening::Step(text) => Event::default().event("step").data(line_ends(&text)),
        Happening::Reading(text) => Event::default().event("reading").data(line_ends(&text)),
        Happening::Answer(id, asked) => {
            let links = super::link::Links { collection };
            Event::default().event("answer").data(line_ends(&shown(links, &id, &asked).into_string()))
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
    let pages: Vec<_> = answer.evidence.iter().map(|c| shelf.corpus.catalog.page(&c.page)).collect::<Result<_, _>>()?;
    let sizes = pages.iter().flatten().map(|page| page.size).collect();
    let is_answered = answer.status == Status::Answered;
    let nearest = if is_answered { Vec::new() } else { nearest(shelf.corpus, &scope, &wanted.q) };
    Ok(Asked {
        question: wanted.q.trim().into(),
        doc: wanted.doc.trim().into(),
        unread: unread(shelf.corpus, &scope),
        seconds: begun.elapsed().as_secs_f64(),
        first: pages.into_iter().next().flatten(),
        answer,
        spent,
        nearest,
        sizes,
    })
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
