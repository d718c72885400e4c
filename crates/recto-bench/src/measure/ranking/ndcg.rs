//! Normalised discounted cumulative gain: worth, discounted by rank, beside that of the best order.

use super::{TIES, definition, scored};
use crate::measure::Definition;

/// Powers beyond this one of 2 add up to what is no number any more: gains with greater grades are all divided by as much.
const MOST_EXPONENT: f64 = 1000.0;

/// `nDCG@k`: Σ gain ÷ log2(rank + 1) over the first k, divided by that of the best order (Järvelin and Kekäläinen 2002).
/// The gain is the grade, as in trec_eval's `ndcg_cut_k`; with `gain=exp` it is 2^grade - 1.
pub(super) const DEFINITION: Definition = definition(
    "nDCG",
    "worth of the first k pages, discounted by rank, beside that of the best order",
    &[("gain", &["linear", "exp"]), TIES],
    |measure, case| {
        let exponential = measure.option("gain") == "exp";
        scored(measure, case, |worth, all| {
            let best = all.get(..measure.cutoff().unwrap_or(usize::MAX).min(all.len())).unwrap_or(all);
            let too_much = all.first().map_or(0.0, |best| f64::from(*best) - MOST_EXPONENT).max(0.0);
            let power = |grade: f64| (grade - too_much).exp2();
            let gain = |grade: f64| if exponential { power(grade) - power(0.0) } else { grade };
            let sum = |grades: &[i32]| -> f64 {
                let discounted = |(at, grade): (usize, &i32)| gain(f64::from(*grade)) / (at as f64 + 2.0).log2();
                grades.iter().enumerate().map(discounted).sum()
            };
            sum(worth) / sum(best)
        })
    },
);
