//! An index that many threads read at once: each call gets the last commit, open, and a worker that draws its pages.

use std::sync::{Arc, Mutex, PoisonError};

use recto_agent::fence::{Fence, clean};
use recto_page::catalog::LastCommit;
use recto_page::{Catalog, Document, IndexDir};
use recto_search::Scope;

use crate::answerer::{Answerer, Model};
use crate::config::Config;
use crate::corpus::{Corpus, Pictures, fingerprint};
use crate::encoders::Encoders;
use crate::undrawn::Undrawn;

/// So many opened states are kept for calls to come.
const KEPT: usize = 16;

/// An index, opened when it is needed and as often as there are calls at once.
pub(crate) struct Library {
    dir: IndexDir,
    config: Config,
    encoders: Arc<Encoders>,
    model: Option<Arc<Model>>,
    answerer: Mutex<Option<Arc<Answerer>>>,
    /// What no call could draw.
    undrawn: Arc<Undrawn>,
    free: Mutex<Vec<Place>>,
    last: Mutex<Option<LastCommit>>,
}

/// What one call works with at a time.
struct Place {
    pictures: Pictures,
    open: Option<Open>,
}

/// A commit of the index.
struct Open {
    generation: u64,
    corpus: Corpus,
    fence: Fence,
}

/// What a call looks at: one commit.
pub(crate) struct Shelf<'a> {
    pub(crate) dir: &'a IndexDir,
    pub(crate) config: &'a Config,
    pub(crate) encoders: &'a Encoders,
    pub(crate) pictures: &'a Pictures,
    pub(crate) corpus: &'a Corpus,
    /// Around what pages say.
    pub(crate) fence: &'a Fence,
    library: &'a Library,
}

impl Library {
    /// The index in `dir`; questions go to the model if there is one.
    pub(crate) fn new(dir: IndexDir, config: &Config, model: Option<Arc<Model>>) -> Self {
        Self {
            dir,
            config: config.clone(),
            encoders: Arc::new(Encoders::new(config)),
            model,
            answerer: Mutex::default(),
            undrawn: Arc::default(),
            free: Mutex::default(),
            last: Mutex::default(),
        }
    }

    pub(crate) fn dir(&self) -> &IndexDir {
        &self.dir
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Whether there is an index that can be read.
    pub(crate) fn is_made(&self) -> bool {
        Catalog::open(&self.dir).is_ok()
    }

    /// Works on the last commit.
    ///
    /// # Errors
    /// When there is no index, or it can't be read; those of `work`.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&Shelf<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let generation = self.generation()?;
        let mut place = self.place(generation)?;
        let open = match place.open.take().filter(|open| open.generation == generation) {
            Some(open) => open,
            None => self.opened()?,
        };
        let Open { corpus, fence, .. } = &*place.open.insert(open);
        let (pictures, encoders) = (&place.pictures, &*self.encoders);
        let shelf = Shelf { dir: &self.dir, config: &self.config, encoders, pictures, corpus, fence, library: self };
        let done = work(&shelf);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < KEPT {
            free.push(place);
        }
        done
    }

    /// The number of the last commit.
    fn generation(&self) -> anyhow::Result<u64> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|last| !last.is_there()) {
            *last = LastCommit::open(&self.dir).ok();
        }
        match &*last {
            Some(last) => Ok(last.generation()?),
            None => Ok(Catalog::open(&self.dir)?.generation()?),
        }
    }

    /// The last commit, open. Those before it are closed: they would keep the writer from tidying up behind them.
    fn opened(&self) -> anyhow::Result<Open> {
        let open = Open::last(&self.dir)?;
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = |old: &mut Open| old.generation != open.generation;
        let old: Vec<Open> = free.iter_mut().filter_map(|place| place.open.take_if(is_old)).collect();
        drop(free);
        drop(old);
        Ok(open)
    }

    /// One that has this commit open, if there is one.
    fn place(&self, generation: u64) -> anyhow::Result<Place> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let has_it = |place: &Place| place.open.as_ref().is_some_and(|open| open.generation == generation);
        let index = free.iter().rposition(has_it);
        match index.map(|index| free.swap_remove(index)).or_else(|| free.pop()) {
            Some(place) => Ok(place),
            None => {
                let pictures = Pictures::new(&self.dir, &self.config, None)?.knowing(&self.undrawn);
                Ok(Place { pictures, open: None })
            }
        }
    }
}

impl Shelf<'_> {
    /// The one document meant by a name or pattern.
    pub(crate) fn document(&self, name: &str) -> anyhow::Result<Document> {
        self.corpus.document(&self.full_name(name)?)
    }

    /// The documents meant by a name or pattern; everything if it is empty.
    pub(crate) fn scope(&self, name: &str) -> anyhow::Result<Scope> {
        let names = if name.is_empty() { Vec::new() } else { vec![self.full_name(name)?] };
        self.corpus.scope(&names)
    }

    /// Who answers questions: one for all calls, so that they share what the model may cost.
    pub(crate) fn answerer(&self) -> anyhow::Result<Arc<Answerer>> {
        let mut held = self.library.answerer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answerer) = &*held {
            return Ok(Arc::clone(answerer));
        }
        let Library { dir, config, model, encoders, .. } = self.library;
        let answerer = Arc::new(Answerer::with(model.clone(), dir, config, Arc::clone(encoders), self.corpus)?);
        Ok(Arc::clone(held.insert(answerer)))
    }

    /// Clients are told names without characters that hide or reorder text; this finds those again.
    fn full_name(&self, told: &str) -> anyhow::Result<String> {
        let documents = self.corpus.catalog.documents()?;
        let meant = documents.iter().find(|document| clean(document.id.as_str()) == told);
        Ok(meant.map_or(told, |document| document.id.as_str()).to_owned())
    }
}

impl Open {
    fn last(dir: &IndexDir) -> anyhow::Result<Self> {
        let corpus = Corpus::open(dir)?;
        let secret = format!("{}\0{}", dir.root().display(), fingerprint(&corpus.catalog)?);
        Ok(Self { generation: corpus.catalog.generation()?, corpus, fence: Fence::new(&secret) })
    }
}
