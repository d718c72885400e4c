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

#[cfg(test)]
mod tests {
    use super::*;

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
