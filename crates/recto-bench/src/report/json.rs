//! Reports for programs: everything that the other formats show, unrounded, as one JSON value.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agreement::{Agreement, agreement};
use super::budget::{COSTS, Spent};
use super::calibration::{Bin, Cumulative, ORDERS, reliability};
use super::difficulty::{Difficulty, difficulties};
use super::endings::{Ending, endings};
use super::funnel::{Level, funnel, stage_names};
use super::layout::{Sort, sorts};
use super::{Entry, Layout, RIGHT, Run, Subject};
use crate::evaluation::Evaluation;
use crate::item::BenchmarkSet;
use crate::run_dir::RunConfig;

/// The report as JSON, with a line end. Numbers that are not finite are `null`.
pub fn json(set: &BenchmarkSet, runs: &[Run], layout: &Layout) -> String {
    let subject = Subject::new(set, runs);
    let report = Report {
        set: &set.name,
        n_items: set.items.len(),
        right: subject.main.map(|measure| format!("{measure} >= {RIGHT}")),
        runs: subject.runs.iter().map(|entry| Part::new(&subject, entry)).collect(),
        agreement: pairs(&subject),
        items: difficulties(&subject),
        layout: sorts(set, layout),
    };
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct Report<'a> {
    set: &'a str,
    n_items: usize,
    right: Option<String>,
    runs: Vec<Part<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agreement: Vec<Pair<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Difficulty>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layout: Vec<Sort>,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    config: &'a RunConfig,
    evaluation: &'a Evaluation,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    spent: BTreeMap<&'static str, Spent>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    within_budget: BTreeMap<&'static str, Vec<(f64, f64)>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    kuiper: BTreeMap<&'static str, Cumulative>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reliability: Vec<Bin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    endings: Option<BTreeMap<Ending, usize>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stages: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    funnel: Vec<Level>,
}

#[derive(Serialize)]
struct Pair<'a> {
    runs: [&'a str; 2],
    #[serde(flatten)]
    agreement: Agreement,
}

impl<'a> Part<'a> {
    fn new(subject: &'a Subject<'a>, entry: &'a Entry<'a>) -> Self {
        let curves = COSTS.iter().map(|cost| (cost.unit, cost.curve(subject, entry)));
        let funnel = funnel(subject, entry);
        Self {
            name: &entry.name,
            config: &entry.run.config,
            evaluation: &entry.run.evaluation,
            spent: COSTS.iter().filter_map(|cost| Some((cost.unit, cost.spent(subject, entry)?))).collect(),
            within_budget: curves.filter(|(_, curve)| !curve.is_empty()).collect(),
            kuiper: ORDERS.iter().filter_map(|order| Some((order.name, order.cumulative(subject, entry)?))).collect(),
            reliability: reliability(subject, entry),
            endings: endings(subject, entry),
            stages: if funnel.is_empty() { Vec::new() } else { stage_names(entry) },
            funnel,
        }
    }
}

fn pairs<'a>(subject: &'a Subject<'a>) -> Vec<Pair<'a>> {
    let runs = &subject.runs;
    let pair = |(at, a): (usize, &'a Entry<'a>)| {
        runs.iter().skip(at + 1).map(move |b| Pair { runs: [&a.name, &b.name], agreement: agreement(subject, a, b) })
    };
    if subject.main.is_none() { Vec::new() } else { runs.iter().enumerate().flat_map(pair).collect() }
}
