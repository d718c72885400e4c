//! A folder that is kept up to date while it is served: it is looked at again and again, and what has changed is read by a
//! job like any other.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recto_ingest::discover::{Discovery, discover, real_path};

use super::api::upload::submit_found;
use super::jobs::State;
use super::state::{App, Collection};
use crate::commands::index::watch::watch;

/// So long a job is waited for before it is looked whether the program ends.
const STEP: Duration = Duration::from_millis(200);

/// A folder, and what the last look at it saw.
pub(crate) struct Watched {
    pub(crate) path: PathBuf,
    /// Between two looks.
    pub(crate) pause: Duration,
    last: Mutex<Seen>,
}

/// What the last look at a folder saw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Seen {
    /// There was none yet.
    NotYet,
    /// The folder is not there, as when a drive is away.
    Gone,
    /// So many documents.
    Documents(usize),
}

impl Watched {
    pub(crate) fn new(path: PathBuf, pause: Duration) -> Self {
        Self { path: real_path(&path), pause, last: Mutex::new(Seen::NotYet) }
    }

    /// What the last look saw.
    pub(crate) fn last(&self) -> Seen {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the index of the collection up to date until the program ends. What could not be read, as while another
    /// process writes, is tried again.
    pub(crate) fn keep(&self, app: &Arc<App>, collection: &Collection, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let update = |found: Discovery| self.update(app, collection, found, stop);
            if watch(self.pause, stop, || self.look(), update).is_err() {
                std::thread::sleep(self.pause.min(Duration::from_secs(5)));
            }
        }
    }

    fn look(&self) -> Option<Discovery> {
        let found = self.path.exists().then(|| discover(std::slice::from_ref(&self.path)));
        let seen = found.as_ref().map_or(Seen::Gone, |found| Seen::Documents(found.found.len()));
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = seen;
        found
    }

    /// Has a job read what was found, and waits for it.
    fn update(
        &self,
        app: &Arc<App>,
        collection: &Collection,
        found: Discovery,
        stop: &AtomicBool,
    ) -> anyhow::Result<()> {
        let job = submit_found(app, collection, self.path.clone(), found)?;
        while !job.state().is_over() && !stop.load(Ordering::Relaxed) {
            std::thread::sleep(STEP);
        }
        anyhow::ensure!(job.state() != State::Failed, "the job failed");
        Ok(())
    }
}
