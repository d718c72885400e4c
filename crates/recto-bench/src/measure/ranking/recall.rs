//! Recall: the share of relevant pages among the first k of a ranking.

use super::{TIES, definition, scored};
use crate::measure::Definition;

/// `R@k`: relevant pages among the first k ÷ all relevant pages (not min(k, relevant)); trec_eval's `recall_k`.
pub(super) const DEFINITION: Definition =
    definition("R", "share of the relevant pages that are among the first k", &[TIES], |measure, case| {
        scored(measure, case, |worth, all| worth.iter().filter(|w| **w > 0).count() as f64 / all.len() as f64)
    });
