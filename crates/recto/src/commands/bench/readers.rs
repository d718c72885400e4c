//! Open readers of an index, for the threads of a run: each is used by one at a time.

use std::sync::Mutex;

use recto_bench::row::{Fault, FaultClass};
use recto_page::IndexDir;

use crate::corpus::Corpus;

/// Opens as many as are used at once.
pub(super) struct Readers {
    pub(super) dir: IndexDir,
    idle: Mutex<Vec<Corpus>>,
}

impl Readers {
    pub(super) fn new(dir: &IndexDir) -> Self {
        Self { dir: dir.clone(), idle: Mutex::default() }
    }

    /// Works with one that nobody uses.
    pub(super) fn with<T>(&self, work: impl FnOnce(&Corpus) -> Result<T, Fault>) -> Result<T, Fault> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let open = || Corpus::open(&self.dir).map_err(|error| Fault::new(FaultClass::Permanent, format!("{error:#}")));
        let corpus = idle.map_or_else(open, Ok)?;
        let done = work(&corpus);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(corpus);
        }
        done
    }
}
