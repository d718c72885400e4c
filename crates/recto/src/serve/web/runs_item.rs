//! One item of a run: what was asked, what is right, what was said, the pages of both side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use axum::Extension;
use axum::extract::Query;
use axum::response::Response;
use maud::{Markup, html};
use recto_bench::judge::judging::Judgement;
use recto_bench::judge::record;
use recto_bench::row::Search;
use recto_bench::{AnswerText, Item, Row};
use recto_page::{Catalog, PageId};

use super::guest::Guest;
use super::layout::{Oops, name};
use super::link::{DPI, Links};
use super::runs::{number, of_item};
use super::runs_kept::{named, roots};
use super::runs_one::{Wanted, address, chosen, ended, mark};
use crate::commands::bench::names::Names;
use crate::commands::bench::score::Scored;
use crate::output;
use crate::serve::fault::Fault;
use crate::serve::scores::Scores;

/// Pages of one side that are shown.
const SHOWN: usize = 6;
/// Pages of a ranking that are named.
const RANKED: usize = 10;

/// What the page shows.
struct Shown {
    scored: Arc<Scored>,
    item: Item,
    judgements: Vec<Judgement>,
    /// Where pages of the benchmark are in the index.
    places: BTreeMap<PageId, PageId>,
}

/// `.../runs/item`
pub(super) async fn page(
    guest: Guest,
    Extension(kept): Extension<Scores>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let (served, asked) = (roots(&guest.visit.collection), wanted.clone());
    let (scored, judgements) = guest
        .visit
        .app
        .work(move || {
            let dir = named(&served, &asked.run)?.dir;
            Ok((kept.scored(&dir)?, judged(&dir, &asked.id)))
        })
        .await?;
    let item = scored.set.items.iter().find(|item| item.id == wanted.id).cloned();
    let item = item.ok_or_else(|| Fault::not_found("item"))?;
    let places = places(&guest, &item, scored.rows.get(&item.id)).await?;
    let shown = Shown { scored, item, judgements, places };
    let content = content(guest.links(), &wanted, &shown);
    Ok(guest.page("runs", &shown.item.question, &["keys.js"], &content))
}

fn judged(dir: &Path, id: &str) -> Vec<Judgement> {
    let judgements = record::read(dir).unwrap_or_default();
    judgements.into_iter().filter(|judgement| judgement.item == id).collect()
}

/// The pages that the item and its row name, in the index; without one there are none.
async fn places(guest: &Guest, item: &Item, row: Option<&Row>) -> Result<BTreeMap<PageId, PageId>, Fault> {
    let said =
        row.into_iter().flat_map(|row| row.pages.iter().chain(row.ranking.iter().map(|ranked| &ranked.page)).take(100));
    let pages: BTreeSet<PageId> = item.gold.relevant().into_iter().chain(said).cloned().collect();
    let item = item.clone();
    let found = guest.visit.look(move |shelf| {
        let names = Names::new(&[&item], &shelf.corpus.catalog)?;
        let place = |page: PageId| in_index(&names, &shelf.corpus.catalog, &page).map(|inside| (page, inside));
        Ok(pages.into_iter().filter_map(place).collect())
    });
    match found.await {
        Err(fault) if fault.code() == "not_ready" => Ok(BTreeMap::new()),
        found => found,
    }
}

/// A page of a benchmark, or one that a system named as the index does, in the index.
pub(super) fn in_index(names: &Names, catalog: &Catalog, page: &PageId) -> Option<PageId> {
    let exists = |page: &PageId| catalog.document(&page.doc).is_ok_and(|document| page.page.get() <= document.n_pages);
    names.in_index(page).or_else(|| Some(page.clone())).filter(exists)
}

fn content(links: Links<'_>, wanted: &Wanted, shown: &Shown) -> Markup {
    let Shown { scored, item, .. } = shown;
    let row = scored.rows.get(&item.id);
    html! {
        div.column.wider {
            (way(links, wanted, scored))
            h1.question { (item.question) }
            (facts(shown, row))
            div.sides {
                section aria-label="Right" {
                    h2 { "Right" }
                    p.answer-text { (gold(item)) }
                    (pages(links, shown, item.gold.relevant().into_iter(), None))
                }
                section aria-label="Said" {
                    h2 { "Said" }
                    p.answer-text { (ended(row)) }
                    @if let Some(row) = row { (pages(links, shown, row.pages.iter(), Some("No page was cited."))) }
                }
            }
            @if let Some(row) = row { (way_there(links, shown, row)) }
            (verdicts(&shown.judgements))
        }
    }
}

/// To the list, and to the items before and after in it.
fn way(links: Links<'_>, wanted: &Wanted, scored: &Scored) -> Markup {
    let items = chosen(wanted, scored);
    let place = items.iter().position(|item| item.id == wanted.id);
    let at = |place: Option<usize>| place.and_then(|place| items.get(place));
    let step = |item: Option<&&Item>, key: &str, label: &str, sign: &str| {
        html! { @if let Some(item) = item { a.button.quiet href=(address(links, "runs/item", wanted, &item.id, 0)) data-key=(key) title={ (label) " (" (key) ")" } aria-label=(label) { (sign) } } }
    };
    html! {
        div.row.between {
            p { a href=(links.to("runs")) { "Runs" } " › " a href=(address(links, "runs/one", wanted, "", 0)) data-key="u" { (wanted.run) } }
            div.row.num {
                @if let Some(place) = place { span.dim { (place + 1) " of " (items.len()) } }
                (step(at(place.and_then(|place| place.checked_sub(1))), "k", "Item before", "‹"))
                (step(at(place.map(|place| place + 1)), "j", "Next item", "›"))
            }
        }
    }
}

fn facts(shown: &Shown, row: Option<&Row>) -> Markup {
    let item = &shown.item;
    html! {
        ul.facts {
            @for (measure, score) in of_item(&shown.scored.evaluation, &item.id) { li { (measure) " " span class=(mark(Some(score))) { (number(Some(score))) } } }
            @if let Some(row) = row {
                @if let Some(steps) = row.usage.steps { li.num { (output::count(steps.into(), "step")) } }
                @if let Some(pages) = row.usage.pages { li.num { (output::count(pages.into(), "page")) " looked at" } }
                @if let Some(tokens) = row.usage.input_tokens { li.num { (tokens) " tokens in, " (row.usage.output_tokens.unwrap_or_default()) " out" } }
                @if let Some(dollars) = row.usage.dollars { li.num { "$" (format!("{dollars:.4}")) } }
                @if let Some(confidence) = row.confidence { li.num { "sure to " (format!("{:.0} %", 100.0 * confidence)) } }
            }
            @for (kind, names) in &item.slices { li.dim { (kind) ": " @for (at, name) in names.iter().enumerate() { @if at > 0 { ", " } (name) } } }
            li.dim { (item.id) }
        }
    }
}

fn pages<'a>(
    links: Links<'_>,
    shown: &Shown,
    pages: impl ExactSizeIterator<Item = &'a PageId>,
    none: Option<&str>,
) -> Markup {
    let (right, n) = (shown.item.gold.relevant(), pages.len());
    html! {
        @if n == 0 { p.dim { (none.unwrap_or("The benchmark names no page.")) } }
        div.proof { @for page in pages.take(SHOWN) {
            figure {
                figcaption { b { (name(page.doc.as_str())) } " " span.num { "page " (page.page) }
                    @if none.is_some() && !right.is_empty() { " " @if right.contains(page) { span.tag.good { "right page" } } @else { span.tag.bad { "another page" } } } }
                @match shown.places.get(page) {
                    Some(inside) => { a.sheet href=(links.page(inside)) { img src=(links.image(inside, DPI)) alt={ "Page " (page.page) " of " (page.doc) } loading="lazy" decoding="async"; } }
                    None => { p.note { "This page is not in the collection." } }
                }
            }
        } }
        @if n > SHOWN { p.dim { "and " (n - SHOWN) " more" } }
    }
}

/// Searches, and the ranking.
fn way_there(links: Links<'_>, shown: &Shown, row: &Row) -> Markup {
    let right = shown.item.gold.relevant();
    html! {
        @if !row.searches.is_empty() {
            h2 { "Searches" }
            ol.history { @for Search { query, pages } in &row.searches { li {
                (query) " " span.dim.num { (output::count(pages.len() as u64, "page")) }
                @if let Some(place) = pages.iter().position(|page| right.contains(page)) { " " span.tag.good { "right page at " (place + 1) } }
            } } }
        }
        @if !row.ranking.is_empty() {
            h2 { "Ranking" }
            ol.ranking { @for ranked in row.ranking.iter().take(RANKED) { li {
                @match shown.places.get(&ranked.page) { Some(inside) => { a href=(links.page(inside)) { (ranked.page) } } None => { (ranked.page) } }
                " " span.dim.num { (format!("{:.3}", ranked.score)) } @if right.contains(&ranked.page) { " " span.tag.good { "right page" } }
            } } }
            @if row.ranking.len() > RANKED { p.dim { "and " (row.ranking.len() - RANKED) " more" } }
        }
    }
}

fn verdicts(judgements: &[Judgement]) -> Markup {
    html! {
        @if !judgements.is_empty() {
            h2 { "Judges" }
            @for judgement in judgements { div.card {
                p { b { (judgement.judge) } @if !judgement.by.is_empty() { " by " (judgement.by) }
                    @if let Some(verdict) = &judgement.verdict { " " span class=(mark(Some(verdict.score))) { (number(Some(verdict.score))) } " " (verdict.label) } }
                @if let Some(verdict) = &judgement.verdict { p { (verdict.reason) } }
                @if let Some(fault) = &judgement.fault { p.note.bad { (fault) } }
            } }
        }
    }
}

/// What is right, in one line.
pub(super) fn gold(item: &Item) -> String {
    match item.gold.answers.as_slice() {
        [] if item.gold.unanswerable => "Not in the documents".into(),
        answers => answers.iter().map(|answer| answer.join("; ")).collect::<Vec<_>>().join(" | "),
    }
}

/// What was said, in one line.
pub(super) fn said(row: &Row) -> String {
    row.answer.as_ref().map(AnswerText::entries).unwrap_or_default().join("; ")
}
