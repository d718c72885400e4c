//! Words side by side, found from the positions of the words. Pairs of words are no terms of the index: nearly each would
//! be there once, and together they would take more room than all words.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED};

use super::segment::Segment;
use super::term::Occurrences;
use crate::Result;

impl Segment {
    /// Which pages have the terms side by side in this order, live or not.
    pub(super) fn has_side_by_side(&self, terms: &[String]) -> Result<Vec<bool>> {
        let mut has = vec![false; self.len()];
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        self.side_by_side(&terms, |local, _| {
            if let Some(has) = has.get_mut(local as usize) {
                *has = true;
            }
        })?;
        Ok(has)
    }

    /// The live pages that have the terms side by side in this order, and how often.
    pub(super) fn occurrences(&self, terms: &[&str]) -> Result<Occurrences> {
        let mut found = Occurrences::default();
        self.side_by_side(terms, |local, count| {
            if self.all_live || self.is_live(local) {
                found.pages.push(local);
                found.counts.push(count);
            }
        })?;
        Ok(found)
    }

    fn side_by_side(&self, terms: &[&str], mut give: impl FnMut(u32, u32)) -> Result<()> {
        let mut lists = Vec::with_capacity(terms.len());
        for term in terms {
            match self.postings(term, IndexRecordOption::WithFreqsAndPositions)? {
                Some(postings) => lists.push(postings),
                None => return Ok(()),
            }
        }
        let (mut starts, mut positions) = (Vec::new(), Vec::new());
        while let Some(local) = next_common(&mut lists) {
            let count = count(&mut lists, &mut starts, &mut positions);
            if count > 0 {
                give(local, count);
            }
            if let Some(first) = lists.first_mut() {
                first.advance();
            }
        }
        Ok(())
    }
}

/// Moves all lists to the next page that each of them has.
fn next_common(lists: &mut [SegmentPostings]) -> Option<u32> {
    let mut target = lists.first()?.doc();
    loop {
        if target == TERMINATED {
            return None;
        }
        let mut furthest = target;
        for list in lists.iter_mut() {
            if list.doc() < furthest {
                list.seek(furthest);
            }
            furthest = furthest.max(list.doc());
        }
        if furthest == target {
            return Some(target);
        }
        target = furthest;
    }
}

/// How often, on the page that all lists stand at, a position of the first is followed by one of each next list.
fn count(lists: &mut [SegmentPostings], starts: &mut Vec<u32>, positions: &mut Vec<u32>) -> u32 {
    starts.clear();
    for (i, list) in lists.iter_mut().enumerate() {
        if i == 0 {
            list.positions(starts);
            continue;
        }
        list.positions(positions);
        let offset = u32::try_from(i).unwrap_or(u32::MAX);
        starts.retain(|start| positions.binary_search(&start.saturating_add(offset)).is_ok());
        if starts.is_empty() {
            break;
        }
    }
    u32::try_from(starts.len()).unwrap_or(u32::MAX)
}
