//! The routes to a page: by its words, by vectors of its text or its picture; and what puts routes together.
//!
//! Read in this order: [`Route`] and [`Ranker`] (the names), [`encoder`] (an encoder in the service of a route), [`store`]
//! (a route's vectors in an index), [`Routes`] (a query to a ranking), [`fusion`], [`hybrid`], [`mod@rerank`] (a second look).

pub mod encoder;
pub mod fusion;
pub mod hybrid;
pub mod rerank;
pub mod store;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use encoder::{PageInputs, RouteEncoder};
pub use fusion::reciprocal_rank_fusion;
pub use rerank::rerank;
pub use store::{VectorRoute, VectorStore};

use crate::{Hit, Query, Ranking, Result, Scope, SearchError, Searcher};

/// A kind of evidence that an index can hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    /// Words.
    Bm25,
    /// One vector for each window of a page's text.
    Dense,
    /// A vector for each token of a page's text, or each patch of its picture: MaxSim.
    Late,
    /// One vector for a page's picture.
    Page,
}

impl Route {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bm25, Self::Dense, Self::Late, Self::Page];
    /// Those of vectors.
    pub const VECTORS: [Self; 3] = [Self::Dense, Self::Late, Self::Page];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bm25 => "bm25",
            Self::Dense => "dense",
            Self::Late => "late",
            Self::Page => "page",
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no route's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no route; there are bm25, dense, late and page")]
pub struct UnknownRoute(pub String);

impl FromStr for Route {
    type Err = UnknownRoute;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownRoute> {
        Self::ALL.into_iter().find(|route| route.as_str() == name).ok_or_else(|| UnknownRoute(name.into()))
    }
}

/// What ranks pages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ranker {
    /// One route, with its own scores.
    One(Route),
    /// These routes by reciprocal rank fusion, written `bm25+dense`: the published formula and nothing else.
    Fused(Vec<Route>),
    /// Everything that the index holds, as recto puts it together.
    Hybrid,
}

impl fmt::Display for Ranker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(route) => route.fmt(f),
            Self::Fused(routes) => {
                let names: Vec<&str> = routes.iter().map(|route| route.as_str()).collect();
                f.write_str(&names.join("+"))
            }
            Self::Hybrid => f.write_str("hybrid"),
        }
    }
}

impl FromStr for Ranker {
    type Err = UnknownRoute;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownRoute> {
        if text == "hybrid" {
            return Ok(Self::Hybrid);
        }
        let mut routes = text.split('+').map(str::parse).collect::<std::result::Result<Vec<Route>, _>>()?;
        routes.sort_unstable();
        routes.dedup();
        Ok(if let [one] = routes.as_slice() { Self::One(*one) } else { Self::Fused(routes) })
    }
}

impl Ranker {
    /// The routes that it asks for; all for the hybrid, which takes what there is.
    pub fn routes(&self) -> &[Route] {
        match self {
            Self::One(route) => std::slice::from_ref(route),
            Self::Fused(routes) => routes,
            Self::Hybrid => &Route::ALL,
        }
    }
}

/// Every route of one index that can be asked.
pub struct Routes<'i> {
    /// The words.
    pub bm25: &'i Searcher,
    /// The routes of vectors, each at most once.
    pub vectors: Vec<VectorRoute<'i>>,
}

impl Routes<'_> {
    /// The best `k` pages for a query. Each hit says what each route gave it.
    ///
    /// # Errors
    /// [`SearchError::EmptyQuery`], [`SearchError::NoRoute`] for a route that is not there, [`SearchError::Model`] if an
    /// encoder gives no vector, [`SearchError::Vectors`] if it is not the one that made those of the index.
    pub fn rank(&self, ranker: &Ranker, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
        let mut ranking = match ranker {
            Ranker::One(route) => self.by(*route, query, scope, k)?,
            Ranker::Fused(routes) => self.fused(routes, query, scope)?,
            Ranker::Hybrid => hybrid::rank(self, query, scope, k)?,
        };
        ranking.0.truncate(k);
        Ok(ranking)
    }

    /// The part of a page's text that was nearest to the query, in bytes, where vectors of windows found the page.
    pub fn window(&self, hit: &Hit, text: &str) -> Option<Range<usize>> {
        let share = hit.shares.iter().find(|share| share.window.is_some())?;
        let vectors = self.vectors.iter().find(|vectors| vectors.route().as_str() == share.name)?;
        Some(vectors.encoder().windows(text).get(share.window? as usize)?.bytes.clone())
    }

    /// The routes that are there.
    pub fn held(&self) -> Vec<Route> {
        let mut held = vec![Route::Bm25];
        held.extend(self.vectors.iter().map(VectorRoute::route));
        held
    }

    /// The best `k` by one route.
    fn by(&self, route: Route, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
        if route == Route::Bm25 {
            return self.bm25.run(query, scope, k);
        }
        let vectors = self.vectors.iter().find(|vectors| vectors.route() == route);
        let vectors = vectors.ok_or(SearchError::NoRoute(route))?;
        if query.is_empty() {
            return Err(SearchError::EmptyQuery);
        }
        let Some(admitted) = self.bm25.admitted(query)? else { return vectors.rank(&query.text, scope, k) };
        let mut ranking = vectors.rank(&query.text, scope, usize::MAX)?;
        ranking.0.retain(|hit| admitted.contains(&hit.page));
        ranking.0.truncate(k);
        ranking.0.iter_mut().zip(1..).for_each(|(hit, rank)| hit.shares.iter_mut().for_each(|share| share.rank = rank));
        Ok(ranking)
    }

    /// Each of the routes as deep as fusion looks, put together.
    fn fused(&self, routes: &[Route], query: &Query, scope: &Scope) -> Result<Ranking> {
        let rank = |route: &Route| Ok((route.as_str(), self.by(*route, query, scope, fusion::DEPTH)?));
        Ok(reciprocal_rank_fusion(routes.iter().map(rank).collect::<Result<_>>()?))
    }
}
