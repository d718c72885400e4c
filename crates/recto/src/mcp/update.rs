//! Bringing the index up to date while clients are answered already: they wait for the first reply only so long.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::commands::index::bring_up_to_date;
use crate::config::Config;
use crate::exit::usage;

/// Calls wait so long after the start for the update to end; clients give up after a minute.
const PATIENCE: Duration = Duration::from_secs(20);

/// An update that runs, or ran, beside the server.
#[derive(Clone)]
pub(super) struct Update {
    state: Arc<(Mutex<State>, Condvar)>,
    patient_until: Instant,
}

/// How far an update is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    Running,
    Done,
    /// It failed, and there is no index of before.
    Failed(String),
}

impl Update {
    /// Nothing to do.
    pub(super) fn none() -> Self {
        Self { state: Arc::new((Mutex::new(State::Done), Condvar::new())), patient_until: Instant::now() }
    }

    /// Begins to bring the index of a file or folder up to date.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) if there is no such file or folder.
    pub(super) fn start(path: &Path, config: &Config) -> anyhow::Result<Self> {
        if !path.exists() {
            return Err(usage(format!("{}: there is no such file or folder", path.display())));
        }
        let state = Arc::new((Mutex::new(State::Running), Condvar::new()));
        let update = Self { state, patient_until: Instant::now() + PATIENCE };
        let (path, config, ending) = (path.to_path_buf(), config.clone(), update.clone());
        std::thread::spawn(move || {
            let fault = |_| Err(anyhow::anyhow!("a fault of the program; `recto doctor --verify` tells more"));
            let done = catch_unwind(AssertUnwindSafe(|| bring_up_to_date(&path, &config))).unwrap_or_else(fault);
            ending.end(done.map_or_else(|error| State::Failed(format!("{error:#}")), |_| State::Done));
        });
        Ok(update)
    }

    fn end(&self, state: State) {
        let (held, told) = &*self.state;
        *held.lock().unwrap_or_else(PoisonError::into_inner) = state;
        told.notify_all();
    }

    /// How far it is, after waiting for its end while there is patience.
    pub(super) fn state(&self) -> State {
        let (held, told) = &*self.state;
        let left = self.patient_until.saturating_duration_since(Instant::now());
        let held = held.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = told.wait_timeout_while(held, left, |state| *state == State::Running);
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }
}
