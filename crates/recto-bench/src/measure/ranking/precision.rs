//! Precision: the share of relevant pages among those found.

use super::{TIES, scored};
use crate::measure::{Cutoff, Definition, Formula};

/// `P@k`: relevant pages among the first k ÷ k, however few were found; trec_eval's `P_k`.
pub(super) const DEFINITION: Definition = Definition {
    name: "P",
    about: "share of relevant pages among the first k",
    cutoff: Cutoff::Required,
    options: &[TIES],
    formula: Formula::Item(|measure, case| {
        let k = measure.cutoff().unwrap_or(1) as f64;
        scored(measure, case, |worth, _| worth.iter().filter(|w| **w > 0).count() as f64 / k)
    }),
};
