//! Reports of one or several runs of one benchmark, in four formats: [`html`] for people, [`markdown`] for issues and
//! notes, [`json`] and [`csv`] for programs. Made of scores and rows alone: nothing is read, asked or judged here.
//!
//! Where a section must know whether an item was right (calibration, budgets, errors, agreement), the first measure that
//! scores items and that all runs share decides: a score of [`RIGHT`] or more is right. Every table names its measure.

mod agreement;
mod budget;
mod calibration;
mod csv;
mod difficulty;
mod endings;
mod funnel;
mod html;
mod json;
mod layout;
mod markdown;
mod searches;
mod text;

pub use csv::csv;
pub use html::html;
pub use json::json;
pub use markdown::markdown;

use std::collections::BTreeMap;

use recto_page::{DocId, PageId};

use crate::evaluation::{Evaluation, MeasureScores};
use crate::item::{BenchmarkSet, Item};
use crate::measure::Measure;
use crate::row::Row;
use crate::run_dir::RunConfig;

/// The score from which on an item counts as right.
pub const RIGHT: f64 = 0.5;

/// A run and its scores.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was run.
    pub config: RunConfig,
    /// Its scores.
    pub evaluation: Evaluation,
    /// What the system said, by the item's id.
    pub rows: BTreeMap<String, Row>,
    /// Wall seconds by the item's id, see [`crate::run_dir::timings`]; empty if nobody noted them.
    pub timings: BTreeMap<String, f64>,
}

/// Where the pictures of pages are: links relative to the report, already percent-encoded. Links that name a scheme
/// (`javascript:`) are not followed.
pub type Pictures = BTreeMap<PageId, String>;

/// What stands on the pages of documents.
pub type Layout = BTreeMap<DocId, Elements>;

/// What stands on the pages of one document.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Elements {
    /// Its pages.
    pub pages: u32,
    /// How many there are of each kind: tables, pictures, headings.
    pub counts: BTreeMap<String, u32>,
}

/// What every section is made of.
struct Subject<'a> {
    set: &'a BenchmarkSet,
    runs: Vec<Entry<'a>>,
    /// Decides whether an item is right.
    main: Option<&'a Measure>,
}

/// A run with the name it has in the report.
struct Entry<'a> {
    name: String,
    run: &'a Run,
    /// The main measure's scores by item.
    scores: BTreeMap<&'a str, f64>,
}

impl<'a> Subject<'a> {
    fn new(set: &'a BenchmarkSet, runs: &'a [Run]) -> Self {
        let main = main_measure(runs);
        let entry = |(at, run): (usize, &'a Run)| Entry {
            name: name(runs, at),
            run,
            scores: main.and_then(|measure| scores_of(run, measure)).map(MeasureScores::by_item).unwrap_or_default(),
        };
        Self { set, runs: runs.iter().enumerate().map(entry).collect(), main }
    }

    /// The measures of all runs, in the order in which they appear.
    fn measures(&self) -> Vec<&'a Measure> {
        let mut measures = Vec::new();
        for scores in self.runs.iter().flat_map(|entry| &entry.run.evaluation.measures) {
            if !measures.contains(&&scores.measure) {
                measures.push(&scores.measure);
            }
        }
        measures
    }

    /// The slices of all runs that have scores, in order, by kind.
    fn slices(&self) -> BTreeMap<&'a str, Vec<&'a str>> {
        let mut slices: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for scores in self.runs.iter().flat_map(|entry| &entry.run.evaluation.measures) {
            for (kind, names) in scores.slices.iter().filter(|(_, names)| !names.is_empty()) {
                slices.entry(kind).or_default().extend(names.keys().map(String::as_str));
            }
        }
        for names in slices.values_mut() {
            names.sort_unstable_by(|a, b| text::natural(a, b));
            names.dedup();
        }
        slices
    }

    /// The main measure as it prints.
    fn main_name(&self) -> String {
        self.main.map(Measure::to_string).unwrap_or_default()
    }
}

impl<'a> Entry<'a> {
    fn right(&self, id: &str) -> bool {
        self.scores.get(id).is_some_and(|score| *score >= RIGHT)
    }

    fn row(&self, id: &str) -> Option<&'a Row> {
        self.run.rows.get(id)
    }

    fn scores(&self, measure: &Measure) -> Option<&'a MeasureScores> {
        scores_of(self.run, measure)
    }

    /// The items of the main measure with their score and row, in the order of the set.
    fn scored<'s>(&'s self, set: &'a BenchmarkSet) -> impl Iterator<Item = (&'a Item, Option<&'a Row>, f64)> + 's {
        set.items.iter().filter_map(|item| Some((item, self.row(&item.id), *self.scores.get(item.id.as_str())?)))
    }
}

impl MeasureScores {
    fn by_item(&self) -> BTreeMap<&str, f64> {
        self.items.iter().map(|(id, score)| (id.as_str(), *score)).collect()
    }
}

fn scores_of<'a>(run: &'a Run, measure: &Measure) -> Option<&'a MeasureScores> {
    run.evaluation.measures.iter().find(|scores| scores.measure == *measure)
}

fn main_measure(runs: &[Run]) -> Option<&Measure> {
    let per_item = |run: &Run, measure| scores_of(run, measure).is_some_and(|scores| !scores.items.is_empty());
    let mut measures = runs.first()?.evaluation.measures.iter().map(|scores| &scores.measure);
    measures.find(|measure| runs.iter().all(|run| per_item(run, measure)))
}

/// The system's name; runs of one system are numbered.
fn name(runs: &[Run], at: usize) -> String {
    let system = runs.get(at).map(|run| run.config.system.as_str()).unwrap_or_default();
    let same = |runs: &[Run]| runs.iter().filter(|run| run.config.system == system).count();
    match same(runs) {
        0 | 1 => system.into(),
        _ => format!("{system} ({})", same(runs.get(..=at).unwrap_or(runs))),
    }
}
