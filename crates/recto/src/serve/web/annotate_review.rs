//! What reviewers think of questions, each for themselves: nobody sees the scores of others before giving their own.

use std::sync::Arc;

use axum::Form;
use axum::extract::Query;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use recto_bench::Item;
use recto_page::PageId;
use serde::Deserialize;

use super::annotate::{Wanted, desk, ways};
use super::guest::Guest;
use super::layout::{Oops, empty, name};
use super::link::Links;
use super::runs_item::{gold, in_index};
use crate::commands::bench::names::Names;
use crate::exit::usage;
use crate::serve::annotation::{Desk, GOOD, Review, is_name};
use crate::serve::fault::Fault;
use crate::serve::keys::Right;

/// Evidence pages that are shown.
const SHOWN: usize = 8;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Given {
    #[serde(rename = "as")]
    name: String,
    id: String,
    score: String,
    reason: String,
}

/// An item under review.
struct Reviewed {
    item: Item,
    number: usize,
    n: usize,
    /// How many are reviewed by this person.
    done: usize,
    mine: Option<Review>,
    /// What others think, once this person has said it.
    others: Vec<(String, Review)>,
    neighbours: [Option<String>; 2],
    /// Evidence as the benchmark and as the index names it.
    pages: Vec<(PageId, Option<PageId>)>,
}

/// `.../annotate/review`
pub(super) async fn page(guest: Guest, Query(wanted): Query<Wanted>) -> Result<Response, Oops> {
    let desk = match desk(&guest) {
        Ok(desk) => desk,
        Err(response) => return Ok(*response),
    };
    if !is_name(&wanted.name) {
        return Ok(Redirect::to(&guest.links().to("annotate")).into_response());
    }
    let items = desk.reviewable();
    let is_open = |item: &&Item| desk.reviews(|reviews| reviews.of(&wanted.name, &item.id).is_none());
    if wanted.id.is_empty() {
        return Ok(match items.iter().find(is_open) {
            Some(item) => Redirect::to(&address(guest.links(), &wanted.name, &item.id)).into_response(),
            None => nothing_left(&guest, &desk, &wanted.name, &items),
        });
    }
    let place = items.iter().position(|item| item.id == wanted.id).ok_or_else(|| Fault::not_found("question"))?;
    let mut reviewed = reviewed(&desk, &wanted.name, &items, place);
    let item = reviewed.item.clone();
    reviewed.pages = guest
        .visit
        .look(move |shelf| {
            let (catalog, names) = (&shelf.corpus.catalog, Names::new(&[&item], &shelf.corpus.catalog)?);
            let pages = item.gold.relevant().into_iter().take(SHOWN);
            Ok(pages.map(|page| (page.clone(), in_index(&names, catalog, page))).collect())
        })
        .await?;
    Ok(shown(&guest, &desk, &wanted.name, &reviewed))
}

fn address(links: Links<'_>, name: &str, id: &str) -> String {
    links.with("annotate/review", &[("as", name), ("id", id)])
}

fn reviewed(desk: &Desk, name: &str, items: &[Item], place: usize) -> Reviewed {
    let item = items.get(place).cloned().unwrap_or_default();
    let id = |place: Option<usize>| place.and_then(|place| items.get(place)).map(|item| item.id.clone());
    desk.reviews(|reviews| {
        let mine = reviews.of(name, &item.id).cloned();
        let others = reviews.all(&item.id).filter(|(other, _)| mine.is_some() && *other != name);
        Reviewed {
            number: place + 1,
            n: items.len(),
            done: items.iter().filter(|item| reviews.of(name, &item.id).is_some()).count(),
            others: others.map(|(name, review)| (name.to_owned(), review.clone())).collect(),
            mine,
            neighbours: [id(place.checked_sub(1)), id(Some(place + 1))],
            pages: Vec::new(),
            item,
        }
    })
}

/// A score is given.
pub(super) async fn give(guest: Guest, Form(given): Form<Given>) -> Result<Response, Oops> {
    guest.visit.needs(Right::Ask)?;
    let desk = match desk(&guest) {
        Ok(desk) => desk,
        Err(response) => return Ok(*response),
    };
    let score = given.score.trim().parse().ok().filter(|score| *score <= 100);
    if !is_name(&given.name) || desk.reviewable().iter().all(|item| item.id != given.id) {
        return Err(Fault::not_found("question").into());
    }
    let links = guest.links();
    let to = links.with("annotate/review", &[("as", &given.name)]);
    let kept = guest.visit.app.work(move || {
        let score = score.ok_or_else(|| usage("score: expected a whole number from 0 to 100"))?;
        let review = Review { id: given.id, score, reason: given.reason.trim().into() };
        desk.reviews(|reviews| reviews.give(&given.name, review))
    });
    kept.await?;
    Ok(Redirect::to(&to).into_response())
}

fn shown(guest: &Guest, desk: &Arc<Desk>, name: &str, reviewed: &Reviewed) -> Response {
    let links = guest.links();
    let step = |to: &Option<String>, key: &str, label: &str, sign: &str| {
        html! { @if let Some(id) = to { a.button.quiet href=(address(links, name, id)) data-key=(key) title={ (label) " (" (key) ")" } aria-label=(label) { (sign) } } }
    };
    let content = html! {
        div #study.study data-as=(name) data-id=(reviewed.item.id) {
            div.study-top {
                (ways(links, desk, name, "annotate/review"))
                div.task {
                    div.task-head {
                        span.num { "Review " (reviewed.number) " of " (reviewed.n) }
                        progress.short max=(reviewed.n) value=(reviewed.done) aria-label="Reviewed" {}
                        span.num { (reviewed.done) " reviewed" }
                        span.steps-nav { (step(&reviewed.neighbours[0], "[", "Question before", "‹")) (step(&reviewed.neighbours[1], "]", "Next question", "›")) }
                    }
                    h1 { (reviewed.item.question) }
                    p { "Answer: " b { (gold(&reviewed.item)) } }
                }
            }
            div.study-body {
                div.study-main { (pages(links, reviewed)) }
                aside.study-side aria-label="Your review" { (form(links, name, reviewed)) (others(reviewed)) }
            }
        }
    };
    guest.bare("annotate", "Review", &["keys.js", "annotate.js"], &content)
}

fn pages(links: Links<'_>, reviewed: &Reviewed) -> Markup {
    html! {
        @if reviewed.pages.is_empty() { div.hint { p { "No page is named as evidence." } } }
        div.proof { @for (named, page) in &reviewed.pages {
            figure {
                figcaption { b { (name(named.doc.as_str())) } " " span.num { "page " (named.page) }
                    @if let Some(page) = page { " " a href=(links.page(page)) target="_blank" rel="noopener" { "open" span.unseen { " in the viewer" } } } }
                @match page {
                    Some(page) => { div.sheet { img src=(links.image(page, super::link::DPI)) alt={ "Page " (page.page) } loading="lazy" decoding="async"; } }
                    None => { p.note.warn { "This page is not in the collection." } }
                }
            }
        } }
    }
}

fn form(links: Links<'_>, name: &str, reviewed: &Reviewed) -> Markup {
    let mine = reviewed.mine.as_ref();
    html! {
        form #answering method="post" action=(links.to("annotate/review")) {
            input type="hidden" name="as" value=(name);
            input type="hidden" name="id" value=(reviewed.item.id);
            label for="answer" { b { "Score" } " " small { "0 to 100; " (GOOD) " and more is good" } }
            input #answer.score type="number" name="score" min="0" max="100" required value=[mine.map(|review| review.score)] data-key="a" autofocus;
            label for="reason" { b { "Reason" } }
            textarea #reason name="reason" rows="4" maxlength="20000" { (mine.map(|review| review.reason.as_str()).unwrap_or_default()) }
            p { button.main data-key="Ctrl+Enter" title="Ctrl+Enter" { "Give score" } }
            p.dim { "Is the question clear without its pages? Do the pages hold the answer, all of it, and no other pages an answer that differs?" }
        }
    }
}

fn others(reviewed: &Reviewed) -> Markup {
    html! {
        section aria-label="Other reviewers" {
            h2 { "Other reviewers" }
            @if reviewed.mine.is_none() { p.dim { "Shown once you have given your score." } }
            @else if reviewed.others.is_empty() { p.dim { "Nobody else yet." } }
            @for (name, review) in &reviewed.others { p { b { (name) } " " span.tag.good[review.score >= GOOD].warn[review.score < GOOD] { (review.score) } " " (review.reason) } }
        }
    }
}

fn nothing_left(guest: &Guest, desk: &Desk, name: &str, items: &[Item]) -> Response {
    let links = guest.links();
    let rows: Vec<(&Item, Vec<(String, u8)>)> = desk.reviews(|reviews| {
        let scores =
            |item: &Item| reviews.all(&item.id).map(|(name, review)| (name.to_owned(), review.score)).collect();
        items.iter().map(|item| (item, scores(item))).collect()
    });
    let content = html! {
        div.column {
            (ways(links, desk, name, "annotate/review"))
            @if items.is_empty() { (empty("Nothing to review", &html! { p.dim { "Questions of the set and those written here are reviewed." } })) }
            @else {
                h1 { "All reviewed" }
                p.lead { "A question is good if two reviewers or more give it " (GOOD) " or more, and none less." }
                table.list {
                    thead { tr { th scope="col" { "Question" } th scope="col" { "Scores" } th scope="col" { "Good" } } }
                    tbody { @for (item, scores) in &rows { tr {
                        th scope="row" { a href=(address(links, name, &item.id)) { (item.question) } }
                        td.num data-name="Scores" { @for (at, (name, score)) in scores.iter().enumerate() { @if at > 0 { ", " } (name) " " (score) } }
                        td { @if is_good(scores) { span.tag.good { "good" } } @else if scores.len() < 2 { span.dim { "one reviewer" } } @else { span.tag.warn { "not good" } } }
                    } } }
                }
            }
        }
    };
    guest.page("annotate", "All reviewed", &[], &content)
}

fn is_good(scores: &[(String, u8)]) -> bool {
    scores.len() >= 2 && scores.iter().all(|(_, score)| *score >= GOOD)
}
