//! Two runs of the same items side by side: by how much they differ, and whether chance alone would do that.

use super::interval::{self, at_least};

/// What a measure says about two runs, over the items that both scored.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// Number of items.
    pub n: usize,
    /// Mean of the second run minus mean of the first.
    pub difference: f64,
    /// 95 % interval of the difference (paired bootstrap over clusters); `None` for less than two.
    pub interval: Option<(f64, f64)>,
    /// Items on which the second run is better, and worse.
    pub wins: usize,
    /// See `wins`.
    pub losses: usize,
    /// Chance of so uneven wins and losses between equal systems (sign test; of scores 0 and 1: McNemar's, exact).
    pub p: f64,
}

/// Compares pairs of scores: cluster, first and second of each item. Questions about one document stand or fall together.
pub fn compare(pairs: &[(&str, f64, f64)], seed: u64) -> Comparison {
    let clustered: Vec<(&str, f64)> = pairs.iter().map(|(cluster, a, b)| (*cluster, b - a)).collect();
    let differences: Vec<f64> = clustered.iter().map(|(_, difference)| *difference).collect();
    let count = |test: fn(&f64) -> bool| differences.iter().filter(|d| test(d)).count();
    let (wins, losses) = (count(|d| *d > 0.0), count(|d| *d < 0.0));
    Comparison {
        n: pairs.len(),
        difference: mean(&differences),
        interval: interval::bootstrap(&clustered, seed),
        wins,
        losses,
        p: sign_test(wins, losses),
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The two-sided exact chance of a split at least as uneven, if both sides are as likely.
fn sign_test(wins: usize, losses: usize) -> f64 {
    let (n, more) = (u32::try_from(wins + losses), u32::try_from(wins.max(losses)));
    match (n, more) {
        (Ok(n), Ok(more)) if n > 0 => (2.0 * at_least(more, n, 0.5)).min(1.0),
        _ => 1.0,
    }
}

/// Chances of several comparisons, corrected for their number (Holm 1979); in the order given.
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|a, b| chances[*a].total_cmp(&chances[*b]).then(a.cmp(b)));
    let (mut corrected, mut least) = (vec![1.0; chances.len()], 0.0_f64);
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max(chances[at] * (chances.len() - rank) as f64).min(1.0);
        corrected[at] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_losses_and_chance() {
        let pairs: Vec<(f64, f64)> = [(0.0, 1.0); 9].into_iter().chain([(1.0, 0.0)]).chain([(1.0, 1.0); 10]).collect();
        let names: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        let pairs: Vec<(&str, f64, f64)> =
            names.iter().zip(pairs).map(|(name, (a, b))| (name.as_str(), a, b)).collect();
        let comparison = compare(&pairs, 1);
        assert_eq!((comparison.n, comparison.wins, comparison.losses, comparison.difference), (20, 9, 1, 0.4));
        // 2 (C(10,9) + C(10,10)) ÷ 2^10
        assert!((comparison.p - 22.0 / 1024.0).abs() < 1e-12, "{}", comparison.p);
        let (low, high) = comparison.interval.unwrap();
        assert!(low > 0.0 && high < 0.8 && low < 0.4 && high > 0.4, "{low} {high}");
        assert_eq!(compare(&pairs, 1), comparison);
    }

    #[test]
    fn equal_runs_do_not_differ() {
        let comparison = compare(&[("a", 0.5, 0.5), ("a", 0.5, 0.5), ("b", 0.5, 0.5)], 1);
        assert_eq!((comparison.difference, comparison.interval, comparison.p), (0.0, Some((0.0, 0.0)), 1.0));
        assert_eq!(compare(&[("a", 0.0, 1.0), ("a", 1.0, 1.0)], 1).interval, None, "one document tells of no other");
        assert_eq!(compare(&[], 1).p, 1.0);
    }

    #[test]
    fn holm_as_in_its_paper() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (ours, right) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((ours - right).abs() < 1e-12, "{corrected:?}");
        }
    }
}
