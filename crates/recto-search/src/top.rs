//! The best few of many, whatever order they come in.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// What has a score. The better one is greater: by score, then the one whose place comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored<P> {
    pub(crate) score: f64,
    pub(crate) at: P,
}

impl<P: Ord> Ord for Scored<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.at.cmp(&self.at))
    }
}

impl<P: Ord> PartialOrd for Scored<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: Ord> PartialEq for Scored<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<P: Ord> Eq for Scored<P> {}

/// Keeps the greatest `k` of what it is offered.
#[derive(Debug)]
pub(crate) struct Top<C> {
    k: usize,
    heap: BinaryHeap<Reverse<C>>,
}

impl<C: Ord> Top<C> {
    pub(crate) fn new(k: usize) -> Self {
        Self { k, heap: BinaryHeap::new() }
    }

    pub(crate) fn offer(&mut self, candidate: C) {
        if self.heap.len() < self.k {
            self.heap.push(Reverse(candidate));
        } else if let Some(mut worst) = self.heap.peek_mut()
            && candidate > worst.0
        {
            *worst = Reverse(candidate);
        }
    }

    /// The least of them, once there are `k`: what is less is not kept.
    pub(crate) fn least(&self) -> Option<&C> {
        self.heap.peek().filter(|_| self.heap.len() >= self.k).map(|Reverse(least)| least)
    }

    /// Best first.
    pub(crate) fn into_sorted(self) -> Vec<C> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(candidate)| candidate).collect()
    }
}
