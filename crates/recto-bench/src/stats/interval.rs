//! How sure a figure is: intervals by bootstrap for means, exact ones for shares.

use std::collections::BTreeMap;

/// A stream of numbers that a seed determines (SplitMix64, Steele and others 2014).
pub(crate) struct Random(u64);

impl Random {
    const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; of 2^64 numbers at most n - 1 come once more often.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// So many samples are drawn.
const SAMPLES: usize = 2_000;
/// With so many clusters the mean is as good as normally distributed, and nothing needs to be drawn.
const MANY: usize = 2_000;

/// The 95 % interval of the mean of values that come in clusters (percentile bootstrap over clusters): questions about
/// one document stand or fall together. `None` for less than two clusters.
pub fn bootstrap(values: &[(&str, f64)], seed: u64) -> Option<(f64, f64)> {
    let mut clusters: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for (cluster, value) in values {
        let (sum, n) = clusters.entry(cluster).or_default();
        *sum += value;
        *n += 1;
    }
    let clusters: Vec<(f64, usize)> = clusters.into_values().collect();
    if clusters.len() < 2 {
        return None;
    }
    if clusters.len() > MANY {
        return Some(normal(&clusters));
    }
    percentiles(seed, |random| {
        let drawn = clusters.iter().filter_map(|_| clusters.get(random.below(clusters.len())));
        let (sum, n) = drawn.fold((0.0, 0), |(sum, n), (s, m)| (sum + s, n + m));
        sum / n as f64
    })
}

/// The 95 % interval of a mean over clusters, from their sums and sizes: that of a ratio, linearised (Cochran 1977, 6.3).
fn normal(clusters: &[(f64, usize)]) -> (f64, f64) {
    let (sum, n) = clusters.iter().fold((0.0, 0.0), |(sum, n), (s, m)| (sum + s, n + *m as f64));
    let mean = sum / n;
    let squares: f64 = clusters.iter().map(|(s, m)| (s - mean * *m as f64).powi(2)).sum();
    let k = clusters.len() as f64;
    let half = 1.96 * (squares * k / (k - 1.0)).sqrt() / n;
    (mean - half, mean + half)
}

/// What 95 % of the samples lie between.
pub(crate) fn percentiles(seed: u64, mut sample: impl FnMut(&mut Random) -> f64) -> Option<(f64, f64)> {
    let mut random = Random::new(seed);
    let mut samples: Vec<f64> = (0..SAMPLES).map(|_| sample(&mut random)).collect();
    samples.sort_by(f64::total_cmp);
    let at = |share: f64| samples.get((share * (SAMPLES - 1) as f64).round() as usize).copied();
    at(0.025).zip(at(0.975))
}

/// The exact 95 % interval of a share of `n` (Clopper and Pearson 1934); (0, 1) for none.
pub fn exact(k: u32, n: u32) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let low = if k == 0 { 0.0 } else { root(|p| at_least(k, n, p) - 0.025) };
    let high = if k >= n { 1.0 } else { root(|p| 0.025 - (1.0 - at_least(k + 1, n, p))) };
    (low, high)
}

/// Where a rising function of 0..=1 crosses 0.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The chance of `k` or more of `n` where each has chance `p`.
pub(crate) fn at_least(k: u32, n: u32, p: f64) -> f64 {
    if k == 0 {
        return 1.0;
    }
    if p <= 0.0 || p >= 1.0 {
        return f64::from(u8::from(p >= 1.0 && k <= n));
    }
    let mut log_choose = 0.0;
    let mut sum = 0.0;
    for i in 0..=n {
        if i > 0 {
            log_choose += (f64::from(n - i + 1) / f64::from(i)).ln();
        }
        if i >= k {
            sum += (log_choose + f64::from(i) * p.ln() + f64::from(n - i) * (-p).ln_1p()).exp();
        }
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_intervals_are_those_of_the_tables() {
        // Clopper-Pearson as scipy.stats.binomtest(k, n).proportion_ci() gives it.
        for (k, n, low, high) in [
            (0, 10, 0.0, 0.308_497_107_818_762_94),
            (5, 10, 0.187_086_028_447_404_5, 0.812_913_971_552_595_5),
            (10, 10, 0.691_502_892_181_237_1, 1.0),
            (8, 120, 0.029_219_184_313_796_418, 0.127_136_748_239_211_2),
        ] {
            let (l, h) = exact(k, n);
            assert!((l - low).abs() < 1e-9 && (h - high).abs() < 1e-9, "{k} of {n}: {l} {h}");
        }
        assert_eq!(exact(0, 0), (0.0, 1.0));
    }

    #[test]
    fn the_bootstrap_draws_clusters_and_is_the_same_each_time() {
        let alone: Vec<(String, f64)> = (0..100).map(|i| (i.to_string(), f64::from(i % 2))).collect();
        let alone: Vec<(&str, f64)> = alone.iter().map(|(name, v)| (name.as_str(), *v)).collect();
        let together: Vec<(&str, f64)> = alone.iter().map(|(_, v)| (if *v > 0.5 { "a" } else { "b" }, *v)).collect();
        let (low, high) = bootstrap(&alone, 7).unwrap();
        assert!((0.37..0.43).contains(&low) && (0.57..0.63).contains(&high), "{low} {high}");
        assert_eq!(bootstrap(&alone, 7), Some((low, high)));
        assert_eq!(bootstrap(&together, 7), Some((0.0, 1.0)));
        assert_eq!(bootstrap(&[("a", 1.0), ("a", 0.0)], 7), None);
    }

    #[test]
    fn many_clusters_give_what_the_bootstrap_would() {
        let clusters: Vec<(f64, usize)> = (0..MANY + 1).map(|i| ((i * i % 7) as f64, 1 + i % 3)).collect();
        let (low, high) = normal(&clusters);
        let drawn = percentiles(7, |random| {
            let drawn = clusters.iter().filter_map(|_| clusters.get(random.below(clusters.len())));
            let (sum, n) = drawn.fold((0.0, 0), |(sum, n), (s, m)| (sum + s, n + m));
            sum / n as f64
        });
        let (l, h) = drawn.unwrap();
        assert!((low - l).abs() < 0.01 && (high - h).abs() < 0.01, "{low} {high}, drawn {l} {h}");
    }
}
