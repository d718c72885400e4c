//! recto's own ranking: the one place where everything that an index holds is put together.
//!
//! Sums of scores, not of ranks: by words a page gets its share of the best page's score, by each route of vectors its
//! place between the last page and the best that the route found, times the route's weight. So a page that is far ahead
//! by its words stays ahead, and what did not find a page adds nothing to it. Before all that come pages that hold an
//! identifier of the query which hardly any page holds (`AB-1234`): vectors know nothing of such words.

use std::collections::BTreeMap;

use recto_page::PageId;

use super::{Route, Routes, VectorRoute};
use crate::route::fusion::DEPTH;
use crate::searcher::RELATIVE;
use crate::{Hit, Query, Ranking, Result, Scope, Share};

/// The share of pages that hold an identifier.
pub(super) const EXACT: &str = "exact";
/// A term on more pages than this tells none of them apart.
const FEW_PAGES: usize = 3;
/// Shorter terms are numbers of figures and the like, which mean something else on each page.
const IDENTIFIER_CHARS: usize = 4;

/// What a route of vectors weighs, words weighing 1: chosen on the development questions with all-MiniLM-L6-v2, see
/// `docs/performance.md`. No encoder of pictures could be had to try.
const VECTORS_WEIGHT: f64 = 0.3;
/// What the static vectors of potion-base-8M weigh: more made the first page wrong more often.
const STATIC_WEIGHT: f64 = 0.1;
const STATIC_MODEL: &str = "potion-base-8M";

/// What the vectors of this model's tokens weigh, which were made to be averaged.
const TOKENS_WEIGHT: f64 = 0.1;
const TOKENS_MODEL: &str = "all-MiniLM-L6-v2";

fn weight(vectors: &VectorRoute<'_>) -> f64 {
    match (vectors.route(), vectors.encoder().space().encoder.model.as_str()) {
        (_, STATIC_MODEL) => STATIC_WEIGHT,
        (Route::Late, TOKENS_MODEL) => TOKENS_WEIGHT,
        _ => VECTORS_WEIGHT,
    }
}

/// The pages that any route finds among its best `k` (1,000 at least), best first.
///
/// # Errors
/// Those of the routes.
pub fn rank(routes: &Routes<'_>, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
    let query = &query.asked();
    let words = routes.bm25.run_weighed(query, scope, k.max(DEPTH))?;
    if routes.vectors.is_empty() {
        return Ok(words);
    }
    let identifiers = identifiers(&words);
    let mut hits = BTreeMap::new();
    add_words(words, &mut hits);
    let mut most = 1.0;
    for vectors in &routes.vectors {
        most += weight(vectors);
        add_vectors(routes.by(vectors.route(), query, scope, k.max(DEPTH))?, weight(vectors), &mut hits);
    }
    for hit in hits.values_mut() {
        promote(hit, &identifiers, most);
        hit.score = hit.shares.iter().map(|share| share.score).sum();
    }
    let mut ranking = Ranking(hits.into_values().collect());
    ranking.sort();
    Ok(ranking)
}

/// Each page's share of the best score, that is of what words gave it: what kinds of pages and being named gave makes vectors
/// count no more. Beyond the pages that were looked at closely, BM25 is all there is.
fn add_words(Ranking(words): Ranking, hits: &mut BTreeMap<PageId, Hit>) {
    let by_words = |hit: &Hit| {
        let kinds = hit.shares.iter().filter(|share| RELATIVE.contains(&share.name));
        hit.score - kinds.map(|share| share.score).sum::<f64>()
    };
    let best = words.iter().map(by_words).fold(f64::MIN_POSITIVE, f64::max);
    for (mut hit, rank) in words.into_iter().zip(1..) {
        if hit.shares.is_empty() {
            hit.shares.push(Share { name: "bm25", rank, value: hit.score, score: hit.score, window: None });
        }
        hit.shares.iter_mut().for_each(|share| share.score /= best);
        hits.insert(hit.page.clone(), hit);
    }
}

/// Each page's place between the last and the best, times the route's weight.
fn add_vectors(Ranking(found): Ranking, weight: f64, hits: &mut BTreeMap<PageId, Hit>) {
    let [best, last] = [found.first(), found.last()].map(|hit| hit.map_or(0.0, |hit| hit.score));
    let step = if best > last { weight / (best - last) } else { 0.0 };
    for hit in found {
        let empty = || Hit { page: hit.page.clone(), score: 0.0, parts: Vec::new(), shares: Vec::new() };
        let shares = hit.shares.iter().map(|share| Share { score: (hit.score - last) * step, ..*share });
        hits.entry(hit.page.clone()).or_insert_with(empty).shares.extend(shares);
    }
}

/// More than all routes together can give, for each identifier that is on the page.
fn promote(hit: &mut Hit, identifiers: &[String], most: f64) {
    let exact = hit.parts.iter().filter(|part| identifiers.contains(&part.term)).count();
    if exact > 0 {
        let value = exact as f64;
        hit.shares.push(Share { name: EXACT, rank: 0, value, score: value * most, window: None });
    }
}

/// The terms with letters and digits that were found, and on a few pages only.
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
