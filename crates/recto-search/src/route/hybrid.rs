//! recto's own ranking: the one place where everything that an index holds is put together.
//!
//! Reciprocal rank fusion of all routes, and before all of it pages that hold an identifier of the query which hardly any
//! page holds (`AB-1234`): vectors know nothing of such words, and two routes that agree must not bury the page.

use std::collections::BTreeMap;

use super::{Route, Routes, reciprocal_rank_fusion};
use crate::route::fusion::{DEPTH, K};
use crate::{Hit, Query, Ranking, Result, Scope, Share};

/// A term on more pages than this tells none of them apart.
const FEW_PAGES: usize = 3;
/// Shorter terms are numbers of figures and the like, which mean something else on each page.
const IDENTIFIER_CHARS: usize = 4;

/// The pages that any route finds among its best `k` (1,000 at least), best first.
///
/// # Errors
/// Those of the routes.
pub fn rank(routes: &Routes<'_>, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
    let held = routes.held();
    if held == [Route::Bm25] {
        return routes.bm25.run_weighed(query, scope, k);
    }
    let depth = k.max(DEPTH);
    let by = |route: &Route| match route {
        Route::Bm25 => routes.bm25.run_weighed(query, scope, depth),
        route => routes.by(*route, query, scope, depth),
    };
    let rankings = held.iter().map(|route| Ok((*route, by(route)?))).collect::<Result<Vec<_>>>()?;
    let words = rankings.iter().find(|(route, _)| *route == Route::Bm25).map(|(_, ranking)| identifiers(ranking));
    let mut fused = reciprocal_rank_fusion(rankings.into_iter().map(|(route, r)| (route.as_str(), r)).collect());
    for hit in &mut fused.0 {
        let exact =
            words.as_ref().map_or(0, |words| hit.parts.iter().filter(|part| words.contains(&part.term)).count());
        promote(hit, exact, held.len());
    }
    fused.sort();
    Ok(fused)
}

/// More than all routes together can give, for each identifier.
fn promote(hit: &mut Hit, exact: usize, routes: usize) {
    if exact > 0 {
        let score = (exact * routes) as f64 / (K + 1.0);
        hit.score += score;
        hit.shares.push(Share { name: "exact", rank: 0, value: exact as f64, score, window: None });
    }
}

/// The terms with a digit that only a few of the pages have which were found.
fn identifiers(ranking: &Ranking) -> Vec<String> {
    let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
    for part in ranking.0.iter().flat_map(|hit| &hit.parts) {
        *pages.entry(&part.term).or_default() += 1;
    }
    let is_one = |term: &str| {
        let letters = term.chars().filter(|c| c.is_alphabetic()).count();
        let digits = term.chars().filter(char::is_ascii_digit).count();
        digits > 0 && letters > 0 && letters + digits >= IDENTIFIER_CHARS && !term.contains(' ')
    };
    let rare = pages.into_iter().filter(|(term, count)| *count <= FEW_PAGES && is_one(term));
    rare.map(|(term, _)| term.to_owned()).collect()
}
