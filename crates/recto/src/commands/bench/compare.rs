//! `recto bench compare`: two runs of the same items side by side.

use std::path::Path;

use recto_bench::evaluation::{SEED, cluster};
use recto_bench::stats::compare::{Comparison, compare, holm};
use recto_bench::{BenchmarkSet, Evaluation};
use serde::Serialize;

use super::score::{Scored, scored};
use crate::args::BenchCompareArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::output;

/// So many items are named on each side; `--json` has all.
const NAMED: usize = 8;

/// Two runs by one measure.
#[derive(Serialize)]
pub(crate) struct Compared {
    pub(crate) measure: String,
    pub(crate) first: f64,
    pub(crate) second: f64,
    pub(crate) n: usize,
    pub(crate) difference: f64,
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) wins: usize,
    pub(crate) losses: usize,
    pub(crate) p: f64,
    /// Corrected for the number of measures (Holm).
    pub(crate) p_corrected: f64,
    /// The items that differ, with the second score minus the first.
    pub(crate) items: Vec<(String, f64)>,
}

pub(crate) fn run(args: &BenchCompareArgs, config: &Config) -> anyhow::Result<Finish> {
    let told = compared(&args.first, &args.second, args.set.as_deref(), &args.measure)?;
    if config.json {
        output::json(&told)?;
        return Ok(Finish::Done);
    }
    output::line(format_args!("first: {}\nsecond: {}", args.first.display(), args.second.display()))?;
    output::line(format_args!(
        "{:18} {:>8} {:>8} {:>8}  {:18} {:>5} {:>5} {:>5} {:>8}",
        "measure", "first", "second", "by", "95 % interval", "n", "wins", "loss", "p (Holm)"
    ))?;
    for of in &told {
        let interval = of.interval.map_or_else(String::new, |(low, high)| format!("{low:+.3} to {high:+.3}"));
        output::line(format_args!(
            "{:18} {:>8.4} {:>8.4} {:>+8.4}  {interval:18} {:>5} {:>5} {:>5} {:>8.4}",
            of.measure, of.first, of.second, of.difference, of.n, of.wins, of.losses, of.p_corrected
        ))?;
    }
    for of in told.iter().filter(|of| !of.items.is_empty()) {
        output::line(format_args!("{}: {}", of.measure, named(&of.items)))?;
    }
    Ok(Finish::Done)
}

/// The items on which the second run is better and worse, the greatest differences first.
fn named(items: &[(String, f64)]) -> String {
    let mut sorted: Vec<&(String, f64)> = items.iter().collect();
    sorted.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then_with(|| a.0.cmp(&b.0)));
    let of = |word: &str, sign: f64| {
        let ids: Vec<&str> = sorted.iter().filter(|(_, by)| by * sign > 0.0).map(|(id, _)| id.as_str()).collect();
        let more = ids.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let first = ids.get(..NAMED).unwrap_or(&ids).join(", ");
        (!ids.is_empty()).then(|| format!("{word} on {first}{more}"))
    };
    let sides = [of("second better", 1.0), of("worse", -1.0)];
    sides.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The difference of two runs by every measure that both have.
pub(crate) fn compared(
    first: &Path,
    second: &Path,
    set: Option<&str>,
    measures: &[String],
) -> anyhow::Result<Vec<Compared>> {
    let Scored { evaluation: first, set: items, .. } = scored(first, set, measures)?;
    let second = scored(second, set, measures)?.evaluation;
    between(&first, &second, &items)
}

/// The same of runs that are scored, with the benchmark of the first.
pub(crate) fn between(first: &Evaluation, second: &Evaluation, set: &BenchmarkSet) -> anyhow::Result<Vec<Compared>> {
    let items = set.by_id();
    if first.set != second.set {
        return Err(usage(format!("the runs are of different benchmarks: {} and {}", first.set, second.set)));
    }
    let mut told = Vec::new();
    for (a, b) in first.measures.iter().zip(&second.measures).filter(|(a, b)| a.measure == b.measure) {
        let both = |id: &String| Some((id.clone(), *a.items.get(id)?, *b.items.get(id)?));
        let both: Vec<(String, f64, f64)> = a.items.keys().filter_map(both).collect();
        let pair = |(id, a, b): &(String, f64, f64)| Some((cluster(items.get(id.as_str())?), *a, *b));
        let pairs: Vec<(&str, f64, f64)> = both.iter().filter_map(pair).collect();
        if pairs.is_empty() {
            continue;
        }
        let mean = |of: fn(&(&str, f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
        let Comparison { n, difference, interval, wins, losses, p } = compare(&pairs, SEED);
        let (first, second) = (mean(|pair| pair.1), mean(|pair| pair.2));
        let items = both.into_iter().map(|(id, a, b)| (id, b - a)).filter(|(_, by)| *by != 0.0).collect();
        let measure = a.measure.to_string();
        told.push(Compared { measure, first, second, n, difference, interval, wins, losses, p, p_corrected: p, items });
    }
    let corrected = holm(&told.iter().map(|told| told.p).collect::<Vec<_>>());
    told.iter_mut().zip(corrected).for_each(|(told, p)| told.p_corrected = p);
    Ok(told)
}
