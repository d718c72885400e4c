//! A page as a scan finds it.

use std::cmp::{Ordering, Reverse};

use super::header::PageKey;

/// A page with its score and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) score: f32,
    pub(super) key: PageKey,
    pub(super) segment: usize,
    pub(super) row: usize,
    pub(super) window: u32,
}

/// By score, then the page that comes first.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |candidate: &Self| Reverse((candidate.key, candidate.segment, candidate.row));
        self.score.total_cmp(&other.score).then_with(|| place(self).cmp(&place(other)))
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
