//! A page as a search by words finds it.

use super::segment::Place;
use crate::top::Scored;

/// A page with its score.
pub(super) type Candidate = Scored<Spot>;

/// Where a page is. Of equal scores the earlier by document name and page is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    pub(super) place: Place,
    /// Which segment holds it.
    pub(super) segment: usize,
    /// Its position there.
    pub(super) local: usize,
}
