//! Do two runs get the same items right? Cohen's kappa: agreement beyond chance.

use serde::Serialize;

use super::{Entry, Subject};

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
    let mut counts = [0; 4];
    for (item, _, _) in a.scored(subject.set).filter(|(item, ..)| b.scores.contains_key(item.id.as_str())) {
        match (a.right(&item.id), b.right(&item.id)) {
            (true, true) => counts[0] += 1,
            (true, false) => counts[1] += 1,
            (false, true) => counts[2] += 1,
            (false, false) => counts[3] += 1,
        }
    }
    Agreement { kappa: kappa(counts), counts }
}

fn kappa(counts: [usize; 4]) -> Option<f64> {
    let [both, first, second, neither] = counts.map(|count| count as f64);
    let n = both + first + second + neither;
    let observed = (both + neither) / n;
    let expected = ((both + first) * (both + second) + (second + neither) * (first + neither)) / (n * n);
    (n > 0.0 && expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_is_agreement_beyond_chance() {
        for (counts, want) in [
            ([20, 5, 10, 15], Some(0.4)),
            ([5, 0, 0, 5], Some(1.0)),
            ([0, 5, 5, 0], Some(-1.0)),
            ([5, 0, 0, 0], None),
            ([0; 4], None),
        ] {
            let got = kappa(counts);
            assert_eq!(got.is_some(), want.is_some());
            assert!((got.unwrap_or(0.0) - want.unwrap_or(0.0)).abs() < 1e-12, "{counts:?}: {got:?}");
        }
    }
}
