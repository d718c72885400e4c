//! Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): a page scores 1 / (60 + rank) in each ranking.

use std::collections::BTreeMap;

use recto_page::PageId;

use crate::{Hit, Ranking, Share};

/// What is added to each rank, which counts from 1.
pub const K: f64 = 60.0;
/// How many pages of each ranking are put together where nothing else is said.
pub const DEPTH: usize = 1000;

/// Puts rankings together. A page that a ranking does not hold gets nothing from it; each hit says what it got from which.
pub fn reciprocal_rank_fusion(rankings: Vec<(&'static str, Ranking)>) -> Ranking {
    let mut hits: BTreeMap<PageId, Hit> = BTreeMap::new();
    for (name, Ranking(ranking)) in rankings {
        for (hit, rank) in ranking.into_iter().zip(1_u32..) {
            let share = Share {
                name,
                rank,
                value: hit.score,
                score: 1.0 / (K + f64::from(rank)),
                window: hit.shares.first().and_then(|share| share.window),
            };
            let empty = || Hit { page: hit.page.clone(), score: 0.0, parts: Vec::new(), shares: Vec::new() };
            let fused = hits.entry(hit.page.clone()).or_insert_with(empty);
            fused.score += share.score;
            fused.parts.extend(hit.parts);
            fused.shares.push(share);
        }
    }
    let mut ranking = Ranking(hits.into_values().collect());
    ranking.sort();
    ranking
}
