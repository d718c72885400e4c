//! The best few of many, whatever order they come in.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

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

/// The best `keep` so far.
#[derive(Debug)]
pub(super) struct Top {
    keep: usize,
    heap: BinaryHeap<Reverse<Candidate>>,
}

impl Top {
    pub(super) fn new(keep: usize) -> Self {
        Self { keep, heap: BinaryHeap::new() }
    }

    pub(super) fn push(&mut self, candidate: Candidate) {
        if self.heap.len() < self.keep {
            self.heap.push(Reverse(candidate));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && worst.0 < candidate
        {
            worst.0 = candidate;
        }
    }

    /// Best first.
    pub(super) fn into_sorted(self) -> Vec<Candidate> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}
