//! Two runs of one benchmark side by side: what `recto bench compare` tells, and the items in which they differ.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::Query;
use axum::response::Response;
use maud::{Markup, html};
use recto_bench::Item;

use super::guest::Guest;
use super::layout::Oops;
use super::link::Links;
use super::runs::{Two, number};
use super::runs_item::gold;
use super::runs_kept::{named, roots};
use super::runs_one::{ended, main_measure, mark};
use crate::commands::bench::compare::{Compared, between};
use crate::commands::bench::score::Scored;
use crate::exit::usage;
use crate::output;
use crate::serve::scores::Scores;

/// Items that are listed.
const LISTED: usize = 200;

/// `.../runs/compare`
pub(super) async fn page(
    guest: Guest,
    Extension(kept): Extension<Scores>,
    Query(two): Query<Two>,
) -> Result<Response, Oops> {
    let (places, asked) = (roots(&guest.visit.collection), two.clone());
    let compared = guest.visit.app.work(move || {
        if asked.a == asked.b || asked.a.is_empty() || asked.b.is_empty() {
            return Err(usage("a, b: choose two runs that differ"));
        }
        let [first, second] =
            [kept.scored(&named(&places, &asked.a)?.dir)?, kept.scored(&named(&places, &asked.b)?.dir)?];
        let told = between(&first.evaluation, &second.evaluation, &first.set)?;
        Ok((first, second, told))
    });
    let (first, second, told) = compared.await?;
    let links = guest.links();
    let content = html! {
        div.column.wider {
            p { a href=(links.to("runs")) { "Runs" } }
            h1 { (two.a) " and " (two.b) }
            p.lead { "A is " b { (two.a) } ", B is " b { (two.b) } ". A difference above 0 speaks for B." }
            p.row { a.button href=(links.with("runs/report", &[("a", &two.a), ("b", &two.b)])) { "Report of both" }
                a.button href=(links.with("runs/compare", &[("a", &two.b), ("b", &two.a)])) { "The other way round" } }
            @if told.is_empty() { p.note { "The runs have no measure and no items in common." } } @else { (measures(&told)) }
            (differing(links, &two, [&first, &second], &told))
        }
    };
    Ok(guest.page("runs", "Comparison", &["keys.js"], &content))
}

fn measures(told: &[Compared]) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Measures" { table.list.compact {
            thead { tr {
                th scope="col" { "Measure" } th.num scope="col" { "A" } th.num scope="col" { "B" } th.num scope="col" { "Difference" } th.num scope="col" { "95 % interval" }
                th.num scope="col" { "Items" } th.num scope="col" title="Items that B does better, and worse" { "Better, worse" } th.num scope="col" title="Corrected for the number of measures (Holm)" { "p" }
            } }
            tbody { @for of in told { tr {
                th scope="row" { (of.measure) }
                td.num data-name="A" { (number(Some(of.first))) }
                td.num data-name="B" { (number(Some(of.second))) }
                td.num data-name="Difference" { b { (signed(of.difference)) } }
                td.num data-name="95 %" { @if let Some((low, high)) = of.interval { (signed(low)) " to " (signed(high)) } }
                td.num data-name="Items" { (of.n) }
                td.num data-name="Better, worse" { (of.wins) ", " (of.losses) }
                td.num data-name="p" { (format!("{:.3}", of.p_corrected)) }
            } } }
        } }
    }
}

fn signed(value: f64) -> String {
    format!("{value:+.3}").replace('-', "−")
}

fn differing(links: Links<'_>, two: &Two, runs: [&Scored; 2], told: &[Compared]) -> Markup {
    let main = main_measure(&runs[0].evaluation).map(|scores| scores.measure.to_string());
    let differing = told.iter().find(|of| Some(&of.measure) == main.as_ref()).map(|of| of.items.as_slice());
    let items: BTreeMap<&str, &Item> = runs[0].set.items.iter().map(|item| (item.id.as_str(), item)).collect();
    html! {
        @if let (Some(measure), Some(differing)) = (&main, differing) {
            h2 { "Where they differ" }
            p.dim.num { (output::count(differing.len() as u64, "item")) ", by " (measure) }
            @if !differing.is_empty() { table.list {
                thead { tr { th scope="col" { "Question" } th scope="col" { "Right answer" } th scope="col" { "A" } th scope="col" { "B" } } }
                tbody { @for (id, _) in differing.iter().take(LISTED) { @if let Some(item) = items.get(id.as_str()) { (line(links, two, runs, item)) } } }
            } }
        }
    }
}

fn line(links: Links<'_>, two: &Two, runs: [&Scored; 2], item: &Item) -> Markup {
    let cell = |run: &Scored, name: &str| {
        let score = main_measure(&run.evaluation).and_then(|main| main.items.get(&item.id)).copied();
        html! { td { a.plain href=(links.with("runs/item", &[("run", name), ("id", &item.id)])) { (ended(run.rows.get(&item.id))) } " " span class=(mark(score)) { (number(score)) } } }
    };
    html! {
        tr {
            th scope="row" { (item.question) span.title { (item.id) } }
            td { (gold(item)) }
            (cell(runs[0], &two.a))
            (cell(runs[1], &two.b))
        }
    }
}
