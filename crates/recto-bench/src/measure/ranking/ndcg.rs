//! Normalised discounted cumulative gain: worth, discounted by rank, beside that of the best order.

use super::{TIES, definition, scored};
use crate::measure::Definition;

/// `nDCG@k`: Σ gain ÷ log2(rank + 1) over the first k, divided by that of the best order (Järvelin and Kekäläinen 2002).
/// The gain is the grade, as in trec_eval's `ndcg_cut_k`; with `gain=exp` it is 2^grade - 1.
pub(super) const DEFINITION: Definition = definition(
    "nDCG",
    "worth of the first k pages, discounted by rank, beside that of the best order",
    &[("gain", &["linear", "exp"]), TIES],
    |measure, case| {
        let exponential = measure.option("gain") == "exp";
        let gain = |grade: i32| if exponential { f64::from(grade).exp2() - 1.0 } else { f64::from(grade) };
        let sum = |grades: &[i32]| -> f64 {
            grades.iter().enumerate().map(|(at, grade)| gain(*grade) / (at as f64 + 2.0).log2()).sum()
        };
        scored(measure, case, |worth, all| {
            let best = all.get(..measure.cutoff().unwrap_or(usize::MAX).min(all.len())).unwrap_or(all);
            sum(worth) / sum(best)
        })
    },
);
