//! Classical test theory over several runs: how hard is an item, and do better systems get it right?

use serde::Serialize;

use super::Subject;
use crate::stats::agreement::pearson;

/// An item as the runs found it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Difficulty {
    /// The item.
    pub(super) id: String,
    /// Mean score over the runs: 1 is an item that all get right.
    pub(super) mean: f64,
    /// Correlation of the item's score with the runs' scores on all other items; `None` where one of them is constant.
    pub(super) discrimination: Option<f64>,
}

/// Correlations over fewer runs say nothing.
const LEAST_RUNS: usize = 3;

/// Items that all runs were scored on; none for fewer than three runs.
pub(super) fn difficulties(subject: &Subject<'_>) -> Vec<Difficulty> {
    let items: Vec<(&str, Vec<f64>)> = subject
        .set
        .items
        .iter()
        .filter_map(|item| {
            let scores: Option<Vec<f64>> =
                subject.runs.iter().map(|entry| entry.scores.get(item.id.as_str()).copied()).collect();
            Some((item.id.as_str(), scores.filter(|scores| scores.len() >= LEAST_RUNS)?))
        })
        .collect();
    let totals: Vec<f64> =
        (0..subject.runs.len()).map(|run| items.iter().filter_map(|(_, scores)| scores.get(run)).sum()).collect();
    let difficulty = |(id, scores): (&str, Vec<f64>)| {
        let rest: Vec<f64> = totals.iter().zip(&scores).map(|(total, score)| total - score).collect();
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        Difficulty { id: id.into(), mean, discrimination: pearson(&scores, &rest) }
    };
    items.into_iter().map(difficulty).collect()
}
