//! The scores of a run: each measure over all items, by slice, and item by item. Made of items and rows alone.
//!
//! Denominators are strict: an item without a row counts, with 0.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::item::{BenchmarkSet, Item};
use crate::judge::Verdicts;
use crate::measure::{Case, Formula, Measure};
use crate::row::{Fault, Outcome, Row};
use crate::score::Score;
use crate::stats::interval;

/// Seed of the intervals: any will do, as long as it is the same.
pub const SEED: u64 = 20_261_129;

/// The scores of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Evaluation {
    /// The benchmark.
    pub set: String,
    /// Number of items.
    pub n_items: usize,
    /// Items without a row.
    pub missing: Vec<String>,
    /// Items that failed, and why.
    pub failed: BTreeMap<String, Fault>,
    /// One for each measure, in the order asked.
    pub measures: Vec<MeasureScores>,
}

/// What one measure says about a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasureScores {
    /// Its printed form is the evaluator's id.
    pub measure: Measure,
    /// The mean over the scored items, or the run's one score; `None` if no item could be scored.
    pub value: Option<f64>,
    /// 95 % interval of the mean, by bootstrap over documents, or the measure's own; `None` for other measures of the whole
    /// run, or of one document.
    pub interval: Option<(f64, f64)>,
    /// Number of items that could be scored.
    pub n: usize,
    /// Why the others could not, and how many.
    pub unscored: BTreeMap<String, usize>,
    /// By kind of slice and slice.
    pub slices: BTreeMap<String, BTreeMap<String, SliceScore>>,
    /// The items' scores; empty for a measure of the whole run.
    pub items: BTreeMap<String, f64>,
}

/// A measure over the items of a slice.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SliceScore {
    /// As for the whole run.
    pub value: f64,
    /// Number of items that could be scored.
    pub n: usize,
}

/// Scores rows of `set`. Rows of other items are of no interest; of two rows of one item the last counts (readers refuse
/// such files).
pub fn evaluate<'a>(
    set: &BenchmarkSet,
    rows: impl IntoIterator<Item = &'a Row>,
    verdicts: &BTreeMap<String, Verdicts>,
    measures: &[Measure],
) -> Evaluation {
    let absent = absent(set);
    let cases = cases(set, &absent, rows, verdicts);
    Evaluation {
        set: set.name.clone(),
        n_items: set.items.len(),
        missing: ids(&cases, |row| row.outcome == Outcome::Missing),
        failed: cases.iter().filter_map(|case| Some((case.item.id.clone(), case.row.fault.clone()?))).collect(),
        measures: measures.iter().map(|measure| MeasureScores::of(measure, &cases)).collect(),
    }
}

/// What stands for rows that are missing.
pub fn absent(set: &BenchmarkSet) -> Vec<Row> {
    set.items.iter().map(|item| Row::missing(&item.id)).collect()
}

/// Every item with its row, or with what stands for it.
pub fn cases<'a, 'r: 'a>(
    set: &'a BenchmarkSet,
    absent: &'a [Row],
    rows: impl IntoIterator<Item = &'r Row>,
    verdicts: &'a BTreeMap<String, Verdicts>,
) -> Vec<Case<'a>> {
    static UNJUDGED: Verdicts = Verdicts::new();
    let rows: BTreeMap<&str, &Row> = rows.into_iter().map(|row| (row.id.as_str(), row)).collect();
    let case = |(item, missing): (&'a Item, &'a Row)| Case {
        item,
        row: rows.get(item.id.as_str()).copied().unwrap_or(missing),
        verdicts: verdicts.get(&item.id).unwrap_or(&UNJUDGED),
    };
    set.items.iter().zip(absent).map(case).collect()
}

fn ids(cases: &[Case<'_>], meant: impl Fn(&Row) -> bool) -> Vec<String> {
    cases.iter().filter(|case| meant(case.row)).map(|case| case.item.id.clone()).collect()
}

impl MeasureScores {
    fn of(measure: &Measure, cases: &[Case<'_>]) -> Self {
        let mut unscored = BTreeMap::new();
        let mut scored: Vec<(&Item, f64)> = Vec::with_capacity(cases.len());
        if let Formula::Item(score) = measure.definition().formula {
            for case in cases {
                match score(measure, case) {
                    Score::Value(value) => scored.push((case.item, value)),
                    Score::Unscored(why) => *unscored.entry(why).or_default() += 1,
                }
            }
        }
        let (score, n) = overall(measure, cases, scored.iter().map(|(_, value)| *value));
        let of_items = matches!(measure.definition().formula, Formula::Item(_));
        if let (Score::Unscored(why), false) = (&score, of_items) {
            unscored.insert(why.clone(), cases.len());
        }
        let interval = match measure.definition().formula {
            Formula::Estimate(estimate) => estimate(measure, cases).1,
            _ => {
                let values: Vec<(&str, f64)> = scored.iter().map(|(item, value)| (cluster(item), *value)).collect();
                interval::bootstrap(&values, SEED)
            }
        };
        let items: BTreeMap<String, f64> = scored.into_iter().map(|(item, value)| (item.id.clone(), value)).collect();
        let slices = slices(cases).into_iter().map(|(kind, groups)| {
            let scores = groups.into_iter().filter_map(|(name, cases)| {
                let values = cases.iter().filter_map(|case| items.get(&case.item.id).copied());
                let (score, n) = overall(measure, &cases, values);
                Some((name, SliceScore { value: score.value()?, n }))
            });
            (kind, scores.collect())
        });
        Self { measure: measure.clone(), value: score.value(), interval, n, unscored, slices: slices.collect(), items }
    }
}

/// What stands or falls together: the questions about a document.
pub fn cluster(item: &Item) -> &str {
    let of_page = || item.gold.pages.first().map(|graded| &graded.page.doc);
    item.docs.first().or_else(of_page).map_or(&item.id, |doc| doc.as_str())
}

/// One score for all of `cases`, of which those that could be scored have these `values`, and how many it rests on.
fn overall(measure: &Measure, cases: &[Case<'_>], values: impl Iterator<Item = f64>) -> (Score, usize) {
    let of_run = |score: Score| match score {
        Score::Value(value) => (Score::Value(value), cases.len()),
        unscored => (unscored, 0),
    };
    match measure.definition().formula {
        Formula::Run(score) => of_run(score(measure, cases)),
        Formula::Estimate(estimate) => of_run(estimate(measure, cases).0),
        Formula::Item(_) => {
            let (sum, n) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
            match n {
                0 => (Score::Unscored("no item can be scored".into()), 0),
                n => (Score::Value(sum / n as f64), n),
            }
        }
    }
}

fn slices<'a>(cases: &[Case<'a>]) -> BTreeMap<String, BTreeMap<String, Vec<Case<'a>>>> {
    let mut slices: BTreeMap<String, BTreeMap<String, Vec<Case<'a>>>> = BTreeMap::new();
    for case in cases {
        for (kind, names) in &case.item.slices {
            for name in names {
                slices.entry(kind.clone()).or_default().entry(name.clone()).or_default().push(*case);
            }
        }
    }
    slices
}

/// The items of a set that are meant by ids; all if there are none.
pub fn chosen<'a>(set: &'a BenchmarkSet, ids: Option<&[String]>) -> Vec<&'a Item> {
    let ids: Option<BTreeSet<&String>> = ids.map(|ids| ids.iter().collect());
    let wanted = |item: &&Item| ids.as_ref().is_none_or(|ids| ids.contains(&item.id));
    set.items.iter().filter(wanted).collect()
}
