//! The terms that score: words, and words side by side.

use crate::bm25::{Grain, MAX_SATURATION, saturation};

/// A term and what it weighs: its idf times how often the query has it.
pub(super) struct WeightedTerm {
    pub(super) name: String,
    pub(super) weight: f64,
    /// How many live pages have it.
    pub(super) df: u64,
    /// Of words side by side, which the index does not hold as such: where they stand, by segment.
    pub(super) found: Option<Vec<Occurrences>>,
    /// That of the query.
    pub(super) grain: Grain,
}

/// Positions of pages in a segment, in order, and how often each has the term.
#[derive(Default)]
pub(super) struct Occurrences {
    pub(super) pages: Vec<u32>,
    pub(super) counts: Vec<u32>,
}

impl WeightedTerm {
    /// What `tf` occurrences add to the score of a page of this norm.
    pub(super) fn share(&self, tf: u32, norm: f64) -> f64 {
        self.grain.round(self.weight * saturation(f64::from(tf), norm))
    }

    /// What no share is above.
    pub(super) fn bound(&self) -> f64 {
        self.grain.round(self.weight * MAX_SATURATION)
    }

    /// Where words side by side stand in the `nth` segment; `None` for a word.
    pub(super) fn side_by_side(&self, nth: usize) -> Option<&Occurrences> {
        self.found.as_ref()?.get(nth)
    }
}

/// Gives the terms of a query the grain that all of them share.
pub(super) fn with_grain(mut terms: Vec<WeightedTerm>) -> Vec<WeightedTerm> {
    let grain = Grain::of(terms.iter().map(|term| term.weight * MAX_SATURATION).sum());
    terms.iter_mut().for_each(|term| term.grain = grain);
    terms
}
