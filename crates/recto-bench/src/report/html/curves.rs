//! The sections that are charts. A section without data is empty text.

use std::collections::BTreeMap;

use super::chart::{Axis, Chart, Mark, Series};
use super::table::{cell, table};
use super::{esc, note};
use crate::report::budget::{COSTS, Cost};
use crate::report::calibration::{ORDERS, Order, calibration_error, reliability};
use crate::report::difficulty::difficulties;
use crate::report::searches::{LEVELS, Level};
use crate::report::text::{count, quantity};
use crate::report::{Entry, Subject};

fn grid(charts: &str, about: &str) -> String {
    if charts.is_empty() { String::new() } else { format!("{}<div class=\"charts\">{charts}</div>\n", note(about)) }
}

/// Does the system know when it is right?
pub(super) fn calibration(subject: &Subject<'_>) -> String {
    let orders = ORDERS.iter().map(|order| kuiper(subject, order));
    let charts: String = std::iter::once(reliable(subject)).chain(orders).collect();
    let about = format!(
        "Right by {}. A cumulative difference rises where more items are right than on average, so a high arch says that \
         the order tells right from wrong; a flat line, that it does not. Ties count as one step. Kuiper: highest minus \
         lowest point, in items.",
        esc(&subject.main_name())
    );
    grid(&charts, &about)
}

fn kuiper(subject: &Subject<'_>, order: &Order) -> String {
    let curve = |(at, entry): (usize, &Entry<'_>)| {
        let found = order.cumulative(subject, entry)?;
        let name = format!("{}, Kuiper {}", entry.name, quantity(found.range));
        Some(Series::plain(&name, Mark::Line, Some(at), &found.points))
    };
    let series = subject.runs.iter().enumerate().filter_map(curve).collect();
    let chart = Chart {
        title: format!("By {}, {}", order.name, order.first),
        note: subject.main_name(),
        x: Axis::new("items", None),
        y: Axis::new("right beyond the mean, items", None),
        series,
    };
    chart.figure()
}

fn reliable(subject: &Subject<'_>) -> String {
    let mut series: Vec<Series> = Vec::new();
    for (at, entry) in subject.runs.iter().enumerate() {
        let bins = reliability(subject, entry);
        if bins.is_empty() {
            continue;
        }
        let name = format!("{}, calibration error {:.3}", entry.name, calibration_error(&bins));
        let line: Vec<_> = bins.iter().map(|bin| (bin.confidence, bin.right)).collect();
        let dot = |bin: &crate::report::calibration::Bin| (bin.confidence, bin.right, count(bin.n, "item"));
        series.push(Series::plain(&name, Mark::Line, Some(at), &line));
        series.push(Series {
            name: String::new(),
            mark: Mark::Dots,
            points: bins.iter().map(dot).collect(),
            colour: Some(at),
        });
    }
    if !series.is_empty() {
        series.push(Series::plain("confidence is right", Mark::Line, None, &[(0.0, 0.0), (1.0, 1.0)]));
    }
    let chart = Chart {
        title: "Reliability".into(),
        note: subject.main_name(),
        x: Axis::new("confidence", Some((0.0, 1.0))),
        y: Axis::new("share right", Some((0.0, 1.0))),
        series,
    };
    chart.figure()
}

/// How soon searches find evidence.
pub(super) fn found(subject: &Subject<'_>) -> String {
    let charts: String = LEVELS.iter().map(|level| found_at(subject, level)).collect();
    let about = "Of the items with gold pages and searches, the share of which the first searches returned evidence.";
    grid(&charts, about)
}

fn found_at(subject: &Subject<'_>, level: &Level) -> String {
    let curve = |(at, entry): (usize, &Entry<'_>)| {
        let curve = level.curve(subject, entry);
        (!curve.is_empty()).then(|| Series::plain(&entry.name, Mark::Steps, Some(at), &curve))
    };
    let chart = Chart {
        title: level.name.into(),
        note: String::new(),
        x: Axis::new("searches", Some((0.0, 0.0))),
        y: Axis::new("share of items", Some((0.0, 1.0))),
        series: subject.runs.iter().enumerate().filter_map(curve).collect(),
    };
    chart.figure()
}

/// What is spent, and what is there within a budget.
pub(super) fn budgets(subject: &Subject<'_>) -> String {
    let rows = COSTS.iter().flat_map(|cost| spent(subject, cost)).collect::<Vec<_>>();
    let head = ["", "items", "mean", "median", "90 % within", "total"].map(String::from);
    let charts: String = COSTS.iter().map(|cost| budget(subject, cost) + &against_mean(subject, cost)).collect();
    let about = format!(
        "The mean {} of all items, if items that took more than the budget count 0. With steps: the step-limit curve.",
        esc(&subject.main_name())
    );
    table(&head, &rows) + &grid(&charts, &about)
}

fn spent(subject: &Subject<'_>, cost: &Cost) -> Vec<(String, Vec<String>)> {
    let row = |entry: &Entry<'_>| {
        let spent = cost.spent(subject, entry)?;
        let numbers = [spent.mean, spent.median, spent.p90, spent.total].map(|value| cell(&quantity(value)));
        let cells = std::iter::once(cell(&spent.n.to_string())).chain(numbers);
        Some((format!("{}, {}: {}", cost.name, cost.unit, entry.name), cells.collect()))
    };
    subject.runs.iter().filter_map(row).collect()
}

fn budget(subject: &Subject<'_>, cost: &Cost) -> String {
    let curves: Vec<_> = subject.runs.iter().map(|entry| cost.curve(subject, entry)).collect();
    let (log, from) = wide(&curves);
    let end = curves.iter().flatten().map(|point| point.0).fold(0.0, f64::max);
    let series = subject.runs.iter().zip(curves).enumerate().filter(|(_, (_, curve))| !curve.is_empty());
    // A curve starts with nothing and holds its last value to the end of the chart.
    let series = series.map(|(at, (entry, mut curve))| {
        let last = curve.last().map_or(0.0, |point| point.1);
        curve.insert(0, (from, 0.0));
        curve.push((end, last));
        Series::plain(&entry.name, Mark::Steps, Some(at), &curve)
    });
    let chart = Chart {
        title: if cost.unit == "steps" { "Step limit".into() } else { cost.name.into() },
        note: subject.main_name(),
        x: Axis { label: format!("{} at most", cost.unit), range: (!log).then_some((0.0, 0.0)), log },
        y: Axis::new("mean score", Some((0.0, 0.0))),
        series: series.collect(),
    };
    chart.figure()
}

/// Whether costs need powers of ten, and where their axis starts.
fn wide(curves: &[Vec<(f64, f64)>]) -> (bool, f64) {
    let costs = || curves.iter().flatten().map(|point| point.0).filter(|cost| *cost > 0.0);
    let (low, high) = (costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max));
    if high / low > 50.0 { (true, low) } else { (false, 0.0) }
}

/// The runs' scores against their mean cost.
fn against_mean(subject: &Subject<'_>, cost: &Cost) -> String {
    let Some(main) = subject.main else { return String::new() };
    let point = |(at, entry): (usize, &Entry<'_>)| {
        let (x, y) = (cost.spent(subject, entry)?.mean, entry.scores(main)?.value?);
        let points = vec![(x, y, format!("{}: {} for {} {}", entry.name, quantity(y), quantity(x), cost.unit))];
        Some(Series { name: entry.name.clone(), mark: Mark::Dots, points, colour: Some(at) })
    };
    let series: Vec<_> = subject.runs.iter().enumerate().filter_map(point).collect();
    if series.len() < 2 {
        return String::new();
    }
    let chart = Chart {
        title: format!("Score against mean {}", cost.name.to_lowercase()),
        note: subject.main_name(),
        x: Axis::new(format!("{} per item, mean", cost.unit), Some((0.0, 0.0))),
        y: Axis::new("score", Some((0.0, 0.0))),
        series,
    };
    chart.figure()
}

/// How hard items are and how well they tell systems apart.
pub(super) fn difficulty(subject: &Subject<'_>) -> String {
    let mut places: BTreeMap<(i64, i64), (f64, f64, Vec<String>)> = BTreeMap::new();
    for item in difficulties(subject) {
        let Some(r) = item.discrimination else { continue };
        let key = ((item.mean * 1e3).round() as i64, (r * 1e3).round() as i64);
        places.entry(key).or_insert((item.mean, r, Vec::new())).2.push(item.id);
    }
    let text = |ids: &[String]| {
        let first = ids.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        format!("{}: {first}{}", count(ids.len(), "item"), if ids.len() > 8 { ", …" } else { "" })
    };
    let points = places.into_values().map(|(x, y, ids)| (x, y, text(&ids))).collect();
    let chart = Chart {
        title: "Items".into(),
        note: subject.main_name(),
        x: Axis::new("mean score over the runs", Some((0.0, 1.0))),
        y: Axis::new("discrimination, r with the rest", Some((-1.0, 1.0))),
        series: vec![Series { name: String::new(), mark: Mark::Dots, points, colour: Some(0) }],
    };
    let about = "Each dot is one item or several alike. Left: hard. High: better runs get it right. Items that all runs \
                 score alike have no discrimination and no dot. With few runs this is coarse.";
    grid(&chart.figure(), about)
}
