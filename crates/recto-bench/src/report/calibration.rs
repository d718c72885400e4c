//! Calibration: does the system know when it is right? By its confidence, and by the effort it spends.

use serde::Serialize;

use super::budget::COSTS;
use super::{Entry, Subject};

/// A cumulative difference: for each number of items k, how many more than expected of the first k are right.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Cumulative {
    /// Points (k, D_k), at the ends of ties and at 0.
    pub(super) points: Vec<(f64, f64)>,
    /// Kuiper's statistic without ties: max D − min D, in items.
    pub(super) range: f64,
}

/// Items of about one confidence.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Bin {
    /// Mean confidence.
    pub(super) confidence: f64,
    /// Share of right items.
    pub(super) right: f64,
    /// Number of items.
    pub(super) n: usize,
}

/// An order of items: its name, the items that should be right first, and whose `f64` ascends.
pub(super) struct Order {
    /// Name of what the items are sorted by.
    pub(super) name: &'static str,
    /// Which end comes first.
    pub(super) first: &'static str,
    key: fn(&Entry<'_>, &str) -> Option<f64>,
}

/// Orders in which right items should come first.
pub(super) const ORDERS: [Order; 5] = [
    Order { name: "confidence", first: "surest first", key: |entry, id| Some(-confidence(entry, id)?) },
    Order { name: "steps", first: "fewest first", key: |entry, id| COSTS[0].of(entry, id) },
    Order { name: "model calls", first: "fewest first", key: |entry, id| COSTS[1].of(entry, id) },
    Order { name: "tokens", first: "fewest first", key: |entry, id| COSTS[4].of(entry, id) },
    Order { name: "time", first: "fastest first", key: |entry, id| COSTS[6].of(entry, id) },
];

fn confidence(entry: &Entry<'_>, id: &str) -> Option<f64> {
    entry.row(id)?.confidence.filter(|confidence| (0.0..=1.0).contains(confidence))
}

impl Order {
    /// The curve of a run, over the items that have their place in the order. `None` if all of them are alike, all right
    /// or all wrong: no order can tell them apart then.
    pub(super) fn cumulative(&self, subject: &Subject<'_>, entry: &Entry<'_>) -> Option<Cumulative> {
        let scored = entry.scored(subject.set);
        let keyed = scored.filter_map(|(item, _, _)| Some(((self.key)(entry, &item.id)?, entry.right(&item.id))));
        cumulative(keyed.collect())
    }
}

fn cumulative(mut items: Vec<(f64, bool)>) -> Option<Cumulative> {
    items.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (n, right) = (items.len(), items.iter().filter(|(_, right)| *right).count());
    if right == 0 || right == n || items.first()?.0 == items.last()?.0 {
        return None;
    }
    let mean = right as f64 / n as f64;
    let (mut points, mut found) = (vec![(0.0, 0.0)], 0_usize);
    for (at, (key, right)) in items.iter().enumerate() {
        found += usize::from(*right);
        if items.get(at + 1).is_none_or(|next| next.0 != *key) {
            let seen = (at + 1) as f64;
            points.push((seen, found as f64 - seen * mean));
        }
    }
    let (low, high) = points.iter().fold((0.0, 0.0), |(low, high): (f64, f64), (_, d)| (low.min(*d), high.max(*d)));
    Some(Cumulative { points, range: high - low })
}

/// Ten bins of equal width, those without items left out; empty if no row has a confidence.
pub(super) fn reliability(subject: &Subject<'_>, entry: &Entry<'_>) -> Vec<Bin> {
    let scored = entry.scored(subject.set);
    let pairs = scored.filter_map(|(item, _, score)| Some((confidence(entry, &item.id)?, score >= super::RIGHT)));
    bins(&pairs.collect::<Vec<_>>())
}

fn bins(pairs: &[(f64, bool)]) -> Vec<Bin> {
    let bin = |confidence: f64| ((confidence * 10.0) as usize).min(9);
    let bins = (0..10).map(|at| {
        let within: Vec<_> = pairs.iter().filter(|(confidence, _)| bin(*confidence) == at).collect();
        let n = within.len();
        let confidence = within.iter().map(|(confidence, _)| confidence).sum::<f64>() / n as f64;
        Bin { confidence, right: within.iter().filter(|(_, right)| *right).count() as f64 / n as f64, n }
    });
    bins.filter(|bin| bin.n > 0).collect()
}

/// Expected calibration error: the mean over items of |confidence − share of right ones| of their bin.
pub(super) fn calibration_error(bins: &[Bin]) -> f64 {
    let n: usize = bins.iter().map(|bin| bin.n).sum();
    bins.iter().map(|bin| bin.n as f64 * (bin.confidence - bin.right).abs()).sum::<f64>() / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_have_no_order() {
        let items = vec![(2.0, false), (1.0, true), (1.0, false), (3.0, false)];
        let curve = cumulative(items).unwrap();
        assert_eq!(curve.points, [(0.0, 0.0), (2.0, 0.5), (3.0, 0.25), (4.0, 0.0)]);
        assert_eq!(curve.range, 0.5);
        for degenerate in [vec![], vec![(1.0, true), (2.0, true)], vec![(1.0, true), (1.0, false)]] {
            assert_eq!(cumulative(degenerate), None);
        }
    }

    #[test]
    fn bins_hold_their_upper_end_only_at_one() {
        let found = bins(&[(1.0, true), (0.95, false), (0.1, false)]);
        assert_eq!(found.iter().map(|bin| bin.n).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(calibration_error(&found[..1]), 0.1);
    }
}
