//! Success: whether any relevant page was found; also called hit rate.

use super::{TIES, definition, scored};
use crate::measure::Definition;

/// `Success@k`: 1 if a relevant page is among the first k, else 0; trec_eval's `success_k`.
pub(super) const DEFINITION: Definition =
    definition("Success", "1 if a relevant page is among the first k", &[TIES], |measure, case| {
        scored(measure, case, |worth, _| f64::from(u8::from(worth.iter().any(|w| *w > 0))))
    });
