//! Which page has a number printed on it. Only the words of pages are known, not which of them are page numbers: a
//! number at the edge of a page is its own if the pages around it have those that come before and after.

use std::collections::{BTreeMap, BTreeSet};

use super::Searcher;
use crate::Result;

/// Words at the top of a page among which its number can be.
const TOP: u32 = 4;
/// Words at the bottom: running footers say more.
const BOTTOM: u32 = 16;
/// So many pages to either side are looked at.
const REACH: u32 = 4;
/// So many of them must have their numbers.
const NEEDED: usize = 3;

/// A page: the rank of its document, and its number.
pub(super) type Named = (u32, u32);

impl Searcher {
    /// The page of each document in scope that has the number printed on it, as far as that can be told.
    pub(super) fn printed(&self, number: u32, in_scope: &[bool]) -> Result<Vec<Named>> {
        let mut edges = BTreeMap::new();
        let furthest = 2 * REACH;
        for near in number.saturating_sub(furthest)..=number.saturating_add(furthest) {
            edges.insert(near, self.at_edges(near, in_scope)?);
        }
        let has = |(doc, page): Named, near: u32| edges.get(&near).is_some_and(|pages| pages.contains(&(doc, page)));
        let mut best: BTreeMap<u32, (usize, u32)> = BTreeMap::new();
        for page in edges.get(&number).into_iter().flatten() {
            // A sheet can hold two pages of a book.
            let support = [1, 2].map(|step| support(*page, number, step, has)).into_iter().max().unwrap_or(0);
            let known = best.entry(page.0).or_insert((NEEDED - 1, 0));
            if support > known.0 {
                *known = (support, page.1);
            }
        }
        Ok(best.into_iter().filter(|(_, (_, page))| *page > 0).map(|(doc, (_, page))| (doc, page)).collect())
    }

    /// The pages in scope with the number among their first or last words.
    fn at_edges(&self, number: u32, in_scope: &[bool]) -> Result<BTreeSet<Named>> {
        let mut pages = BTreeSet::new();
        for segment in &self.segments {
            let wanted = segment.in_scope(in_scope);
            segment.positions(&number.to_string(), &wanted, |local, positions| {
                let place = segment.place(local);
                let is_at_edge = |at: &u32| *at < TOP || at.saturating_add(BOTTOM) >= place.length;
                if positions.iter().any(is_at_edge) {
                    pages.insert((place.doc, place.page));
                }
            })?;
        }
        Ok(pages)
    }
}

/// How many of the pages around have the number that they would have.
fn support((doc, page): Named, number: u32, step: u32, has: impl Fn(Named, u32) -> bool) -> usize {
    let before = (1..=REACH).filter(|n| {
        let there = page.checked_sub(*n).zip(number.checked_sub(step * n));
        there.is_some_and(|(page, number)| has((doc, page), number))
    });
    let after = (1..=REACH).filter(|n| has((doc, page.saturating_add(*n)), number.saturating_add(step * n)));
    before.count() + after.count()
}
