//! An index opened for reading: the catalog and the searcher of one and the same commit, and the pictures of its pages.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use globset::{Glob, GlobMatcher};
use recto_ingest::Limits;
use recto_ingest::worker::{Worker, WorkerCommand, WorkerFailure};
use recto_page::catalog::Version;
use recto_page::{
    Catalog, ContentHash, DocId, Document, IndexDir, PageError, PageId, PageImage, PageImages, PageNumber, Region,
};
use recto_search::vectors::VectorError;
use recto_search::{LexicalReader, Ranker, Route, Routes, Scope, SearchError, Searcher, VectorRoute, VectorStore};

use crate::commands;
use crate::config::Config;
use crate::encoders::Encoders;
use crate::exit::usage;
use crate::undrawn::{Part, Undrawn};

pub(crate) struct Corpus {
    pub(crate) catalog: Catalog,
    pub(crate) searcher: Searcher,
    /// Routes of vectors that have every page, with what the index calls their encoders.
    vectors: Stores,
}

/// The last commit of an index, before anything is searched.
pub(crate) struct Commit {
    pub(crate) catalog: Catalog,
    pub(crate) lexical: LexicalReader,
    /// The documents whose pages can be found, by version.
    pub(crate) live: BTreeMap<Version, DocId>,
}

impl Commit {
    /// Opens the last commit, with its vectors as `stores` wants them.
    pub(crate) fn open<S>(dir: &IndexDir, stores: impl Fn(&Self) -> anyhow::Result<S>) -> anyhow::Result<(Self, S)> {
        loop {
            let catalog = Catalog::open(dir)?;
            let lexical = LexicalReader::open(&dir.lexical())?;
            let live = catalog.live()?;
            let commit = Self { catalog, lexical, live };
            let stores = stores(&commit)?;
            // If no commit came between, the postings hold every version that the catalog names, and its files are there.
            let generation = commit.catalog.generation()?;
            if Catalog::open(dir)?.generation()? != generation {
                continue;
            }
            let held = commit.lexical.pages_by_version()?;
            let has_all = commit.live.keys().all(|version| held.contains_key(version));
            if commit.lexical.generation().unwrap_or(0) < generation || !has_all {
                return Err(SearchError::Foreign(dir.lexical()).into());
            }
            return Ok((commit, stores));
        }
    }
}

impl Corpus {
    /// Opens the last commit.
    pub(crate) fn open(dir: &IndexDir) -> anyhow::Result<Self> {
        let (commit, vectors) = Commit::open(dir, |commit| stores(dir, &commit.catalog, &commit.live))?;
        let searcher = commit.lexical.searcher(&commit.live)?;
        Ok(Self { catalog: commit.catalog, searcher, vectors })
    }

    /// What a ranker needs of the index, with the encoders that made its vectors.
    ///
    /// # Errors
    /// [`SearchError::NoRoute`] for a route that it lacks; when a file or an encoder can't be used.
    pub(crate) fn routes(&self, ranker: &Ranker, encoders: &Encoders) -> anyhow::Result<Routes<'_>> {
        routes(&self.searcher, &self.vectors, ranker, encoders)
    }

    /// The documents meant by names or patterns (`*` and `?`); everything if there are none.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) if a pattern matches no document.
    pub(crate) fn scope(&self, patterns: &[String]) -> anyhow::Result<Scope> {
        if patterns.is_empty() {
            return Ok(Scope::All);
        }
        let documents = self.catalog.documents()?;
        let mut meant = BTreeSet::new();
        for pattern in patterns {
            let matching = matching(&documents, pattern)?;
            for document in matching {
                meant.insert(self.catalog.original(&document.id)?.id);
            }
        }
        Ok(Scope::Documents(meant))
    }

    /// The one document meant by a name or pattern.
    pub(crate) fn document(&self, pattern: &str) -> anyhow::Result<Document> {
        let documents = self.catalog.documents()?;
        match matching(&documents, pattern)?.as_slice() {
            [one] => Ok(self.catalog.original(&one.id)?),
            several => {
                let names: Vec<&str> = several.iter().take(5).map(|d| d.id.as_str()).collect();
                Err(usage(format!("{pattern:?} could be any of {}: {}, ...", several.len(), names.join(", "))))
            }
        }
    }

    /// Every page of the documents in scope; of copies the original's.
    pub(crate) fn pages(&self, scope: &Scope) -> anyhow::Result<Vec<PageId>> {
        let pages_of = |document: Document| {
            PageNumber::first(document.n_pages).map(move |page| PageId::new(document.id.clone(), page))
        };
        Ok(self.originals(scope)?.into_iter().flat_map(pages_of).collect())
    }

    /// The documents in scope, by name, without copies.
    pub(crate) fn originals(&self, scope: &Scope) -> anyhow::Result<Vec<Document>> {
        let mut documents = self.catalog.documents()?;
        documents.retain(|document| scope.holds(&document.id));
        let mut originals = Vec::new();
        for document in documents {
            if self.catalog.original(&document.id)?.id == document.id {
                originals.push(document);
            }
        }
        Ok(originals)
    }

    /// The page meant by a physical number, or else by a printed label.
    pub(crate) fn page(&self, doc: &DocId, text: &str) -> anyhow::Result<PageId> {
        let number = match text.parse::<PageNumber>() {
            Ok(number) => Some(number),
            Err(_) => self.catalog.labels(doc)?.into_iter().find(|(_, label)| label == text).map(|(number, _)| number),
        };
        let number = number.ok_or_else(|| usage(format!("{doc} has no page {text:?}; pages count from 1")))?;
        Ok(PageId::new(doc.clone(), number))
    }
}

/// What an index holds, as a hash: names of the documents and hashes of their bytes, routes and their encoders.
pub(crate) fn fingerprint(catalog: &Catalog) -> anyhow::Result<String> {
    let documents = catalog.documents()?;
    let routes = catalog.routes()?.into_iter().map(|route| format!("{}\0{}\n", route.name, route.encoder));
    let lines = documents.iter().map(|d| format!("{}\0{}\n", d.id, d.hash.as_ref().map_or("", ContentHash::as_str)));
    Ok(ContentHash::of(lines.chain(routes).collect::<String>().as_bytes()).as_str().into())
}

/// What a ranker needs: the words, and the routes of vectors that it asks for.
pub(crate) fn routes<'i>(
    bm25: &'i Searcher,
    stores: &'i Stores,
    ranker: &Ranker,
    encoders: &Encoders,
) -> anyhow::Result<Routes<'i>> {
    let mut routes = Routes { bm25, vectors: Vec::new() };
    for route in ranker.routes().iter().copied().filter(|route| *route != Route::Bm25) {
        match stores.get(&route) {
            Some((encoder, Ok(store))) => {
                routes.vectors.push(VectorRoute::new(encoders.of(route, encoder)?, store)?);
            }
            Some((_, Err(error))) => anyhow::bail!("{error}; `recto index --reindex {route}` makes it anew"),
            None if *ranker == Ranker::Hybrid => {}
            None => return Err(SearchError::NoRoute(route).into()),
        }
    }
    Ok(routes)
}

/// By route: what the index calls its encoder, and its files.
pub(crate) type Stores = BTreeMap<Route, (String, Result<VectorStore, VectorError>)>;

/// The files of the routes that have every page. One that is damaged is no reason not to search by words.
pub(crate) fn stores(dir: &IndexDir, catalog: &Catalog, live: &BTreeMap<Version, DocId>) -> anyhow::Result<Stores> {
    let mut stores = BTreeMap::new();
    for stored in catalog.routes()?.into_iter().filter(|stored| stored.complete) {
        let folder = dir.vectors(&stored.name);
        let files: Vec<_> = stored.segments.iter().map(|segment| folder.join(&segment.name)).collect();
        if let Ok(route) = stored.name.parse() {
            stores.insert(route, (stored.encoder, VectorStore::open(&files, live)));
        }
    }
    Ok(stores)
}

/// Documents named exactly so; else those whose file name is that; else those that fit the pattern.
pub(crate) fn matching<'a>(documents: &'a [Document], pattern: &str) -> anyhow::Result<Vec<&'a Document>> {
    let exact: Vec<_> = documents.iter().filter(|d| d.id.as_str() == pattern).collect();
    if !exact.is_empty() {
        return Ok(exact);
    }
    let file_name = |d: &&Document| Path::new(d.id.as_str()).file_name().is_some_and(|name| name == pattern);
    let named: Vec<_> = documents.iter().filter(file_name).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let glob: GlobMatcher = Glob::new(pattern).map_err(|e| usage(format!("--doc {pattern:?}: {e}")))?.compile_matcher();
    let fitting: Vec<_> = documents.iter().filter(|d| glob.is_match(d.id.as_str())).collect();
    if fitting.is_empty() {
        let meant = documents.iter().map(|document| document.id.as_str()).find(|name| is_nearly(name, pattern));
        let meant = meant.map_or_else(|| "`recto status` lists them".into(), |name| format!("did you mean {name:?}?"));
        return Err(usage(format!("no document is called {pattern:?}; {meant}")));
    }
    Ok(fitting)
}

/// Whether a document may be meant by a name: without regard to case it holds what was typed beside the stars.
fn is_nearly(name: &str, typed: &str) -> bool {
    let (name, typed) = (name.to_lowercase(), typed.to_lowercase());
    let mut parts = typed.split('*').filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|part| name.contains(part))
}

/// Draws pages of an index in a worker process.
pub(crate) struct Pictures {
    dir: IndexDir,
    command: WorkerCommand,
    limits: Limits,
    password: Option<String>,
    /// The worker and the file that it has open.
    worker: RefCell<Option<(ContentHash, Worker)>>,
    undrawn: Arc<Undrawn>,
}

impl Pictures {
    pub(crate) fn new(dir: &IndexDir, config: &Config, password: Option<&str>) -> anyhow::Result<Self> {
        Ok(Self {
            dir: dir.clone(),
            command: commands::worker::command(config)?,
            limits: config.limits,
            password: password.map(str::to_owned),
            worker: RefCell::default(),
            undrawn: Arc::default(),
        })
    }

    /// Knows what others could not draw.
    pub(crate) fn knowing(self, undrawn: &Arc<Undrawn>) -> Self {
        Self { undrawn: Arc::clone(undrawn), ..self }
    }

    /// Whether the worker has the file with this content open.
    pub(crate) fn has_open(&self, hash: &ContentHash) -> bool {
        self.worker.borrow().as_ref().is_some_and(|(open, _)| open == hash)
    }

    fn open(&self, hash: &ContentHash) -> Result<Worker, String> {
        let mut worker = Worker::start(&self.command).map_err(told)?;
        let opened = worker.open(&self.dir.source(hash), self.password.as_deref(), self.limits.page_time);
        opened.map_err(told)?.map_err(|(_, detail)| detail)?;
        Ok(worker)
    }

    /// Draws a part of a page of the file with this content, unless that failed a short while ago.
    pub(crate) fn draw(
        &self,
        hash: &ContentHash,
        page: PageNumber,
        region: Region,
        dpi: u32,
    ) -> Result<PageImage, String> {
        let part = Part::new(hash, page, region, dpi);
        self.undrawn.unless_known(part, || self.draw_anew(hash, page, region, dpi))
    }

    fn draw_anew(&self, hash: &ContentHash, page: PageNumber, region: Region, dpi: u32) -> Result<PageImage, String> {
        let kept = self.worker.take().filter(|(open, _)| open == hash);
        if let Some((_, worker)) = kept {
            // The system ends a worker with the thread that started it, which may be over: then a new one draws.
            match self.draw_by(worker, hash, page, region, dpi) {
                Err(WorkerFailure::Died(_)) => {}
                drawn => return drawn.map_err(told)?,
            }
        }
        self.draw_by(self.open(hash)?, hash, page, region, dpi).map_err(told)?
    }

    /// Draws by a worker that has the file open, which is kept if it gives an answer.
    fn draw_by(
        &self,
        mut worker: Worker,
        hash: &ContentHash,
        page: PageNumber,
        region: Region,
        dpi: u32,
    ) -> Result<Result<PageImage, String>, WorkerFailure> {
        let image = worker.draw(page, region, dpi, self.limits.page_time)?;
        self.worker.replace(Some((hash.clone(), worker)));
        Ok(image)
    }
}

impl PageImages for Pictures {
    fn image(&self, page: &PageId, region: Region, dpi: u32) -> recto_page::Result<PageImage> {
        let not_drawn = |why: String| PageError::NotDrawn { page: page.clone(), why };
        let document = Catalog::open(&self.dir)?.original(&page.doc)?;
        if page.page.get() > document.n_pages {
            return Err(PageError::NoPage(page.clone()));
        }
        let hash = document.hash.ok_or_else(|| not_drawn("the index holds its text only".into()))?;
        self.draw(&hash, page.page, region, dpi).map_err(not_drawn)
    }
}

/// What happened, and what can be done about it.
fn told(failure: WorkerFailure) -> String {
    format!("{failure}; {}", failure.code().next_step())
}
