//! `recto bench select`: which items of a benchmark tell systems apart, from what systems made of them.

use std::collections::BTreeSet;

use recto_bench::stats::item_analysis::{ItemStatistics, kr20, select, statistics};
use serde::Serialize;

use super::score::scored;
use crate::args::BenchSelectArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::output;

/// From this score on an item is right.
const RIGHT: f64 = 0.5;

#[derive(Serialize)]
struct Told {
    id: String,
    difficulty: f64,
    discrimination: Option<f64>,
    discrimination_rest: Option<f64>,
}

#[derive(Serialize)]
struct Selection {
    measure: String,
    n_systems: usize,
    n_items: usize,
    /// Of all items.
    kr20: Option<f64>,
    items: Vec<Told>,
}

pub(crate) fn run(args: &BenchSelectArgs, config: &Config) -> anyhow::Result<Finish> {
    let measures: Vec<String> = args.measure.iter().cloned().collect();
    let mut scores = Vec::new();
    for run in &args.runs {
        let scored = scored(run, args.set.as_deref(), &measures)?.evaluation;
        let measured = scored.measures.into_iter().next().filter(|measured| !measured.items.is_empty());
        scores.push(measured.ok_or_else(|| usage(format!("{}: the measure scores no item", run.display())))?);
    }
    let Some(first) = scores.first() else { return Ok(Finish::Done) };
    let ids: BTreeSet<&String> = first.items.keys().collect();
    if scores.iter().any(|of| of.measure != first.measure || of.items.keys().collect::<BTreeSet<_>>() != ids) {
        return Err(usage("the runs are not scored on the same items by the same measure"));
    }
    let right: Vec<Vec<bool>> =
        scores.iter().map(|of| of.items.values().map(|score| *score >= RIGHT).collect()).collect();
    let statistics = statistics(&right);
    let told = |at: usize| {
        let (id, of) = (first.items.keys().nth(at)?, statistics.get(at)?);
        let ItemStatistics { difficulty, discrimination, discrimination_rest, .. } = *of;
        Some(Told { id: id.clone(), difficulty, discrimination, discrimination_rest })
    };
    let chosen = select(&statistics, args.n, args.sentinels, args.bins);
    tell(
        &Selection {
            measure: first.measure.to_string(),
            n_systems: scores.len(),
            n_items: ids.len(),
            kr20: kr20(&right),
            items: chosen.into_iter().filter_map(told).collect(),
        },
        config,
    )
}

fn tell(selection: &Selection, config: &Config) -> anyhow::Result<Finish> {
    if config.json {
        output::json(selection)?;
        return Ok(Finish::Done);
    }
    let or_none = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.3}"));
    let Selection { measure, n_systems, n_items, kr20, items } = selection;
    output::note(format_args!("{measure}, {n_systems} systems, {n_items} items, KR-20 {}", or_none(*kr20)));
    output::line(format_args!("{:>10} {:>14} {:>8}  item", "difficulty", "discrimination", "of rest"))?;
    for Told { id, difficulty, discrimination, discrimination_rest } in items {
        let (total, rest) = (or_none(*discrimination), or_none(*discrimination_rest));
        output::line(format_args!("{difficulty:>10.3} {total:>14} {rest:>8}  {id}"))?;
    }
    Ok(Finish::Done)
}
