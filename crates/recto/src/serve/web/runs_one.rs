//! One run: its scores, and its items, which can be filtered.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::Query;
use axum::response::Response;
use maud::{Markup, html};
use recto_bench::evaluation::MeasureScores;
use recto_bench::report::RIGHT;
use recto_bench::{Evaluation, Item, Outcome, Row};
use serde::Deserialize;

use super::guest::Guest;
use super::layout::{Oops, capital};
use super::link::Links;
use super::runs::number;
use super::runs_item::{gold, said};
use super::runs_kept::{named, roots};
use crate::commands::bench::score::Scored;
use crate::output;
use crate::serve::scores::Scores;

/// Items on a page.
const LISTED: usize = 100;

/// Which items of which run.
#[derive(Deserialize, Default, Clone)]
#[serde(default)]
pub(super) struct Wanted {
    pub(super) run: String,
    /// One of [`SHOWN`].
    show: String,
    /// Words of the question, the answer or the id.
    q: String,
    /// `kind:name`
    slice: String,
    from: usize,
    /// The item that is opened.
    pub(super) id: String,
}

/// Filters by how an item ended: value, text.
const SHOWN: [(&str, &str); 6] = [
    ("", "all items"),
    ("wrong", "wrong"),
    ("right", "right"),
    ("declined", "declined"),
    ("failed", "failed"),
    ("missing", "without an answer"),
];

/// `.../runs/one`
pub(super) async fn page(
    guest: Guest,
    Extension(kept): Extension<Scores>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Oops> {
    let (places, name) = (roots(&guest.visit.collection), wanted.run.clone());
    let scored = guest.visit.app.work(move || kept.scored(&named(&places, &name)?.dir)).await?;
    let links = guest.links();
    let content = html! {
        div.column {
            p { a href=(links.to("runs")) { "Runs" } }
            h1 { (wanted.run) }
            (facts(&scored))
            p.row { a.button href=(links.with("runs/report", &[("a", &wanted.run)])) { "Full report" } }
            (scores(&scored.evaluation))
            h2 #items { "Items" }
            (filters(links, &wanted, &scored))
            (items(links, &wanted, &scored))
        }
    };
    Ok(guest.page("runs", &wanted.run, &["keys.js"], &content))
}

fn facts(scored: &Scored) -> Markup {
    let Scored { config, evaluation, rows, .. } = scored;
    let total = |of: fn(&Row) -> Option<f64>| rows.values().filter_map(of).sum::<f64>();
    let dollars = total(|row| row.usage.dollars);
    let steps = total(|row| row.usage.steps.map(f64::from));
    html! {
        ul.facts {
            li { (config.system) }
            li { (config.set) ", " (output::count(evaluation.n_items as u64, "item")) }
            @if !evaluation.missing.is_empty() { li { span.tag.warn { (evaluation.missing.len()) " without a row" } } }
            @if !evaluation.failed.is_empty() { li { span.tag.bad { (evaluation.failed.len()) " failed" } } }
            @if steps > 0.0 { li.num { (format!("{:.1}", steps / rows.len().max(1) as f64)) " steps an item" } }
            @if dollars > 0.0 { li.num { "$" (format!("{dollars:.2}")) } }
            @if !config.version.is_empty() { li { "recto " (config.version) } }
        }
    }
}

fn scores(evaluation: &Evaluation) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Scores" { table.list.compact {
            thead { tr { th scope="col" { "Measure" } th.num scope="col" { "Score" } th.num scope="col" { "95 % interval" } th.num scope="col" { "Items" } th scope="col" { "Not scored" } } }
            tbody { @for MeasureScores { measure, value, interval, n, unscored, .. } in &evaluation.measures { tr {
                th scope="row" { (measure) }
                td.num data-name="Score" { b { (number(*value)) } }
                td.num data-name="95 %" { @if let Some((low, high)) = interval { (number(Some(*low))) " to " (number(Some(*high))) } }
                td.num data-name="Items" { (n) }
                td { @for (why, n) in unscored { small { (n) ": " (why) " " } } }
            } } }
        } }
    }
}

/// The measure that says whether an item is right: the first that scores items.
pub(super) fn main_measure(evaluation: &Evaluation) -> Option<&MeasureScores> {
    evaluation.measures.iter().find(|scores| !scores.items.is_empty())
}

/// The items that are meant, in the benchmark's order.
pub(super) fn chosen<'a>(wanted: &Wanted, scored: &'a Scored) -> Vec<&'a Item> {
    let main = main_measure(&scored.evaluation);
    let words: Vec<String> = wanted.q.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let slice = wanted.slice.split_once(':');
    let is_meant = |item: &&Item| {
        let row = scored.rows.get(&item.id);
        let outcome = row.map_or(Outcome::Missing, |row| row.outcome);
        let is_right = main.and_then(|main| main.items.get(&item.id)).map(|score| *score >= RIGHT);
        let ended = match wanted.show.as_str() {
            "right" => is_right == Some(true),
            "wrong" => is_right == Some(false),
            "declined" => outcome == Outcome::Declined,
            "failed" => outcome == Outcome::Failed,
            "missing" => outcome == Outcome::Missing,
            _ => true,
        };
        ended && in_slice(item, slice) && (words.is_empty() || holds(item, row, &words))
    };
    scored.set.items.iter().filter(is_meant).collect()
}

fn in_slice(item: &Item, slice: Option<(&str, &str)>) -> bool {
    slice.is_none_or(|(kind, name)| item.slices.get(kind).is_some_and(|names| names.contains(name)))
}

fn holds(item: &Item, row: Option<&Row>, words: &[String]) -> bool {
    let text = format!("{} {} {}", item.id, item.question, row.map(said).unwrap_or_default()).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn filters(links: Links<'_>, wanted: &Wanted, scored: &Scored) -> Markup {
    let mut slices: BTreeMap<&str, std::collections::BTreeSet<&str>> = BTreeMap::new();
    for (kind, names) in scored.set.items.iter().flat_map(|item| &item.slices) {
        slices.entry(kind).or_default().extend(names.iter().map(String::as_str));
    }
    html! {
        form.fields method="get" action=(links.to("runs/one")) role="search" {
            input type="hidden" name="run" value=(wanted.run);
            label { "Show" select name="show" { @for (value, text) in SHOWN { option value=(value) selected[value == wanted.show] { (text) } } } }
            @if !slices.is_empty() { label { "Of" select name="slice" {
                option value="" { "every kind" }
                @for (kind, names) in &slices { optgroup label=(kind) { @for name in names {
                    @let value = format!("{kind}:{name}");
                    option value=(value) selected[value == wanted.slice] { (name) }
                } } }
            } } }
            label { "Words" input type="search" name="q" value=(wanted.q) placeholder="question, answer or id" data-key="/"; }
            button { "Show" }
        }
    }
}

/// The address of these items.
pub(super) fn address(links: Links<'_>, what: &str, wanted: &Wanted, id: &str, from: usize) -> String {
    let from = if from == 0 { String::new() } else { from.to_string() };
    let Wanted { run, show, q, slice, .. } = wanted;
    links.with(what, &[("run", run), ("show", show), ("q", q), ("slice", slice), ("from", &from), ("id", id)])
}

fn items(links: Links<'_>, wanted: &Wanted, scored: &Scored) -> Markup {
    let chosen = chosen(wanted, scored);
    let main = main_measure(&scored.evaluation);
    html! {
        @if chosen.is_empty() { p.dim role="status" { "No item is like that." } } @else {
            p.dim.num role="status" { (output::count(chosen.len() as u64, "item")) @if let Some(main) = main { "; right is " (main.measure) " of " (RIGHT) " and more" } }
            table.list.asked {
                thead { tr { th scope="col" { "Question" } th scope="col" { "Right answer" } th scope="col" { "Said" } th.num scope="col" { @if let Some(main) = main { (main.measure) } @else { "Score" } } } }
                tbody { @for item in chosen.iter().skip(wanted.from).take(LISTED) { (line(links, wanted, scored, main, item)) } }
            }
            nav.row aria-label="More items" {
                @if wanted.from > 0 { a.button href=(address(links, "runs/one", wanted, "", wanted.from.saturating_sub(LISTED))) { "Previous" } }
                @if chosen.len() > wanted.from.saturating_add(LISTED) { a.button href=(address(links, "runs/one", wanted, "", wanted.from + LISTED)) { "More" } }
            }
        }
    }
}

fn line(links: Links<'_>, wanted: &Wanted, scored: &Scored, main: Option<&MeasureScores>, item: &Item) -> Markup {
    let row = scored.rows.get(&item.id);
    let score = main.and_then(|main| main.items.get(&item.id)).copied();
    html! {
        tr {
            th scope="row" { a href=(address(links, "runs/item", wanted, &item.id, 0)) { (item.question) } span.title { (item.id) } }
            td { (gold(item)) }
            td { (ended(row)) }
            td.num data-name="Score" { span class=(mark(score)) { (number(score)) } }
        }
    }
}

/// The class of a score.
pub(super) fn mark(score: Option<f64>) -> &'static str {
    match score {
        Some(score) if score >= RIGHT => "tag good",
        Some(_) => "tag bad",
        None => "dim",
    }
}

/// What a row says, or why it says nothing.
pub(super) fn ended(row: Option<&Row>) -> Markup {
    html! {
        @match row {
            None => { span.tag.warn { "no row" } }
            Some(row) => { @match row.outcome {
                Outcome::Declined => { span.tag { "not in the documents" } }
                Outcome::Failed => { span.tag.bad { "failed" } @if let Some(fault) = &row.fault { " " small { (capital(&fault.why)) } } }
                Outcome::Missing => { span.tag.warn { "no row" } }
                Outcome::Done if row.answer.is_none() => { span.dim { (output::count(row.ranking.len() as u64, "page")) " ranked" } }
                Outcome::Done => { (said(row)) }
            } }
        }
    }
}
