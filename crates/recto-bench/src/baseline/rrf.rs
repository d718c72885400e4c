//! Reciprocal-rank fusion (Cormack and others 2009), as VisDocAgentBench has it.

use std::collections::BTreeMap;

use recto_page::PageId;

use crate::row::RankedPage;

/// The published constant.
pub const K: usize = 60;
/// So many pages of each ranking count.
pub const DEPTH: usize = 1_000;

/// Fuses rankings: a page has Σ 1 ÷ (k + rank) over those that hold it. Equal sums are ordered by the best single rank,
/// then by page. Rankings that name pages which match nothing lend them credit, here as in the reference.
pub fn fuse(rankings: &[Vec<PageId>], k: usize, depth: usize) -> Vec<RankedPage> {
    let mut pages: BTreeMap<&PageId, (f64, usize)> = BTreeMap::new();
    for ranking in rankings {
        for (page, rank) in ranking.iter().take(depth).zip(1..) {
            let (score, best) = pages.entry(page).or_insert((0.0, rank));
            *score += 1.0 / (k + rank) as f64;
            *best = rank.min(*best);
        }
    }
    let mut pages: Vec<(&PageId, (f64, usize))> = pages.into_iter().collect();
    pages.sort_by(|(a, (sa, ra)), (b, (sb, rb))| sb.total_cmp(sa).then(ra.cmp(rb)).then_with(|| a.cmp(b)));
    pages.into_iter().map(|(page, (score, _))| RankedPage { page: page.clone(), score }).collect()
}
