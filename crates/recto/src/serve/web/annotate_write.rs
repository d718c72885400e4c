//! New questions, with the pages that hold their answers.

use std::sync::Arc;

use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use recto_bench::Item;
use recto_search::Scope;

use super::annotate::{Wanted, desk, ways};
use super::annotate_page::{Research, evidence, history, places, research, search_bar, state};
use super::guest::Guest;
use super::layout::Oops;
use super::search::nothing_yet;
use crate::output;
use crate::serve::annotation::{Desk, is_name};

/// `.../annotate/write`
pub(super) async fn page(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let desk = match desk(&guest) {
        Ok(desk) => desk,
        Err(response) => return Ok(*response),
    };
    if !is_name(&wanted.name) {
        return Ok(Redirect::to(&guest.links().to("annotate")).into_response());
    }
    // The id tells which question was just written; the next one has none yet.
    let (held, asked) = (Arc::clone(&desk), Wanted { id: String::new(), ..wanted.clone() });
    let found = guest.visit.look(move |shelf| {
        let work = held.with(&asked.name, shelf, |person| Ok(person.work("")))?;
        research(shelf, &Scope::All, work, &asked)
    });
    let research = match found.await {
        Err(fault) if fault.code() == "not_ready" => return Ok(nothing_yet(&guest)),
        found => found?,
    };
    let written: Vec<Item> = desk.written(|written| written.by(&wanted.name).cloned().collect());
    Ok(shown(&guest, &desk, &wanted, &research, &written))
}

fn shown(guest: &Guest, desk: &Desk, wanted: &Wanted, research: &Research, written: &[Item]) -> Response {
    let links = guest.links();
    let here = Wanted { id: String::new(), ..wanted.clone() };
    let content = html! {
        div #study.study data-as=(wanted.name) data-id="" data-post=(links.to("annotate")) {
            div.study-top {
                (ways(links, desk, &wanted.name, "annotate/write"))
                @if !wanted.id.is_empty() { p.note role="status" { "Question " b { (wanted.id) } " is written down." } }
            }
            div.study-body {
                div.study-main { (search_bar(links, &here)) (places(links, &here, research)) }
                aside.study-side aria-label="Your question" {
                    (form(guest, &here, research))
                    (evidence(links, &here, research))
                    (history(links, &here, research))
                    (those(desk, written))
                }
            }
        }
    };
    guest.bare("annotate", "Write a question", &["keys.js", "annotate.js"], &content)
}

fn form(guest: &Guest, wanted: &Wanted, research: &Research) -> Markup {
    let (question, answer) = research.work.draft.clone().unwrap_or_default();
    html! {
        form #answering method="post" action=(guest.links().to("annotate")) {
            (state(&Wanted { name: wanted.name.clone(), ..Wanted::default() }))
            label for="question" { b { "Question" } }
            textarea #question name="question" rows="3" maxlength="20000" required data-key="w" { (question) }
            label for="answer" { b { "Answer" } " " small { "one part a line; after an empty line another answer that is equally right" } }
            textarea #answer name="answer" rows="3" maxlength="20000" data-key="a" { (answer) }
            label.row { input type="checkbox" name="unanswerable" value="yes"; "The documents do not hold the answer" }
            p { button.main name="act" value="write" data-key="Ctrl+Enter" title="Ctrl+Enter" { "Write it down" } }
        }
    }
}

fn those(desk: &Desk, written: &[Item]) -> Markup {
    html! {
        @if !written.is_empty() {
            section aria-label="Your questions" {
                h2 { "Yours so far " span.dim { (written.len()) } }
                ol.history reversed { @for item in written.iter().rev().take(20) { li { (item.question) " " span.dim { (output::count(item.gold.pages.len() as u64, "page")) } } } }
                p.dim { "They are a set that can be run:" }
                pre { "recto bench run --set " (desk.questions().display()) " --system hybrid --out runs/hybrid" }
            }
        }
    }
}
