//! *Runs*: what systems and people said to a benchmark's questions, and how right they were.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::Query;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use maud::{Markup, html};
use recto_bench::report::{self, Layout, Pictures, Run};
use recto_bench::{Evaluation, run_dir};
use recto_page::PageId;
use serde::Deserialize;

use super::guest::Guest;
use super::layout::{Oops, capital, empty};
use super::link::Links;
use super::runs_kept::{OnDisk, found, named, roots};
use super::{runs_compare, runs_item, runs_one};
use crate::commands::bench::score::Scored;
use crate::serve::fault::Fault;
use crate::serve::scores::Scores;
use crate::serve::state::App;

/// Larger results are scored only when their run is opened.
const LARGE: u64 = 16 << 20;
/// Measures that the list shows of each run.
const MEASURES: usize = 3;

pub(super) fn router(scores: Scores) -> Router<Arc<App>> {
    Router::new()
        .route("/c/{collection}/runs", get(page))
        .route("/c/{collection}/runs/one", get(runs_one::page))
        .route("/c/{collection}/runs/item", get(runs_item::page))
        .route("/c/{collection}/runs/compare", get(runs_compare::page))
        .route("/c/{collection}/runs/report", get(report_of))
        .layer(Extension(scores))
}

/// Runs that are meant.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Two {
    pub(super) a: String,
    pub(super) b: String,
}

/// A run in the list.
struct Listed {
    run: OnDisk,
    system: String,
    set: String,
    rows: usize,
    scores: Result<Option<Arc<Scored>>, String>,
}

/// `/c/{collection}/runs`
async fn page(guest: Guest, Extension(kept): Extension<Scores>) -> Result<Response, Oops> {
    let places = roots(&guest.visit.collection);
    if places.is_empty() {
        return Ok(nowhere(&guest));
    }
    let listed = guest
        .visit
        .app
        .work(move || Ok(found(&places).into_iter().map(|run| listed(run, &kept)).collect::<Vec<_>>()))
        .await?;
    let content = html! {
        div.column {
            h1 { "Runs" }
            @if listed.is_empty() { (empty("No runs yet", &html! {
                p.dim { "A run appears here as soon as it has begun:" }
                pre { "recto bench run --set questions.jsonl --system hybrid --out RUNS/hybrid" }
            })) }
            @else { (list(guest.links(), &listed)) }
        }
    };
    Ok(guest.page("runs", "Runs", &["keys.js"], &content))
}

fn nowhere(guest: &Guest) -> Response {
    let content = empty(
        "No folder of runs",
        &html! {
            p.dim { "Measure a system on questions whose answers are known, then look at its answers beside the right pages:" }
            pre { "recto bench run --set questions.jsonl --system hybrid --out runs/hybrid\nrecto serve --runs runs" }
        },
    );
    guest.page("runs", "Runs", &[], &content)
}

fn listed(run: OnDisk, kept: &Scores) -> Listed {
    let config = run_dir::config(&run.dir);
    let file = run_dir::results(&run.dir);
    let size = std::fs::metadata(&file).map(|found| found.len()).unwrap_or_default();
    let scores =
        if size > LARGE { Ok(None) } else { kept.scored(&run.dir).map(Some).map_err(|error| format!("{error:#}")) };
    let rows = scores.as_ref().ok().and_then(Option::as_ref).map_or(0, |scored| scored.rows.len());
    let (system, set) = config.map(|config| (config.system, config.set)).unwrap_or_default();
    Listed { run, system, set, rows, scores }
}

fn list(links: Links<'_>, listed: &[Listed]) -> Markup {
    let [a, b] = comparable(listed);
    html! {
        form method="get" action=(links.to("runs/compare")) {
            table.list {
                thead { tr {
                    th scope="col" { "Run" } th scope="col" { "Benchmark" } th scope="col" { "Scores" } th scope="col" { "Items" }
                    @if listed.len() > 1 { th.num scope="col" title="First of two to compare" { "A" } th.num scope="col" title="Second of two to compare" { "B" } }
                } }
                tbody { @for (at, one) in listed.iter().enumerate() { (line(links, one, [at == a, at == b], listed.len())) } }
            }
            @if listed.len() > 1 { p.row.end { span.dim { "Choose two of one benchmark:" } button.main { "Compare A and B" } } }
        }
    }
}

fn line(links: Links<'_>, one: &Listed, is_chosen: [bool; 2], n: usize) -> Markup {
    let name = &one.run.name;
    let choice = |which: &str, is_chosen: bool| {
        html! { td.num data-name=(which.to_uppercase()) { input type="radio" name=(which) value=(name) checked[is_chosen] aria-label={ (name) " as " (which.to_uppercase()) }; } }
    };
    html! {
        tr {
            th scope="row" { a href=(links.with("runs/one", &[("run", name)])) { (name) } @if !one.system.is_empty() { span.title { (one.system) } } }
            td { (one.set) }
            td { @match &one.scores {
                Ok(Some(scored)) => { (headline(&scored.evaluation)) }
                Ok(None) => { span.dim { "large: open it to have it scored" } }
                Err(why) => { span.tag.bad { "can’t be scored" } " " small { (capital(why)) } }
            } }
            td.num data-name="Items" { @if let Ok(Some(scored)) = &one.scores { (one.rows) " of " (scored.evaluation.n_items)
                @if !scored.evaluation.failed.is_empty() { br; span.tag.warn { (scored.evaluation.failed.len()) " failed" } } } }
            @if n > 1 { (choice("a", is_chosen[0])) (choice("b", is_chosen[1])) }
        }
    }
}

/// The first two that can be compared: of the same benchmark.
fn comparable(listed: &[Listed]) -> [usize; 2] {
    let second =
        |a: usize, set: &str| (a + 1..listed.len()).find(|b| listed.get(*b).is_some_and(|other| other.set == set));
    let pair = |(a, one): (usize, &Listed)| second(a, &one.set).map(|b| [a, b]);
    listed.iter().enumerate().find_map(pair).unwrap_or([0, 1])
}

/// The first scores of a run, in one line.
pub(super) fn headline(evaluation: &Evaluation) -> Markup {
    html! {
        ul.headline { @for scores in evaluation.measures.iter().filter(|scores| scores.value.is_some()).take(MEASURES) {
            li { small { (scores.measure) } " " b.num { (number(scores.value)) } }
        } }
    }
}

/// A score as it is shown.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), |value| format!("{value:.3}"))
}

/// `.../runs/report`: the report of one or two runs, as `recto bench report` makes it; its pages lead to the viewer.
async fn report_of(guest: Guest, Extension(kept): Extension<Scores>, Query(two): Query<Two>) -> Result<Response, Oops> {
    let (places, collection) = (roots(&guest.visit.collection), guest.visit.collection.name.clone());
    let html = guest.visit.app.work(move || made(&two, &places, &kept, Links { collection: &collection })).await?;
    // The page's own policy names its script; sent with it, since ours would forbid its style.
    let policy = html.split_once("Content-Security-Policy\" content=\"").and_then(|(_, rest)| rest.split_once('"'));
    let policy = policy.map_or_else(|| "default-src 'none'".to_owned(), |(policy, _)| policy.replace('\n', " "));
    Ok(([(CONTENT_TYPE, "text/html; charset=utf-8".to_owned()), (CONTENT_SECURITY_POLICY, policy)], html)
        .into_response())
}

fn made(two: &Two, places: &[(&'static str, PathBuf)], kept: &Scores, links: Links<'_>) -> anyhow::Result<String> {
    let (mut runs, mut pictures, mut set) = (Vec::new(), Pictures::new(), None);
    for name in [&two.a, &two.b].into_iter().filter(|name| !name.is_empty()) {
        let dir = named(places, name)?.dir;
        let scored = kept.scored(&dir)?;
        pictures.extend(spoken_of(&scored).map(|page| (page.clone(), links.page(page))));
        runs.push(Run {
            config: scored.config.clone(),
            evaluation: scored.evaluation.clone(),
            rows: scored.rows.clone(),
            timings: run_dir::timings(&dir),
        });
        let first = set.get_or_insert_with(|| scored.set.clone());
        if first.items != scored.set.items {
            return Err(crate::exit::usage("the two runs are not of the same items"));
        }
    }
    Ok(report::html(&set.ok_or_else(|| Fault::not_found("run"))?, &runs, &pictures, &Layout::new()))
}

/// Pages that a report names.
fn spoken_of(scored: &Scored) -> impl Iterator<Item = &PageId> {
    let right = scored.set.items.iter().flat_map(|item| item.gold.relevant());
    right.chain(scored.rows.values().flat_map(|row| &row.pages))
}

/// The scores of an item, by measure.
pub(super) fn of_item<'a>(evaluation: &'a Evaluation, id: &'a str) -> BTreeMap<String, f64> {
    let scores = evaluation.measures.iter().filter_map(|of| Some((of.measure.to_string(), *of.items.get(id)?)));
    scores.collect()
}
