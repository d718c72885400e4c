//! The terms that score: words, and words side by side.

/// A term and what it weighs: its idf times how often the query has it.
pub(super) struct WeightedTerm {
    pub(super) name: String,
    pub(super) weight: f64,
    /// How many live pages have it.
    pub(super) df: u64,
    /// Of words side by side, which the index does not hold as such: where they stand, by segment.
    pub(super) found: Option<Vec<Occurrences>>,
}

/// Positions of pages in a segment, in order, and how often each has the term.
#[derive(Default)]
pub(super) struct Occurrences {
    pub(super) pages: Vec<u32>,
    pub(super) counts: Vec<u32>,
}

impl WeightedTerm {
    /// Where words side by side stand in the `nth` segment; `None` for a word.
    pub(super) fn side_by_side(&self, nth: usize) -> Option<(&[u32], &[u32])> {
        let found = self.found.as_ref()?.get(nth)?;
        Some((&found.pages, &found.counts))
    }
}
