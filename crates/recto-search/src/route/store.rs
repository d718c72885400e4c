//! A route's vectors in an index, and pages ranked by them. One store is one snapshot.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use recto_page::{DocId, PageId, PageNumber};

use super::{Route, RouteEncoder};
use crate::vectors::{self, Found, Plan, Restriction, Segment};
use crate::{Hit, Ranking, Result, Scope, Share};

/// The files of a route that an index names, over the pages of its live document versions; or those of several indexes.
#[derive(Debug)]
pub struct VectorStore {
    indexes: Vec<Files>,
}

/// What one index has.
#[derive(Debug)]
struct Files {
    segments: Vec<Segment>,
    live: BTreeMap<u64, DocId>,
}

impl VectorStore {
    /// Opens the files; what they hold of other versions does not exist.
    ///
    /// # Errors
    /// [`vectors::VectorError`] for the first file that can't be used.
    pub fn open<P: AsRef<Path>>(files: &[P], live: &BTreeMap<u64, DocId>) -> vectors::Result<Self> {
        let segments = files.iter().map(|file| Segment::open(file.as_ref())).collect::<vectors::Result<_>>()?;
        Ok(Self { indexes: vec![Files { segments, live: live.clone() }] })
    }

    /// The same route of several indexes as if it were one's. A document must have the same name in one of them only.
    pub fn joined(stores: impl IntoIterator<Item = Self>) -> Self {
        Self { indexes: stores.into_iter().flat_map(|store| store.indexes).collect() }
    }

    /// The files.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.indexes.iter().flat_map(|index| &index.segments)
    }

    /// The nearest `k` pages, by score, then by [`PageId`].
    fn nearest(&self, query: &vectors::Query, scope: &Scope, k: usize) -> vectors::Result<Vec<(PageId, Found)>> {
        let mut pages = Vec::new();
        for index in &self.indexes {
            pages.extend(index.nearest(query, scope, k)?);
        }
        pages.sort_by(|(a, x), (b, y)| y.score.total_cmp(&x.score).then_with(|| a.cmp(b)));
        pages.truncate(k);
        Ok(pages)
    }
}

impl Files {
    /// The nearest `k` pages and those that are as near as the last of them.
    fn nearest(&self, query: &vectors::Query, scope: &Scope, k: usize) -> vectors::Result<Vec<(PageId, Found)>> {
        let live = self.live.iter().filter(|(_, doc)| scope.holds(doc));
        let versions: Vec<u64> = live.map(|(version, _)| *version).collect();
        let segments: Vec<&Segment> = self.segments.iter().collect();
        let found =
            with_ties(k, |k| vectors::search(&segments, query, Restriction::Versions(&versions), &Plan::new(k)))?;
        Ok(found.into_iter().filter_map(|found| self.named(found)).collect())
    }

    fn named(&self, found: Found) -> Option<(PageId, Found)> {
        let doc = self.live.get(&found.key.version)?;
        Some((PageId::new(doc.clone(), PageNumber::new(found.key.number)?), found))
    }
}

/// The best `k` and all that are as good as the last of them: which of equals is first, names say, not versions.
fn with_ties(k: usize, search: impl Fn(usize) -> vectors::Result<Vec<Found>>) -> vectors::Result<Vec<Found>> {
    let mut asked = k.saturating_add(1);
    loop {
        let found = search(asked)?;
        let cut = k.checked_sub(1).and_then(|last| found.get(last)).map(|found| found.score);
        if found.len() < asked || found.last().map(|found| found.score) != cut {
            return Ok(found);
        }
        asked = asked.saturating_mul(2);
    }
}

/// A route that can be asked.
pub struct VectorRoute<'s> {
    encoder: Arc<RouteEncoder>,
    store: &'s VectorStore,
}

impl<'s> VectorRoute<'s> {
    /// Refuses an encoder that did not make the vectors.
    ///
    /// # Errors
    /// [`vectors::VectorError::Mixed`], with the command that makes them anew.
    pub fn new(encoder: Arc<RouteEncoder>, store: &'s VectorStore) -> vectors::Result<Self> {
        let space = encoder.space();
        store.segments().try_for_each(|segment| space.same_as(&segment.header().space))?;
        Ok(Self { encoder, store })
    }

    /// Which it is.
    pub fn route(&self) -> Route {
        self.encoder.route()
    }

    /// Its encoder.
    pub fn encoder(&self) -> &RouteEncoder {
        &self.encoder
    }

    /// The best `k` pages.
    pub(super) fn rank(&self, text: &str, scope: &Scope, k: usize) -> Result<Ranking> {
        let query = self.encoder.encode_query(text)?;
        let name = self.route().as_str();
        let has_windows = self.route() == Route::Dense;
        let hit = |((page, found), rank): ((PageId, Found), u32)| {
            let score = f64::from(found.score);
            let window = has_windows.then_some(found.window);
            Hit { page, score, parts: Vec::new(), shares: vec![Share { name, rank, value: score, score, window }] }
        };
        Ok(Ranking(self.store.nearest(&query, scope, k)?.into_iter().zip(1..).map(hit).collect()))
    }
}
