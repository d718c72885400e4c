//! Average precision: how clean the ranking is at each relevant page.

use super::{TIES, definition, scored};
use crate::measure::Definition;

/// `MAP@k`: Σ precision at the rank of each relevant page among the first k ÷ all relevant pages; trec_eval's `map_cut_k`.
pub(super) const DEFINITION: Definition = definition(
    "MAP",
    "mean precision at the ranks of the relevant pages, those not found counting 0",
    &[TIES],
    |measure, case| {
        scored(measure, case, |worth, all| {
            let ranks = worth.iter().zip(1..).filter(|(w, _)| **w > 0).map(|(_, rank)| f64::from(rank));
            ranks.zip(1..).map(|(rank, found)| f64::from(found) / rank).sum::<f64>() / all.len() as f64
        })
    },
);
