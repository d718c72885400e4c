//! How far reading documents has come: the jobs that add and remove documents.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use super::guest::Guest;
use super::layout::{Oops, capital};
use super::link::{Links, encoded};
use crate::output;
use crate::serve::jobs::{Job, State};
use crate::serve::keys::Right;
use crate::serve::watched::{Seen, Watched};

/// Jobs that have ended and are told.
const ENDED: usize = 3;

/// Where files are sent to.
pub(super) fn upload(links: Links<'_>) -> String {
    format!("/v1/collections/{}/documents", encoded(links.collection))
}

/// Where jobs are shown.
pub(super) fn place(guest: &Guest, commit: Option<u64>) -> Markup {
    html! {
        div #job data-url=(guest.links().to("library/job")) data-busy=(is_busy(guest).to_string()) data-commit=[commit] { (shown(guest)) }
    }
}

/// What is read, and the folder that is watched.
fn shown(guest: &Guest) -> Markup {
    html! {
        @if let Some(watched) = &guest.visit.collection.watched { (folder(watched)) }
        (told(&jobs(guest)))
    }
}

fn folder(watched: &Watched) -> Markup {
    html! {
        @match watched.last() {
            Seen::Gone => { p.note.warn { "The folder " code { (watched.path.display()) } " can’t be seen at the moment. Nothing is removed; it is looked for again." } }
            seen => { p.note { "Kept up to date with " code { (watched.path.display()) }
                @if let Seen::Documents(n) = seen { ": " (output::count(n as u64, "document")) " there, looked at every " (output::count(watched.pause.as_secs(), "second")) } "." } }
        }
    }
}

/// Whether documents are being read.
pub(super) fn is_busy(guest: &Guest) -> bool {
    jobs(guest).iter().any(|job| !job.state().is_over())
}

/// `/c/{collection}/library/job`: the jobs alone.
pub(super) async fn fragment(guest: Guest) -> Result<Response, Oops> {
    let commit = guest.visit.look(|shelf| Ok(shelf.corpus.catalog.generation()?)).await.unwrap_or_default();
    Ok(([("x-commit", commit.to_string())], shown(&guest)).into_response())
}

fn jobs(guest: &Guest) -> Vec<Arc<Job>> {
    let (app, name) = (&guest.visit.app, &guest.visit.collection.name);
    let jobs = app.jobs.of(name, app.limits.result_ttl);
    jobs.into_iter().filter(|job| job.kind.right() == Right::Write).collect()
}

fn told(jobs: &[Arc<Job>]) -> Markup {
    let (ended, running): (Vec<_>, Vec<_>) = jobs.iter().partition(|job| job.state().is_over());
    let failed = ended.iter().filter(|job| job.state() == State::Failed).take(ENDED);
    html! {
        @for job in running { (under_way(job)) }
        @for job in failed { (broken(job)) }
    }
}

fn under_way(job: &Job) -> Markup {
    let count = |name: &str| job.progress().and_then(|reached| reached.get(name)?.as_u64()).unwrap_or_default();
    let (pages, expected) = (count("pages"), count("expected").max(1));
    let more = [(count("by_ocr"), "read off their pictures"), (count("failed"), "with problems")];
    html! {
        div.card data-running="yes" {
            div.row { b { (job.about) } span.tag { (job.state().as_str()) } }
            progress data-job=(job.id) max=(expected) value=(pages.min(expected)) aria-label="Pages read" {}
            p.dim.num {
                @if pages == 0 { "Getting ready" } @else { "Page " (pages) " of about " (expected) }
                @for (n, what) in more.iter().filter(|(n, _)| *n > 0) { ", " (output::count(*n, "page")) " " (what) }
            }
        }
    }
}

fn broken(job: &Job) -> Markup {
    let why = job.outcome().and_then(Result::err);
    html! {
        div.note.bad { b { (job.about) } ": " @match why {
            Some(fault) => { (capital(fault.message())) ". " (capital(fault.next_step())) "." }
            None => { "it failed." }
        } }
    }
}
