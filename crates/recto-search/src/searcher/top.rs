//! The best few of many pages.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

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

/// Keeps the best `k` of the candidates that it is offered.
pub(super) struct Top {
    k: usize,
    heap: BinaryHeap<Reverse<Candidate>>,
}

impl Top {
    pub(super) fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::new() }
    }

    pub(super) fn offer(&mut self, candidate: Candidate) {
        if self.heap.len() < self.k {
            self.heap.push(Reverse(candidate));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate > worst.0
        {
            *worst = Reverse(candidate);
        }
    }

    /// Best first.
    pub(super) fn into_sorted(self) -> Vec<Candidate> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}
