//! What all requests share: collections, keys, limits, and the threads where the work is done that waits for disks,
//! processes and models.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use recto_page::IndexDir;
use tokio::sync::Semaphore;

use super::ServeArgs;
use super::fault::Fault;
use super::jobs::Jobs;
use super::keys::{Grants, Keys, Right};
use super::limits::Limits;
use super::metrics::Metrics;
use super::picture_cache::PictureCache;
use super::sessions::Sessions;
use crate::answerer::Model;
use crate::config::Config;
use crate::exit::usage;
use crate::library::{Library, Shelf};

/// What all requests share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) limits: Limits,
    pub(crate) keys: Keys,
    pub(crate) sessions: Sessions,
    pub(crate) metrics: Metrics,
    pub(crate) jobs: Jobs,
    /// Streams that may still be opened.
    pub(crate) streams: Arc<Semaphore>,
    /// Folders whose documents may be added by path.
    pub(crate) allowed: Vec<PathBuf>,
    /// Who answers, if it is not found offline.
    pub(crate) model: Option<Arc<Model>>,
    collections: BTreeMap<String, Arc<Collection>>,
    /// Who works: as many at once as there are processors, and a few more that wait for the disk.
    pub(crate) desks: Arc<Semaphore>,
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
}

impl App {
    pub(crate) fn new(
        named: Vec<(String, IndexDir)>,
        keys: Keys,
        limits: Limits,
        args: &ServeArgs,
        config: &Config,
    ) -> anyhow::Result<Self> {
        let model = Model::open(config)?;
        let mut collections = BTreeMap::new();
        for (name, dir) in named {
            let library = Arc::new(Library::new(dir, config, model.clone()));
            let writing = Arc::new(Semaphore::new(1));
            let pictures = PictureCache::new(&library.dir().cache(), limits.picture_cache);
            let runs = runs_of(&name, args)?;
            collections.insert(name.clone(), Arc::new(Collection { name, library, pictures, writing, runs }));
        }
        if let Some(name) = keys.named().find(|name| !collections.contains_key(*name)) {
            return Err(usage(format!("{}: there is no collection {name:?}", super::keys::VARIABLE)));
        }
        let desks = Arc::new(Semaphore::new(2 * config.jobs.max(2)));
        let queue = Semaphore::new(limits.requests);
        let allowed = args.allow_path.clone();
        let (config, sessions) = (config.clone(), Sessions::new()?);
        let (metrics, jobs, streams) = (Metrics::default(), Jobs::default(), Arc::new(Semaphore::new(limits.streams)));
        Ok(Self { config, limits, keys, sessions, metrics, jobs, streams, model, allowed, collections, desks, queue })
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

    /// Has work done in a thread where waiting is allowed.
    ///
    /// # Errors
    /// 429 if too many wait already; what the work gives.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let busy = |_| Fault::busy("--max-requests", self.limits.requests);
        let _place = self.queue.try_acquire().map_err(busy)?;
        let _desk = self.desks.acquire().await.map_err(|_| Fault::internal("the server is ending"))?;
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(anyhow::anyhow!("a fault of the program, or a damaged index"))).map_err(Fault::from)
    }

    /// Looks into a collection, in such a thread.
    ///
    /// # Errors
    /// Those of [`App::work`]; when the index can't be read.
    pub(crate) async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        collection: &Arc<Collection>,
        look: impl FnOnce(&Shelf<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        let collection = Arc::clone(collection);
        self.work(move || collection.library.with(look)).await
    }
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
