//! *Traces*: episodes and agents step by step, alone or two side by side. The line of each step is there at once; pages,
//! pictures and words come when they are looked at.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::Query;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use maud::{Markup, html};
use serde::Deserialize;

use super::guest::Guest;
use super::layout::{Oops, capital, empty};
use super::link::{Links, THUMB_DPI};
use super::runs_kept::roots as roots_of_runs;
use super::traces_file::{Head, Shelves, found, named};
use super::traces_read::{Place, Trace};
use super::traces_steps::{Side, in_full, label, steps, strip};
use crate::output;
use crate::serve::fault::Fault;
use crate::serve::state::{App, Collection};

/// Traces on a page.
const LISTED: usize = 200;

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/c/{collection}/traces", get(page))
        .route("/c/{collection}/traces/show", get(show))
        .route("/c/{collection}/traces/steps", get(part))
        .layer(Extension(Shelves::default()))
}

/// Traces by file and line, `FILE:LINE`.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Wanted {
    a: String,
    b: String,
    /// Words of the task.
    q: String,
    /// The first trace, or step.
    from: usize,
    side: String,
}

/// Where traces are: beside runs, and those of episodes that were played here.
fn roots(collection: &Collection) -> Vec<(&'static str, PathBuf)> {
    let played = ("episodes/", collection.library.dir().root().join("episodes"));
    roots_of_runs(collection).into_iter().chain([played]).collect()
}

/// `/c/{collection}/traces`
async fn page(
    guest: Guest,
    Extension(shelves): Extension<Shelves>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let places = roots(&guest.visit.collection);
    let heads = guest.visit.app.work(move || {
        let mut heads = Vec::new();
        for file in found(&places) {
            // A file that can't be read does not hide the others.
            let lines = shelves.lines(&file.path).unwrap_or_default();
            heads.extend(
                lines.iter().zip(1..).map(|(line, number)| (format!("{}:{number}", file.name), line.head.clone())),
            );
        }
        Ok(heads)
    });
    let heads: Vec<(String, Head)> = heads.await?;
    let words: Vec<String> = wanted.q.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let is_meant = |(name, head): &&(String, Head)| {
        let text = format!("{name} {} {}", head.task, head.planner).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let meant: Vec<&(String, Head)> = heads.iter().filter(is_meant).collect();
    let content = html! {
        div.column {
            h1 { "Traces" }
            @if heads.is_empty() { (nothing()) } @else {
                form.fields method="get" role="search" { label { "Words" input type="search" name="q" value=(wanted.q) placeholder="task, file or planner" data-key="/"; } button { "Show" } }
                (list(guest.links(), &wanted, &meant))
            }
        }
    };
    Ok(guest.page("traces", "Traces", &["keys.js"], &content))
}

fn nothing() -> Markup {
    empty(
        "No traces yet",
        &html! {
            p.dim { "A trace tells every step on the way to an answer: what was searched, found, looked at and said. Keep some in a folder, and serve it:" }
            pre { "recto episode --route text --trace traces/first.jsonl \"TASK\"\nrecto serve --runs traces" }
        },
    )
}

fn list(links: Links<'_>, wanted: &Wanted, heads: &[&(String, Head)]) -> Markup {
    let two = heads.len() > 1;
    let at = |from: usize| links.with("traces", &[("q", &wanted.q), ("from", &from.to_string())]);
    html! {
        p.dim.num role="status" { (output::count(heads.len() as u64, "trace")) }
        form method="get" action=(links.to("traces/show")) {
            table.list {
                thead { tr { th scope="col" { "Task" } th scope="col" { "Planner" } th.num scope="col" { "Steps" } th scope="col" { "Ended" } th.num scope="col" { "Took" }
                    @if two { th.num scope="col" title="First of two side by side" { "A" } th.num scope="col" title="Second of two side by side" { "B" } } } }
                tbody { @for (index, (name, head)) in heads.iter().skip(wanted.from).take(LISTED).enumerate() { (line(links, name, head, index, two)) } }
            }
            @if two { p.row.end { span.dim { "Choose two:" } button.main { "Side by side" } } }
        }
        nav.row aria-label="More traces" {
            @if wanted.from > 0 { a.button href=(at(wanted.from.saturating_sub(LISTED))) { "Previous" } }
            @if heads.len() > wanted.from.saturating_add(LISTED) { a.button href=(at(wanted.from + LISTED)) { "More" } }
        }
    }
}

fn line(links: Links<'_>, name: &str, head: &Head, index: usize, two: bool) -> Markup {
    let choice = |which: &str, is_chosen: bool| {
        html! { td.num data-name=(which.to_uppercase()) { input type="radio" name=(which) value=(name) checked[is_chosen] aria-label={ (name) " as " (which.to_uppercase()) }; } }
    };
    html! {
        tr {
            th scope="row" { a href=(links.with("traces/show", &[("a", name)])) { (head.task) } span.title { (name) } }
            td { (head.planner) }
            td.num data-name="Steps" { (head.n_steps) }
            td { (status(head.status.as_deref().unwrap_or_default())) }
            td.num data-name="Took" { (took(&head.spent)) }
            @if two { (choice("a", index == 0)) (choice("b", index == 1)) }
        }
    }
}

fn status(status: &str) -> Markup {
    let status = status.replace('_', " ");
    let class = match status.as_str() {
        "submitted" | "answered" => "good",
        "" | "declined" => "",
        _ => "warn",
    };
    html! { span class={ "tag " (class) } { @if status.is_empty() { "not ended" } @else { (status) } } }
}

fn took(spent: &recto_agent::budget::Spent) -> String {
    let mut parts = vec![format!("{:.1} s", spent.millis as f64 / 1000.0)];
    if spent.dollars > 0.0 {
        parts.push(format!("${:.4}", spent.dollars));
    }
    parts.join(", ")
}

/// `.../traces/show`: one, or two side by side.
async fn show(
    guest: Guest,
    Extension(shelves): Extension<Shelves>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let first = opened(&guest, &shelves, &wanted.a).await?;
    let second = if wanted.b.is_empty() || wanted.b == wanted.a {
        None
    } else {
        Some(opened(&guest, &shelves, &wanted.b).await?)
    };
    let links = guest.links();
    let side = |letter, name| Side { links, letter, name };
    let content = html! {
        div.traces.pair[second.is_some()] {
            (one(side("a", &wanted.a), &first, wanted.from))
            @if let Some(second) = &second { (one(side("b", &wanted.b), second, wanted.from)) }
            dialog #large.large aria-label="Picture" { form method="dialog" { button.quiet aria-label="Close" { "✕" } } img alt=""; p { a href="" { "Open in the document" } } }
        }
    };
    Ok(guest.bare("traces", &first.task, &["keys.js", "traces.js"], &content))
}

async fn opened(guest: &Guest, shelves: &Shelves, name: &str) -> Result<Arc<Trace>, Fault> {
    let (places, shelves) = (roots(&guest.visit.collection), shelves.clone());
    let (file, number) = parted(name).ok_or_else(|| Fault::not_found("trace"))?;
    let path = guest.visit.app.work(move || Ok(named(&places, &file)?.path)).await?;
    let (kept, at): (Shelves, PathBuf) = (shelves.clone(), path.clone());
    match guest.visit.look(move |shelf| shelves.trace(&path, number, Some(shelf))).await {
        // Without an index there are no pictures, but all else.
        Err(fault) if fault.code() == "not_ready" => guest.visit.app.work(move || kept.trace(&at, number, None)).await,
        read => read,
    }
}

/// File and line of a name.
fn parted(name: &str) -> Option<(String, usize)> {
    let (file, number) = name.rsplit_once(':')?;
    Some((file.to_owned(), number.parse().ok()?))
}

/// `.../traces/steps`: some steps in full.
async fn part(
    guest: Guest,
    Extension(shelves): Extension<Shelves>,
    Query(wanted): Query<Wanted>,
) -> Result<Markup, Oops> {
    let trace = opened(&guest, &shelves, &wanted.a).await?;
    let letter = if wanted.side == "b" { "b" } else { "a" };
    Ok(in_full(Side { links: guest.links(), letter, name: &wanted.a }, &trace, wanted.from))
}

fn one(side: Side<'_>, trace: &Trace, from: usize) -> Markup {
    let from = from.min(trace.steps.len().saturating_sub(1));
    html! {
        section.trace aria-label={ "Trace " (side.name) } tabindex="0" {
            p.dim { a href=(side.links.to("traces")) { "Traces" } " › " (side.name) }
            h1.question { (trace.task) }
            (facts(trace))
            @if trace.is_blind { p.note.warn { "The pages of this trace are not known: neither does its folder tell which page a handle is, nor has the index as many pages as the episode had. Pictures are left out." } }
            (outcome(side.links, trace))
            div.strip-bar {
                (strip(side, trace))
                form.jump data-side=(side.letter) { label { "Step " input type="number" min="1" max=(trace.steps.len().max(1)) name="step" data-key=[(side.letter == "a").then_some("g")]; } span.dim.num { " of " (trace.steps.len()) } }
            }
            @if trace.steps.is_empty() { p.dim { "No step was taken." } }
            (steps(side, trace, from))
        }
    }
}

fn facts(trace: &Trace) -> Markup {
    let spent = &trace.spent;
    let n_faults = trace.steps.iter().filter(|step| step.fault.is_some()).count();
    html! {
        ul.facts {
            li { (status(&trace.status)) @if !trace.stop.is_empty() && trace.stop != trace.status { " by " (trace.stop) } }
            @if !trace.planner.is_empty() { li { "planned by " (trace.planner) } }
            @if !trace.route.is_empty() { li { (trace.route) } }
            li.num { (output::count(trace.steps.len() as u64, "step")) @if let Some(allowed) = trace.allowed { " of " (allowed) } }
            @if n_faults > 0 { li.num { span.tag.bad { (output::count(n_faults as u64, "fault")) } } }
            @if spent.images > 0 { li.num { (output::count(spent.images, "picture")) } }
            @if spent.input_tokens + spent.output_tokens > 0 { li.num { (spent.input_tokens) " tokens in, " (spent.output_tokens) " out" } }
            li.num { (took(spent)) }
        }
    }
}

fn outcome(links: Links<'_>, trace: &Trace) -> Markup {
    html! {
        @if !trace.result.is_empty() || !trace.evidence.is_empty() { details.outcome open {
            summary { h2 { "Result" } }
            @if !trace.result.is_empty() { p.answer-text { (capital(&trace.result)) } }
            ol.step-hits { @for evidence in &trace.evidence { li {
                @match &evidence.place {
                    Place::Page(page) => { a href=(links.page(page)) title=(evidence.words) {
                        span.thumb { img src=(links.image(page, THUMB_DPI)) alt="" loading="lazy" decoding="async" width="306" height="396"; }
                        span { (label(page)) }
                    } }
                    Place::Handle(handle) => { span.no-page { (handle) } }
                }
            } } }
        } }
    }
}
