//! What items took, and how much of the score is there within a budget. A budget of steps gives the step-limit curve.

use serde::Serialize;

use super::{Entry, Subject};
use crate::row::Row;

/// Something an item takes: its name, its unit, and where it is noted.
pub(super) struct Cost {
    /// In a title.
    pub(super) name: &'static str,
    /// On an axis.
    pub(super) unit: &'static str,
    noted: fn(&Row, Option<f64>) -> Option<f64>,
}

/// What can be noted, effort first.
pub(super) const COSTS: [Cost; 7] = [
    Cost { name: "Steps", unit: "steps", noted: |row, _| row.usage.steps.map(f64::from) },
    Cost { name: "Model calls", unit: "calls", noted: |row, _| row.usage.calls.map(f64::from) },
    Cost { name: "Searches", unit: "searches", noted: |row, _| some(row.searches.len()) },
    Cost { name: "Pages looked at", unit: "pages", noted: |row, _| row.usage.pages.map(f64::from) },
    Cost { name: "Tokens", unit: "tokens", noted: |row, _| tokens(row) },
    Cost { name: "Cost", unit: "US dollars", noted: |row, _| row.usage.dollars },
    Cost { name: "Time", unit: "seconds", noted: |_, seconds| seconds },
];

fn some(n: usize) -> Option<f64> {
    (n > 0).then_some(n as f64)
}

fn tokens(row: &Row) -> Option<f64> {
    let (read, written) = (row.usage.input_tokens, row.usage.output_tokens);
    (read.is_some() || written.is_some())
        .then(|| read.unwrap_or_default().saturating_add(written.unwrap_or_default()) as f64)
}

/// What the items of a run took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Spent {
    /// Number of items for which it is noted.
    pub(super) n: usize,
    /// Over those items.
    pub(super) mean: f64,
    /// Lower median.
    pub(super) median: f64,
    /// The least amount that is enough for 90 % of the items.
    pub(super) p90: f64,
    /// Of all items together.
    pub(super) total: f64,
}

impl Cost {
    /// What an item took; `None` if nobody noted it.
    pub(super) fn of(&self, entry: &Entry<'_>, id: &str) -> Option<f64> {
        let absent = Row::default();
        let row = entry.row(id).unwrap_or(&absent);
        (self.noted)(row, entry.run.timings.get(id).copied()).filter(|cost| cost.is_finite() && *cost >= 0.0)
    }

    /// What the items of a run took; `None` if it is noted for no item.
    pub(super) fn spent(&self, subject: &Subject<'_>, entry: &Entry<'_>) -> Option<Spent> {
        let mut costs: Vec<f64> = subject.set.items.iter().filter_map(|item| self.of(entry, &item.id)).collect();
        costs.sort_by(f64::total_cmp);
        let n = costs.len();
        let total: f64 = costs.iter().sum();
        Some(Spent {
            n,
            mean: total / n as f64,
            median: *costs.get(n.checked_sub(1)? / 2)?,
            p90: *costs.get((n * 9).div_ceil(10) - 1)?,
            total,
        })
    }

    /// Budgets and the mean score of all items if those that took more count 0: ends at the run's own mean if the cost
    /// of every item is noted. Empty if it is noted for none.
    pub(super) fn curve(&self, subject: &Subject<'_>, entry: &Entry<'_>) -> Vec<(f64, f64)> {
        let scored = entry.scored(subject.set);
        let costs: Vec<_> = scored.map(|(item, _, score)| (self.of(entry, &item.id), score)).collect();
        let n = costs.len();
        within(costs.into_iter().filter_map(|(cost, score)| Some((cost?, score))).collect(), n)
    }
}

/// The mean over `n` items of the scores that cost no more than x, at each x where it changes.
fn within(mut costs: Vec<(f64, f64)>, n: usize) -> Vec<(f64, f64)> {
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut curve: Vec<(f64, f64)> = Vec::new();
    let mut sum = 0.0;
    for (cost, score) in costs {
        sum += if score.is_finite() { score } else { 0.0 };
        let point = (cost, sum / n as f64);
        match curve.last_mut() {
            Some(last) if last.0 == cost => *last = point,
            _ => curve.push(point),
        }
    }
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_ends_at_the_mean() {
        let costs = vec![(3.0, 1.0), (1.0, 1.0), (1.0, 0.0), (2.0, 0.5)];
        assert_eq!(within(costs, 5), [(1.0, 0.2), (2.0, 0.3), (3.0, 0.5)]);
        assert_eq!(within(vec![(1.0, f64::NAN)], 1), [(1.0, 0.0)]);
        assert_eq!(within(Vec::new(), 0), []);
    }
}
