//! The best few of many, whatever order they come in.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
