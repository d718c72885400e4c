//! The vectors of an index, written: which routes it has, pages to vectors, files that the next commit of the catalog
//! names. Encoders that fail leave their route incomplete, and the next update fills it; they never stop the reading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use recto_page::catalog::{CatalogWriter, StoredRoute, StoredSegment, Version};
use recto_page::{ContentHash, IndexDir, Page, PageNumber};
use recto_search::vectors::{PageKey, Segment, Writer};
use recto_search::{Route, RouteEncoder, SearchError};

use super::encoding::{Added, encode_all};
use super::vector_files;
use crate::config::Config;
use crate::corpus::Pictures;
use crate::encoders::{self, Encoders, Spec};
use crate::output;

/// Numbers that wait for the next commit: about 128 MiB.
const MOST_WAITING: usize = 1 << 25;
/// Pages that are encoded together.
pub(crate) const AT_ONCE: usize = 64;

pub(crate) struct Vectors {
    dir: IndexDir,
    config: Config,
    encoders: Encoders,
    password: Option<String>,
    makers: BTreeMap<Route, Maker>,
    /// Pages that were added since the last commit.
    added: Vec<Added>,
}

/// What makes the vectors of a route.
struct Maker {
    spec: Spec,
    encoder: Option<Arc<RouteEncoder>>,
    /// Whether all pages of the index have vectors: pages that are added get theirs with the same commit.
    complete: bool,
    /// Whether its encoder gave nothing in this update: it is not asked again.
    failed: bool,
    /// Vectors that no file holds yet.
    made: Vec<(PageKey, Vec<f32>)>,
}

impl Vectors {
    /// Decides which routes the index is to have: those that the user names, else those that it has. `reindex` is begun
    /// anew. Also whether that changes the catalog.
    ///
    /// # Errors
    /// `VectorError::Mixed` where the user names another encoder than the one that made a route's vectors.
    pub(crate) fn choose(
        catalog: &CatalogWriter,
        config: &Config,
        reindex: Option<Route>,
        password: Option<&str>,
    ) -> anyhow::Result<(Self, bool)> {
        let before = catalog.routes()?;
        let held: BTreeMap<Route, &StoredRoute> =
            before.iter().filter_map(|stored| Some((stored.name.parse().ok()?, stored))).collect();
        let wanted = config.routes.clone().unwrap_or_else(|| held.keys().copied().collect());
        let dir = catalog.dir().clone();
        let password = password.map(str::to_owned);
        let (config, encoders) = (config.clone(), Encoders::new(config));
        let mut chosen = Self { dir, config, encoders, password, makers: BTreeMap::new(), added: Vec::new() };
        for (route, _) in held.iter().filter(|(route, _)| !wanted.contains(route) && Some(**route) != reindex) {
            catalog.drop_route(route.as_str())?;
            output::note(format_args!(
                "the route {route} is not among the wanted ones any more; its vectors are removed"
            ));
        }
        for route in wanted.into_iter().chain(reindex).filter(|route| *route != Route::Bm25) {
            let stored = held.get(&route).copied();
            if stored.is_some() && Some(route) == reindex {
                catalog.drop_route(route.as_str())?;
            }
            let maker = chosen.maker(route, stored, Some(route) == reindex, catalog)?;
            catalog.set_route(route.as_str(), &maker.spec.as_text(), maker.complete)?;
            chosen.makers.insert(route, maker);
        }
        let changed = catalog.routes()? != before;
        Ok((chosen, changed))
    }

    /// What makes the vectors of a route, of which the catalog has this.
    fn maker(
        &self,
        route: Route,
        stored: Option<&StoredRoute>,
        anew: bool,
        catalog: &CatalogWriter,
    ) -> anyhow::Result<Maker> {
        let spec = encoders::chosen(route, stored.map(|stored| stored.encoder.as_str()), &self.config)?;
        let mut maker = Maker { spec, encoder: None, complete: false, failed: false, made: Vec::new() };
        match stored.filter(|_| !anew) {
            Some(stored) => {
                maker.complete = stored.complete;
                // Another name may mean the same encoder, or not.
                if stored.encoder != maker.spec.as_text() {
                    maker.encoder = Some(self.open(route, &maker.spec, &stored.segments)?);
                }
            }
            None => maker.complete = catalog.page_keys()?.is_empty(),
        }
        Ok(maker)
    }

    /// Takes a page that was added to the catalog, of a file with this content; as soon as there are enough of them, they
    /// are encoded.
    pub(crate) fn add(
        &mut self,
        version: Version,
        page: &Page,
        hash: Option<&ContentHash>,
        catalog: &CatalogWriter,
    ) -> anyhow::Result<()> {
        if self.makers.values().any(|maker| maker.complete) {
            self.added.push(Added::new(version, page, hash));
        }
        if self.added.len() >= AT_ONCE { self.encode_added(catalog) } else { Ok(()) }
    }

    /// The routes whose files do not hold every page, and whose encoders may still give what they lack.
    pub(crate) fn incomplete(&self) -> Vec<Route> {
        self.makers.iter().filter(|(_, maker)| !maker.complete && !maker.failed).map(|(route, _)| *route).collect()
    }

    /// The pages that a route lacks.
    pub(crate) fn lacking(&self, route: Route, catalog: &CatalogWriter) -> anyhow::Result<Vec<(Version, PageNumber)>> {
        let mut covered = BTreeSet::new();
        for stored in catalog.routes()?.into_iter().filter(|stored| stored.name == route.as_str()) {
            for segment in &stored.segments {
                covered.extend(Segment::open(&self.file(route, &segment.name))?.pages());
            }
        }
        let mut keys = catalog.page_keys()?;
        keys.retain(|(version, number)| !covered.contains(&PageKey { version: *version, number: number.get() }));
        Ok(keys)
    }

    /// Encodes pages that a route lacks; false if its encoder gave nothing, which is told.
    pub(crate) fn fill(&mut self, route: Route, pages: &[Added], catalog: &CatalogWriter) -> anyhow::Result<bool> {
        match self.encode(route, pages, catalog) {
            Ok(()) => Ok(true),
            Err(error) => self.told(route, error).map(|()| false),
        }
    }

    /// Notes that the files of a route hold every page.
    pub(crate) fn filled(&mut self, route: Route, catalog: &CatalogWriter) -> anyhow::Result<()> {
        self.set_complete(route, true, catalog)
    }

    /// True if the vectors that wait for a file take much memory.
    pub(crate) fn is_full(&self) -> bool {
        let waiting = |maker: &Maker| maker.made.iter().map(|(_, vectors)| vectors.len()).sum::<usize>();
        self.makers.values().map(waiting).sum::<usize>() > MOST_WAITING
    }

    /// Encodes what was added; a route whose encoder gives nothing is not complete from then on.
    fn encode_added(&mut self, catalog: &CatalogWriter) -> anyhow::Result<()> {
        let added = std::mem::take(&mut self.added);
        let complete = self.makers.iter().filter(|(_, maker)| maker.complete && !added.is_empty());
        for route in complete.map(|(route, _)| *route).collect::<Vec<_>>() {
            if let Err(error) = self.encode(route, &added, catalog) {
                self.told(route, error)?;
                self.set_complete(route, false, catalog)?;
            }
        }
        Ok(())
    }

    /// Encodes what was added and writes what was made into files that the next commit names.
    pub(crate) fn publish(&mut self, catalog: &CatalogWriter) -> anyhow::Result<()> {
        self.encode_added(catalog)?;
        for (route, maker) in &mut self.makers {
            let made = std::mem::take(&mut maker.made);
            if let Some(encoder) = maker.encoder.as_ref().filter(|_| !made.is_empty()) {
                let pages = made.len();
                let mut writer = Writer::new(encoder.space(), encoder.storage())?;
                made.into_iter().try_for_each(|(key, vectors)| writer.push(key, vectors))?;
                let published = writer.publish(&self.dir.vectors(route.as_str()))?;
                catalog.add_segment(route.as_str(), &vector_files::stored(&published, pages))?;
            }
        }
        Ok(())
    }

    fn file(&self, route: Route, name: &str) -> PathBuf {
        self.dir.vectors(route.as_str()).join(name)
    }

    fn set_complete(&mut self, route: Route, complete: bool, catalog: &CatalogWriter) -> anyhow::Result<()> {
        if let Some(maker) = self.makers.get_mut(&route) {
            maker.complete = complete;
            catalog.set_route(route.as_str(), &maker.spec.as_text(), complete)?;
        }
        Ok(())
    }

    /// An encoder that gave nothing is told and the update goes on; anything else ends it.
    fn told(&mut self, route: Route, error: anyhow::Error) -> anyhow::Result<()> {
        let by_model =
            error.is::<recto_model::ModelError>() || matches!(error.downcast_ref(), Some(SearchError::Model(_)));
        if !by_model {
            return Err(error);
        }
        output::note(format_args!(
            "the route {route} is not complete: {error:#}; the next `recto index` goes on with it"
        ));
        Ok(())
    }

    /// An encoder for a route, if it is the one that made the files.
    fn open(&self, route: Route, spec: &Spec, segments: &[StoredSegment]) -> anyhow::Result<Arc<RouteEncoder>> {
        let encoder = self.encoders.open(spec, route)?;
        if let Some(stored) = segments.first() {
            let anew = || format!("`recto index --reindex {route}` makes the route anew");
            let segment = Segment::open(&self.file(route, &stored.name)).with_context(anew)?;
            encoder.space().same_as(&segment.header().space)?;
        }
        Ok(encoder)
    }

    fn encode(&mut self, route: Route, pages: &[Added], catalog: &CatalogWriter) -> anyhow::Result<()> {
        let Some(maker) = self.makers.get(&route) else { return Ok(()) };
        let encoder = match &maker.encoder {
            Some(encoder) => Arc::clone(encoder),
            None => {
                let stored = catalog.routes()?.into_iter().find(|stored| stored.name == route.as_str());
                self.open(route, &maker.spec, &stored.map(|stored| stored.segments).unwrap_or_default())?
            }
        };
        let pictures = || Pictures::new(&self.dir, &self.config, self.password.as_deref());
        let made = encode_all(&encoder, pages, self.config.jobs, pictures)?;
        if let Some(maker) = self.makers.get_mut(&route) {
            maker.encoder = Some(encoder);
            maker.made.extend(pages.iter().map(|page| page.key).zip(made));
        }
        Ok(())
    }
}
