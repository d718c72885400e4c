//! Do two runs get the same items right? Cohen's kappa: agreement beyond chance.

use serde::Serialize;

use super::{Entry, Subject};
use crate::stats::agreement::kappa;

/// How two runs agree on which items are right.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Agreement {
    /// (p_o − p_e) ÷ (1 − p_e); `None` where chance alone agrees always.
    pub(super) kappa: Option<f64>,
    /// Items that both get right, the first alone, the second alone, neither.
    pub(super) counts: [usize; 4],
}

/// Over the items that both runs were scored on.
pub(super) fn agreement(subject: &Subject<'_>, a: &Entry<'_>, b: &Entry<'_>) -> Agreement {
    let both = a.scored(subject.set).filter(|(item, ..)| b.scores.contains_key(item.id.as_str()));
    let (first, second): (Vec<bool>, Vec<bool>) = both.map(|(item, ..)| (a.right(&item.id), b.right(&item.id))).unzip();
    let mut counts = [0; 4];
    for pair in first.iter().zip(&second) {
        counts[match pair {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        }] += 1;
    }
    Agreement { kappa: kappa(&first, &second), counts }
}
