//! The vectors of an index, written: which routes it has, pages to vectors, files that the next commit of the catalog
//! names. Encoders that fail leave their route incomplete, and the next update fills it; they never stop the reading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context;
use recto_page::catalog::{CatalogWriter, StoredRoute, StoredSegment, Version};
use recto_page::{ContentHash, IndexDir, Page, PageNumber, Region};
use recto_search::route::PageInputs;
use recto_search::vectors::{self, PageKey, Published, Segment, VectorError, Writer};
use recto_search::{Route, RouteEncoder, SearchError};

use crate::config::Config;
use crate::corpus::Pictures;
use crate::encoders::{self, Spec};
use crate::output;

/// Numbers that wait for the next commit: about 128 MiB.
const MOST_WAITING: usize = 1 << 25;
/// Pages that are encoded together.
pub(crate) const AT_ONCE: usize = 64;
/// Pages that a thread encodes at once.
const PIECE: usize = 8;
/// So many files of one size are made one.
const MERGED_AT_ONCE: usize = 8;

pub(crate) struct Vectors {
    dir: IndexDir,
    config: Config,
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
    /// Vectors that no file holds yet.
    made: Vec<(PageKey, Vec<f32>)>,
}

/// A page to be encoded.
pub(crate) struct Added {
    key: PageKey,
    text: String,
    /// The content that it is drawn from.
    hash: Option<ContentHash>,
}

impl Added {
    pub(crate) fn new(version: Version, page: &Page, hash: Option<&ContentHash>) -> Self {
        let key = PageKey { version, number: page.number.get() };
        Self { key, text: page.text(), hash: hash.cloned() }
    }
}

impl Vectors {
    /// Decides which routes the index is to have: those that the user names, else those that it has. `reindex` is begun
    /// anew. Also whether that changes the catalog.
    ///
    /// # Errors
    /// [`VectorError::Mixed`] where the user names another encoder than the one that made a route's vectors.
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
        let mut chosen = Self { dir, config: config.clone(), password, makers: BTreeMap::new(), added: Vec::new() };
        for (route, _) in held.iter().filter(|(route, _)| !wanted.contains(route) && Some(**route) != reindex) {
            catalog.drop_route(route.as_str())?;
            output::note(format_args!(
                "the route {route} is not among the wanted ones any more; its vectors are removed"
            ));
        }
        let is_empty = catalog.page_keys()?.is_empty();
        for route in wanted.into_iter().chain(reindex).filter(|route| *route != Route::Bm25) {
            let stored = held.get(&route).copied();
            let spec = encoders::chosen(route, stored.map(|stored| stored.encoder.as_str()), config)?;
            let mut maker = Maker { spec, encoder: None, complete: is_empty, made: Vec::new() };
            match stored {
                Some(_) if Some(route) == reindex => catalog.drop_route(route.as_str())?,
                Some(stored) => {
                    maker.complete = stored.complete;
                    if stored.encoder != maker.spec.as_text() {
                        maker.encoder = Some(chosen.open(route, &maker.spec, &stored.segments)?);
                    }
                }
                None => {}
            }
            catalog.set_route(route.as_str(), &maker.spec.as_text(), maker.complete)?;
            chosen.makers.insert(route, maker);
        }
        let changed = catalog.routes()? != before;
        Ok((chosen, changed))
    }

    /// Takes a page that was added to the catalog; as soon as there are enough of them, they are encoded.
    pub(crate) fn add(&mut self, page: Added, catalog: &CatalogWriter) -> anyhow::Result<()> {
        if self.makers.values().any(|maker| maker.complete) {
            self.added.push(page);
        }
        if self.added.len() >= AT_ONCE { self.encode_added(catalog) } else { Ok(()) }
    }

    /// The routes whose files do not hold every page.
    pub(crate) fn incomplete(&self) -> Vec<Route> {
        self.makers.iter().filter(|(_, maker)| !maker.complete).map(|(route, _)| *route).collect()
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
                catalog.add_segment(route.as_str(), &stored(&published, pages))?;
            }
        }
        Ok(())
    }

    /// Makes few files of many, and drops the vectors of pages that are gone where they are many.
    pub(crate) fn tidy(&self, catalog: &CatalogWriter) -> anyhow::Result<()> {
        let live: BTreeSet<PageKey> =
            catalog.page_keys()?.into_iter().map(|(version, n)| PageKey { version, number: n.get() }).collect();
        for StoredRoute { name: route, segments, .. } in catalog.routes()? {
            let open = |stored: StoredSegment| {
                let segment = Segment::open(&self.dir.vectors(&route).join(&stored.name))?;
                Ok::<_, VectorError>((stored, segment))
            };
            // What is damaged stays as it is: whoever searches it, or the doctor, will tell.
            let Ok(files) = segments.into_iter().map(open).collect::<Result<Vec<_>, _>>() else { continue };
            for group in to_merge(files, &live) {
                self.merge(&route, &group, &live, catalog)?;
            }
        }
        Ok(())
    }

    /// Writes one file in place of several.
    fn merge(
        &self,
        route: &str,
        group: &[File],
        live: &BTreeSet<PageKey>,
        catalog: &CatalogWriter,
    ) -> anyhow::Result<()> {
        let Some(((_, first), others)) = group.split_first() else { return Ok(()) };
        group.iter().try_for_each(|(old, _)| catalog.remove_segment(route, &old.name))?;
        let kept = group.iter().flat_map(|(_, segment)| segment.pages()).filter(|key| live.contains(key)).count();
        if kept > 0 {
            let others: Vec<&Segment> = others.iter().map(|(_, segment)| segment).collect();
            let merged = vectors::merge(first, &others, |key| live.contains(&key), &self.dir.vectors(route))?;
            catalog.add_segment(route, &stored(&merged, kept))?;
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
        let encoder = encoders::open(spec, route, &self.config)?;
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
        let made = self.encode_all(&encoder, pages)?;
        if let Some(maker) = self.makers.get_mut(&route) {
            maker.encoder = Some(encoder);
            maker.made.extend(pages.iter().map(|page| page.key).zip(made));
        }
        Ok(())
    }

    /// The vectors of pages, in their order; several threads take the next few pages until there are none.
    fn encode_all(&self, encoder: &RouteEncoder, pages: &[Added]) -> anyhow::Result<Vec<Vec<f32>>> {
        let pieces: Vec<&[Added]> = pages.chunks(PIECE).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let pictures = Pictures::new(&self.dir, &self.config, self.password.as_deref())?;
            let mut made = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(at) else { return anyhow::Ok(made) };
                made.push((at, encode_piece(encoder, piece, &pictures)?));
            }
        };
        let threads = self.config.jobs.min(pieces.len());
        let made = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let ended = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(ended).collect::<anyhow::Result<Vec<_>>>()
        })?;
        let mut made: Vec<(usize, Vec<Vec<f32>>)> = made.into_iter().flatten().collect();
        made.sort_by_key(|(at, _)| *at);
        Ok(made.into_iter().flat_map(|(_, vectors)| vectors).collect())
    }
}

/// A file that the catalog names.
type File = (StoredSegment, Segment);

/// Groups of files that are to become one each: many of one size, and single ones whose pages are mostly gone.
fn to_merge(files: Vec<File>, live: &BTreeSet<PageKey>) -> Vec<Vec<File>> {
    let is_dead = |segment: &Segment| 2 * segment.pages().filter(|key| live.contains(key)).count() < segment.len();
    let mut classes: BTreeMap<u32, Vec<File>> = BTreeMap::new();
    for file in files {
        classes.entry(vectors::class(&file.1)).or_default().push(file);
    }
    let mut groups = Vec::new();
    for (class, files) in classes {
        if class != vectors::LARGEST && files.len() >= MERGED_AT_ONCE {
            groups.push(files);
        } else {
            groups.extend(files.into_iter().filter(|(_, segment)| is_dead(segment)).map(|file| vec![file]));
        }
    }
    groups
}

/// A page of which there is no picture has no vectors where pictures are wanted.
fn encode_piece(encoder: &RouteEncoder, pages: &[Added], pictures: &Pictures) -> anyhow::Result<Vec<Vec<f32>>> {
    let Some(dpi) = encoder.dpi() else {
        let texts: Vec<&str> = pages.iter().map(|page| page.text.as_str()).collect();
        return Ok(encoder.encode_pages(PageInputs::Texts(&texts))?);
    };
    let mut vectors = Vec::with_capacity(pages.len());
    for page in pages {
        let number = PageNumber::new(page.key.number);
        let drawn = page.hash.as_ref().zip(number).map(|(hash, n)| pictures.draw(hash, n, Region::FULL, dpi));
        let image = drawn.and_then(Result::ok);
        let made = image.map(|image| encoder.encode_pages(PageInputs::Pictures(&[image]))).transpose()?;
        vectors.push(made.unwrap_or_default().pop().unwrap_or_default());
    }
    Ok(vectors)
}

fn stored(published: &Published, pages: usize) -> StoredSegment {
    let name = published.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    StoredSegment { name, hash: hex(&published.hash), pages: pages as u64 }
}

/// As the catalog writes hashes of files.
pub(crate) fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is wrong with the files of a route: hashes, numbers of pages, pages that are lacking or there twice.
pub(crate) fn damages(
    dir: &IndexDir,
    stored: &StoredRoute,
    pages: &BTreeSet<PageKey>,
) -> Result<Vec<String>, VectorError> {
    let mut damages = Vec::new();
    let mut seen = BTreeSet::new();
    for StoredSegment { name, hash, pages } in &stored.segments {
        let segment = Segment::open(&dir.vectors(&stored.name).join(name))?;
        segment.verify()?;
        if hex(&segment.hash()) != *hash || segment.len() as u64 != *pages {
            damages.push(format!("{name} of the route {} is not the file that was written", stored.name));
        }
        let twice = segment.pages().filter(|key| !seen.insert(*key)).count();
        if twice > 0 {
            damages.push(format!("{twice} pages of {name} are in another file of the route {} too", stored.name));
        }
    }
    let lacking = pages.difference(&seen).count();
    if lacking > 0 && stored.complete {
        damages.push(format!("the route {} lacks {lacking} pages", stored.name));
    }
    Ok(damages)
}
