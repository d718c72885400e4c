//! Okapi BM25 in 64-bit arithmetic over exact lengths: the formula only, not the pages (see [`crate::searcher`]).
//!
//! For a term that stands in `df` of `N` pages and `tf` times in a page of `len` words:
//!
//! `ln(1 + (N - df + 0.5) / (df + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len / avgdl))`
//!
//! The first factor is Robertson and Spärck Jones' weight with 1 added inside the logarithm, so that no term counts
//! against a page; the second is that of Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
//! Beyond" (2009). A page's score is the sum over the query's terms, each as often as the query has it.

/// How soon more occurrences of a term stop to matter.
pub const K1: f64 = 1.2;
/// How much longer pages are held back.
pub const B: f64 = 0.75;

/// The pages that statistics are taken over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Population {
    /// How many pages (N).
    pub pages: u64,
    /// How many words they have together.
    pub words: u64,
}

impl Population {
    /// The average length of a page, in words; 1 if there is none, so that it can be divided by.
    pub fn average_length(&self) -> f64 {
        if self.words == 0 { 1.0 } else { self.words as f64 / self.pages as f64 }
    }

    /// The weight of a term that `df` of the pages have.
    pub fn idf(&self, df: u64) -> f64 {
        let (n, df) = (self.pages as f64, df as f64);
        ((n - df + 0.5) / (df + 0.5)).ln_1p()
    }
}

/// What a page whose length is `relative_length` times the average has in the divisor of the second factor beside `tf`.
pub fn length_norm(relative_length: f64) -> f64 {
    K1 * (1.0 - B + B * relative_length)
}

/// The second factor: what `tf` occurrences count in a page of this [`length_norm`].
pub fn saturation(tf: f64, length_norm: f64) -> f64 {
    tf * (K1 + 1.0) / (tf + length_norm)
}

/// The most that a term can add to a score, for each unit of its weight: what [`saturation`] comes near to as occurrences
/// grow in number.
pub const MAX_SATURATION: f64 = K1 + 1.0;

/// Rounds the shares of a score to multiples of one small number, so small that scores stay as exact as 64 bits have it,
/// and so large that sums of shares are exact. So a score does not depend on the order in which it is summed, and bounds
/// of scores hold to the last bit.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Grain(f64);

impl Grain {
    /// For shares that sum to at most `most`, which is finite and not negative.
    pub fn of(most: f64) -> Self {
        // The least power of two above it, times six: what is added to that loses the digits below a 2^50th of the power.
        Self(f64::from_bits(((most.to_bits() >> 52) + 1) << 52) * 6.0)
    }

    /// The multiple that is nearest.
    pub fn round(self, share: f64) -> f64 {
        (share + self.0) - self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rounded_shares_are_exact_in_any_order() {
        for most in [0.0, 1e-300, 0.1, 0.9, 1.0, 17.3, 4096.0, 3e6] {
            let grain = Grain::of(most);
            let shares: Vec<f64> = (1..=100).map(|i| grain.round(most / 100.0 / f64::from(i))).collect();
            let (forth, back): (f64, f64) = (shares.iter().sum(), shares.iter().rev().sum());
            assert_eq!(forth, back, "{most}");
            let exact: f64 = (1..=100).map(|i| most / 100.0 / f64::from(i)).sum();
            assert!((forth - exact).abs() <= most * 2e-14, "{most}");
        }
    }

    #[test]
    fn a_page_scored_by_hand() {
        // Three pages of 2, 4 and 6 words; the term stands once, in the second.
        let population = Population { pages: 3, words: 12 };
        let score = population.idf(1) * saturation(1.0, length_norm(4.0 / population.average_length()));
        assert!((score - (1.0_f64 + 2.5 / 1.5).ln()).abs() < 1e-15);
    }

    #[test]
    fn edges_give_numbers() {
        assert_eq!(Population::default().average_length(), 1.0);
        assert!(Population { pages: 5, words: 9 }.idf(5) > 0.0);
        assert_eq!(saturation(0.0, length_norm(0.0)), 0.0);
        assert_eq!(saturation(1.0, f64::INFINITY), 0.0);
    }
}
