//! A page as a search by words finds it.

use std::cmp::Ordering;

use super::segment::Place;

/// A page with a score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) score: f64,
    pub(super) place: Place,
    /// Which segment holds it.
    pub(super) segment: usize,
    /// Its position there.
    pub(super) local: usize,
}

/// The better one is greater: by score, then the earlier by document name and page.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |c: &Self| (c.place, c.segment, c.local);
        self.score.total_cmp(&other.score).then_with(|| place(other).cmp(&place(self)))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
