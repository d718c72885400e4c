//! Reciprocal rank: how soon the first relevant page comes.

use super::{TIES, definition, scored};
use crate::measure::Definition;

/// `MRR@k`: 1 ÷ rank of the first relevant page among the first k, 0 without one; trec_eval's `recip_rank`.
pub(super) const DEFINITION: Definition =
    definition("MRR", "1 ÷ rank of the first relevant page", &[TIES], |measure, case| {
        scored(measure, case, |worth, _| {
            worth.iter().position(|w| *w > 0).map_or(0.0, |first| 1.0 / (first + 1) as f64)
        })
    });
