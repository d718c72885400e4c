//! What all requests share: collections, keys, limits, and the threads where the work is done that waits for disks,
//! processes and models.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use recto_page::IndexDir;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::annotation::Desk;
use super::fault::Fault;
use super::jobs::{Job, Jobs, Kind, MAX_ENDED};
use super::kept::Kept;
use super::keys::{Grants, Keys, Right};
use super::limits::Limits;
use super::metrics::Metrics;
use super::scores::Scores;
use super::sessions::Sessions;
use super::watched::Watched;
use super::{DEFAULT, ServeArgs};
use crate::answerer::Model;
use crate::config::Config;
use crate::exit::usage;
use crate::library::{Library, Shelf};
use crate::picture_cache::PictureCache;

/// What all requests share.
pub(crate) struct App {
    pub(crate) limits: Limits,
    pub(crate) keys: Keys,
    pub(crate) sessions: Sessions,
    pub(crate) metrics: Metrics,
    pub(crate) jobs: Jobs,
    pub(crate) scores: Scores,
    /// Streams that may still be opened.
    pub(crate) streams: Arc<Semaphore>,
    /// Folders whose documents may be added by path.
    pub(crate) allowed: Vec<PathBuf>,
    /// Who answers, if it is not found offline.
    pub(crate) model: Option<Arc<Model>>,
    collections: BTreeMap<String, Arc<Collection>>,
    /// Who works: as many at once as there are processors, and a few more that wait for the disk.
    pub(crate) desks: Arc<Semaphore>,
    /// Who answers questions, mostly waiting for a model: searches must not wait for that.
    pub(crate) answering: Arc<Semaphore>,
    /// Who works or waits for it.
    queue: Semaphore,
}

/// An index by its name.
pub(crate) struct Collection {
    pub(crate) name: String,
    pub(crate) library: Arc<Library>,
    pub(crate) pictures: PictureCache,
    /// Held by the one job that writes.
    pub(crate) writing: Arc<Semaphore>,
    /// Where its runs are.
    pub(crate) runs: Option<PathBuf>,
    /// Where people answer questions over it.
    pub(crate) desk: Option<Arc<Desk>>,
    /// Jobs whose results are asked for later.
    pub(crate) jobs: Arc<Kept>,
    /// Answers that have an address of their own.
    pub(crate) answers: Kept,
    /// The folder that it is kept up to date with.
    pub(crate) watched: Option<Arc<Watched>>,
}

/// Answers that are kept.
const ANSWERS: usize = 1_000;

impl App {
    pub(crate) fn new(
        named: Vec<(String, IndexDir)>,
        keys: Keys,
        limits: Limits,
        args: &ServeArgs,
        config: &Config,
    ) -> anyhow::Result<Self> {
        let (model, jobs) = (Model::open(config)?, Jobs::default());
        let (mut collections, n_collections) = (BTreeMap::new(), named.len());
        for (name, dir) in named {
            let library = Arc::new(Library::new(dir, config, model.clone()));
            let writing = Arc::new(Semaphore::new(1));
            let pictures = PictureCache::new(library.dir().cache().join("pages"), limits.picture_cache);
            let runs = runs_of(&name, args)?;
            let desk = desk_of(&name, args, n_collections)?;
            let kept = |folder, most| Kept::new(library.dir().root().join(folder), most);
            let (taken, answers) = (Arc::new(kept("jobs", MAX_ENDED)), kept("answers", ANSWERS));
            jobs.take_up(&name, &taken, limits.result_ttl);
            let watched = watched_by(&name, args)?;
            let collection = Collection { name, library, pictures, writing, runs, desk, jobs: taken, answers, watched };
            collections.insert(collection.name.clone(), Arc::new(collection));
        }
        if let Some(name) = keys.named().find(|name| !collections.contains_key(*name)) {
            return Err(usage(format!("{}: there is no collection {name:?}", super::keys::VARIABLE)));
        }
        let desks = Arc::new(Semaphore::new(2 * config.jobs.max(2)));
        let answering = Arc::new(Semaphore::new(limits.answers));
        let queue = Semaphore::new(limits.requests);
        let allowed = args.allow_path.clone();
        let sessions = Sessions::new()?;
        let (metrics, streams) = (Metrics::default(), Arc::new(Semaphore::new(limits.streams)));
        Ok(Self {
            limits,
            keys,
            sessions,
            metrics,
            jobs,
            scores: Scores::default(),
            streams,
            model,
            allowed,
            collections,
            desks,
            answering,
            queue,
        })
    }

    /// The collections that a caller may see, by name, with what may be done there.
    pub(crate) fn visible<'a>(&'a self, grants: &'a Grants) -> impl Iterator<Item = (&'a Arc<Collection>, Right)> {
        self.collections.values().filter_map(|collection| Some((collection, grants.on(&collection.name)?)))
    }

    /// A collection that a caller may see.
    ///
    /// # Errors
    /// 404 for one that there is not, and for one that must not be seen.
    pub(crate) fn collection(&self, name: &str, grants: &Grants) -> Result<(Arc<Collection>, Right), Fault> {
        let found = self.collections.get(name).and_then(|collection| Some((Arc::clone(collection), grants.on(name)?)));
        found.ok_or_else(|| Fault::not_found("collection"))
    }

    /// Takes work on in a collection; those who write wait for each other.
    ///
    /// # Errors
    /// 429 if too many jobs run or wait.
    pub(crate) fn submit(
        &self,
        collection: &Collection,
        kind: Kind,
        about: String,
        work: impl FnOnce(&Arc<Job>) -> anyhow::Result<Value> + Send + 'static,
    ) -> Result<Arc<Job>, Fault> {
        let gate = if kind.right() == Right::Write { &collection.writing } else { &self.answering };
        let Limits { jobs, result_ttl, .. } = self.limits;
        self.jobs.submit((&collection.name, kind, about), jobs, result_ttl, Arc::clone(gate), work)
    }

    /// Has work done in a thread where waiting is allowed.
    ///
    /// # Errors
    /// 429 if too many wait already; what the work gives.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        self.behind(&self.desks, work).await
    }

    /// Has a question answered over a collection, in such a thread, among those who mostly wait for a model.
    ///
    /// # Errors
    /// Those of [`App::look`].
    pub(crate) async fn answer<T: Send + 'static>(
        &self,
        collection: &Arc<Collection>,
        answer: impl FnOnce(&Shelf<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let collection = Arc::clone(collection);
        self.behind(&self.answering, move || collection.library.with(answer)).await
    }

    async fn behind<T: Send + 'static>(
        &self,
        gate: &Semaphore,
        work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let busy = |_| Fault::busy("--max-requests", self.limits.requests);
        let _place = self.queue.try_acquire().map_err(busy)?;
        let _turn = gate.acquire().await.map_err(|_| Fault::internal("the server is ending"))?;
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(anyhow::anyhow!("a fault of the program, or a damaged index"))).map_err(Fault::from)
    }

    /// Looks into a collection, in such a thread.
    ///
    /// # Errors
    /// Those of [`App::work`]; when the index can't be read.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        collection: &Arc<Collection>,
        look: impl FnOnce(&Shelf<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let collection = Arc::clone(collection);
        self.work(move || collection.library.with(look)).await
    }
}

/// The folder that a collection is kept up to date with: that of the command line.
fn watched_by(name: &str, args: &ServeArgs) -> anyhow::Result<Option<Arc<Watched>>> {
    let Some(pause) = args.watch.pause()?.filter(|_| name == DEFAULT) else { return Ok(None) };
    let path =
        args.path.clone().ok_or_else(|| usage("--watch: name the folder that is to be watched, as recto serve DIR"))?;
    Ok(Some(Arc::new(Watched::new(path, pause))))
}

/// Where the runs of a collection are: `NAME=DIR`, or `DIR` for all.
fn runs_of(name: &str, args: &ServeArgs) -> anyhow::Result<Option<PathBuf>> {
    let mut found = None;
    for text in &args.runs {
        let (whose, folder) = text.split_once('=').unwrap_or((name, text));
        if !std::path::Path::new(folder).is_dir() {
            return Err(usage(format!("--runs {text:?}: there is no such folder")));
        }
        if whose == name {
            found = Some(PathBuf::from(folder));
        }
    }
    Ok(found)
}

/// Where people answer questions over a collection: `NAME=SET`, or `SET` where there is only one.
fn desk_of(name: &str, args: &ServeArgs, n_collections: usize) -> anyhow::Result<Option<Arc<Desk>>> {
    let Some(out) = &args.out else {
        let lacking = args.annotate.as_ref().map(|_| usage("--annotate needs --out DIR, where the answers go"));
        return lacking.map_or(Ok(None), Err);
    };
    let text = args.annotate.as_deref();
    let named = text.and_then(|text| text.split_once('=')).filter(|(of, _)| super::is_name(of));
    match named {
        Some((of, _)) if of != name => Ok(None),
        None if n_collections > 1 => Err(usage("--annotate: of several collections one must be named: NAME=SET")),
        named => Ok(Some(Arc::new(Desk::open(named.map(|(_, set)| set).or(text), out)?))),
    }
}
