//! A page as a scan finds it.

use super::header::PageKey;
use crate::top::Scored;

/// A page with its score.
pub(super) type Candidate = Scored<Spot>;

/// Where a page is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    pub(super) key: PageKey,
    pub(super) segment: usize,
    pub(super) row: usize,
    pub(super) window: u32,
}
