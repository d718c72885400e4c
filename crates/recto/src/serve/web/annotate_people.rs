//! Who annotates, and how far everybody is.

use std::sync::Arc;

use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use recto_bench::{Item, Outcome, Row};

use super::annotate::{Wanted, address, desk, ways};
use super::guest::Guest;
use super::layout::{Oops, empty};
use super::runs_item::said;
use crate::output;
use crate::serve::annotation::{Desk, is_name};

/// Asks who it is.
pub(super) fn introduction(guest: &Guest, desk: &Desk, typed: &str) -> Response {
    let links = guest.links();
    let (known, n_items) = (desk.known(), desk.set().map_or(0, |set| set.items.len()));
    let content = html! {
        div.narrow {
            h1 { "Annotate" }
            p.lead {
                @if let Some(set) = desk.set() {
                    b { (set.name) } ": " (output::count(n_items as u64, "question")) ". You see the question only: search, look at pages, choose the evidence, answer. Searches, pages and time are counted, so that your answers are a run that can be compared with any system’s."
                } @else { "Write questions with their evidence pages, and review those of others." }
            }
            form.fields method="get" {
                label { "Your name" input name="as" required maxlength="40" pattern="[A-Za-z0-9_\\-]+" value=(typed) autocomplete="nickname" autofocus title="letters, digits, - and _"; }
                button.main { "Begin" }
            }
            @if !typed.is_empty() { p.note.bad role="alert" { "A name is made of letters, digits, - and _: it names a folder too." } }
            @if !known.is_empty() {
                h2 { "Who was here" }
                table.list {
                    thead { tr { th scope="col" { "Name" } th scope="col" { "Answered" } } }
                    tbody { @for one in &known { tr {
                        th scope="row" { a href=(links.with("annotate", &[("as", &one.name)])) { (one.name) } }
                        td data-name="Answered" { span.num { (one.answered) @if n_items > 0 { " of " (n_items) } }
                            @if n_items > 0 { " " progress.short max=(n_items) value=(one.answered) aria-label={ "Answered by " (one.name) } {} } }
                    } } }
                }
            }
        }
    };
    guest.page("annotate", "Annotate", &[], &content)
}

/// What is shown when nothing is left.
pub(super) fn all_done(guest: &Guest, desk: &Desk, name: &str) -> Response {
    let links = guest.links();
    let content = html! {
        div.column { (ways(links, desk, name, "annotate")) }
        (empty("All questions are answered", &html! {
            p.dim { "Your answers are a run. Score it:" }
            pre { "recto bench score " (desk.run_of(name).display()) }
            p { a.button href=(links.with("annotate/list", &[("as", name)])) { "Look through your answers" } " "
                a.button href=(links.with("annotate/write", &[("as", name)])) { "Write questions" } }
        }))
    };
    guest.page("annotate", "All answered", &[], &content)
}

/// `.../annotate/list`: every question with its state.
pub(super) async fn list(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let desk = match desk(&guest) {
        Ok(desk) => desk,
        Err(response) => return Ok(*response),
    };
    if !is_name(&wanted.name) || desk.set().is_none() {
        return Ok(Redirect::to(&guest.links().to("annotate")).into_response());
    }
    let (held, name) = (Arc::clone(&desk), wanted.name.clone());
    let rows = guest.visit.look(move |shelf| {
        let items = held.set().map(|set| set.items.clone()).unwrap_or_default();
        let row = |person: &mut _, item: Item| state(person, item);
        held.with(&name, shelf, |person| Ok(items.into_iter().map(|item| row(person, item)).collect::<Vec<_>>()))
    });
    let rows = rows.await?;
    let answered = rows.iter().filter(|(_, row, _)| row.is_some()).count();
    let content = html! {
        div.column {
            (ways(guest.links(), &desk, &wanted.name, "annotate/list"))
            h1 { "All questions" }
            p.lead.num { (answered) " of " (rows.len()) " answered" }
            table.list {
                thead { tr { th.num scope="col" { "No." } th scope="col" { "Question" } th scope="col" { "Your answer" } th scope="col" { "Effort" } } }
                tbody { @for (number, (item, row, seconds)) in (1..).zip(&rows) {
                    (line(&guest, &wanted.name, number, item, row.as_ref(), *seconds))
                } }
            }
        }
    };
    Ok(guest.page("annotate", "All questions", &[], &content))
}

fn state(person: &crate::serve::annotation::Person, item: Item) -> (Item, Option<Row>, f64) {
    let (row, seconds) = (person.row(&item.id).cloned(), person.work(&item.id).seconds);
    (item, row, seconds)
}

fn line(guest: &Guest, name: &str, number: u32, item: &Item, row: Option<&Row>, seconds: f64) -> Markup {
    html! {
        tr {
            td.num { (number) }
            th scope="row" { a href=(address(guest.links(), name, &item.id, "", None)) { (item.question) } }
            td { @match row {
                None => { span.dim { "open" } }
                Some(row) if row.outcome == Outcome::Declined => { span.tag { "not in the documents" } }
                Some(row) => { (said(row)) }
            } }
            td.num data-name="Effort" { @if let Some(row) = row {
                (row.searches.len()) " searches, " (row.pages.len()) " cited, " (time(seconds))
            } }
        }
    }
}

/// Seconds, for people.
pub(super) fn time(seconds: f64) -> String {
    match seconds.max(0.0).round() as u64 {
        s @ 0..=99 => format!("{s} s"),
        s => format!("{} min", (s as f64 / 60.0).round()),
    }
}
