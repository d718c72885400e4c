//! The one way from a query to ranked pages, whoever asks: pages looked up that are named by their labels, every route asked,
//! the first pages given a second look. Not how routes are put together (`recto_search::route::hybrid`).

use std::collections::BTreeSet;

use recto_page::PageId;
use recto_search::{Query, Ranker, Ranking, Result, Routes, Scope, Search};

use crate::encoders::Encoders;
use crate::joined::Searched;

/// An index that is open, with what ranks its pages.
pub(crate) struct Finder<'a> {
    index: &'a dyn Searched,
    encoders: &'a Encoders,
    pub(crate) routes: Routes<'a>,
}

impl<'a> Finder<'a> {
    /// With the routes that a ranker asks for.
    ///
    /// # Errors
    /// When the index lacks one, or a file or an encoder can't be used.
    pub(crate) fn new(index: &'a dyn Searched, ranker: &Ranker, encoders: &'a Encoders) -> anyhow::Result<Self> {
        Ok(Self { index, encoders, routes: index.routes(ranker, encoders)? })
    }

    /// With words alone.
    pub(crate) fn by_words(index: &'a dyn Searched, encoders: &'a Encoders) -> Self {
        Self { index, encoders, routes: Routes { bm25: index.searcher(), vectors: Vec::new() } }
    }

    /// A query of plain words. For the hybrid, words that no page has are replaced by words of the index; single routes get
    /// what they are asked, as they are there to be compared.
    ///
    /// # Errors
    /// When the index can't be read.
    pub(crate) fn query(&self, text: &str, ranker: &Ranker) -> Result<Query> {
        let corrected = if *ranker == Ranker::Hybrid { self.index.searcher().corrected(text)? } else { None };
        Ok(Query::plain(corrected.as_ref().map_or(text, |corrected| &corrected.text)))
    }

    /// The best `k` pages for a query.
    ///
    /// # Errors
    /// Those of [`Routes::rank`].
    pub(crate) fn rank(&self, ranker: &Ranker, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
        let mut ranking = self.rank_among(ranker, query, scope, k, &|_| true)?;
        ranking.0.truncate(k);
        Ok(ranking)
    }

    /// The best pages for a query among those that are `wanted`: `k` of them, or more.
    ///
    /// # Errors
    /// Those of [`Routes::rank`].
    pub(crate) fn rank_among(
        &self,
        ranker: &Ranker,
        query: &Query,
        scope: &Scope,
        k: usize,
        wanted: &dyn Fn(&PageId) -> bool,
    ) -> Result<Ranking> {
        let (query, scope) = self.labelled(query, scope);
        let mut ranking = self.routes.rank(ranker, &query, &scope, k.max(self.encoders.reranked()))?;
        ranking.0.retain(|hit| wanted(&hit.page));
        Ok(self.encoders.rerank(ranking, &query, self.index))
    }

    /// The query with the pages that it names by their labels, and where they are looked for. A catalog that can't be read is
    /// reported by whoever reads the pages that are found.
    fn labelled(&self, query: &Query, scope: &Scope) -> (Query, Scope) {
        let scope = self.index.narrowed(scope).unwrap_or_else(|_| scope.clone());
        let pages = self.index.labelled(query, &scope).unwrap_or_default();
        (Query { pages, ..query.clone() }, scope)
    }
}

/// Everything that the index holds, as recto puts it together; words alone where an encoder gives nothing.
impl Search for Finder<'_> {
    fn search(&self, text: &str, scope: &Scope, k: usize) -> Result<Ranking> {
        let query = self.query(text, &Ranker::Hybrid)?;
        let ranking = self.rank(&Ranker::Hybrid, &query, scope, k);
        ranking.or_else(|_| Self::by_words(self.index, self.encoders).rank(&Ranker::Hybrid, &query, scope, k))
    }

    fn named(&self, text: &str, scope: &Scope) -> Result<BTreeSet<PageId>> {
        let (query, scope) = self.labelled(&Query::plain(text), scope);
        self.index.searcher().named_by(&query, &scope)
    }
}
