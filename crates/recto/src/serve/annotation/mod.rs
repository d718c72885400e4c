//! Questions that people answer, write and review. Each person has a folder, which is a run like that of any other system:
//! rows in `results.jsonl`, beside them in `effort.jsonl` everything that was done on the way, and in `reviews.jsonl` what
//! the person thinks of questions. Lines are only added, each at once, so that a killed server loses nothing.

mod effort;
mod log;
mod person;
mod review;
mod written;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use recto_bench::run_dir::{self, RunConfig};
use recto_bench::{BenchmarkSet, Item};

pub(crate) use self::effort::{What, Work};
pub(crate) use self::person::{Person, Said, version};
use self::review::Reviews;
pub(crate) use self::review::{GOOD, Review};
pub(crate) use self::written::Draft;
use self::written::Written;
use crate::commands::bench::source;
use crate::corpus::fingerprint;
use crate::exit::usage;
use crate::library::Shelf;

/// The questions, and the people who work on them.
pub(crate) struct Desk {
    out: PathBuf,
    set: Option<Questions>,
    people: Mutex<BTreeMap<String, Person>>,
    reviews: Mutex<Reviews>,
    written: Mutex<Written>,
    /// Held as long as the program runs: two of them would write over each other.
    _lock: File,
}

/// What is to be answered.
pub(crate) struct Questions {
    pub(crate) set: BenchmarkSet,
    path: PathBuf,
    hash: String,
}

/// Someone who has answered.
pub(crate) struct Known {
    pub(crate) name: String,
    pub(crate) answered: usize,
}

impl Desk {
    /// The questions of `set`, if there are any to be answered; what people say goes into `out`.
    ///
    /// # Errors
    /// When the set can't be read, or the folder not written; if another server works there.
    pub(crate) fn open(set: Option<&str>, out: &Path) -> anyhow::Result<Self> {
        let told = || out.display().to_string();
        fs::create_dir_all(out).with_context(told)?;
        let lock = File::create(out.join("LOCK")).with_context(told)?;
        lock.try_lock().map_err(|_| usage(format!("--out {}: another server works there", out.display())))?;
        let set = set.map(Questions::read).transpose()?;
        let (reviews, written) = (Reviews::open(out)?, Written::open(out)?);
        let (reviews, written) = (Mutex::new(reviews), Mutex::new(written));
        Ok(Self { out: out.into(), set, people: Mutex::default(), reviews, written, _lock: lock })
    }

    pub(crate) fn set(&self) -> Option<&BenchmarkSet> {
        self.set.as_ref().map(|questions| &questions.set)
    }

    /// Where a person's run is.
    pub(crate) fn run_of(&self, name: &str) -> PathBuf {
        self.out.join(name)
    }

    /// Where questions are that people wrote.
    pub(crate) fn questions(&self) -> PathBuf {
        self.out.join(written::FILE)
    }

    /// What can be reviewed: the questions of the set, then those that were written here.
    pub(crate) fn reviewable(&self) -> Vec<Item> {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner).items.clone();
        self.set().into_iter().flat_map(|set| &set.items).cloned().chain(written).collect()
    }

    /// Everybody who has a folder here, with the number of questions that are answered.
    pub(crate) fn known(&self) -> Vec<Known> {
        let entries = fs::read_dir(&self.out).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| is_name(name));
        let known = |name: String| {
            let dir = self.out.join(&name);
            let text = fs::read(run_dir::results(&dir)).unwrap_or_default();
            let answered = text.iter().filter(|byte| **byte == b'\n').count();
            dir.is_dir().then_some(Known { name, answered })
        };
        let mut known: Vec<Known> = names.filter_map(known).collect();
        known.sort_by(|a, b| a.name.cmp(&b.name));
        known
    }

    /// Works with a person's answers; nobody else does at that time.
    ///
    /// # Errors
    /// When the folder can't be read or written, or holds answers to other questions; those of `work`.
    pub(crate) fn with<T>(
        &self,
        name: &str,
        shelf: &Shelf<'_>,
        work: impl FnOnce(&mut Person) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut people = self.people.lock().unwrap_or_else(PoisonError::into_inner);
        let person = match people.remove(name) {
            Some(person) => person,
            None => Person::open(&self.run_of(name), self.config(name, shelf)?.as_ref())?,
        };
        work(people.entry(name.to_owned()).or_insert(person))
    }

    /// Works with what people think of questions.
    pub(crate) fn reviews<T>(&self, work: impl FnOnce(&mut Reviews) -> T) -> T {
        work(&mut self.reviews.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Works with the questions that people wrote.
    pub(crate) fn written<T>(&self, work: impl FnOnce(&mut Written) -> T) -> T {
        work(&mut self.written.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What a person's run says of itself.
    fn config(&self, name: &str, shelf: &Shelf<'_>) -> anyhow::Result<Option<RunConfig>> {
        let Some(questions) = &self.set else { return Ok(None) };
        Ok(Some(RunConfig {
            version: env!("CARGO_PKG_VERSION").into(),
            set: questions.set.name.clone(),
            set_path: questions.path.clone(),
            items_hash: questions.hash.clone(),
            ids: None,
            system: format!("human:{name}"),
            index: Some(std::path::absolute(shelf.dir.root())?),
            index_hash: Some(fingerprint(&shelf.corpus.catalog)?),
        }))
    }
}

impl Questions {
    fn read(text: &str) -> anyhow::Result<Self> {
        let source::Source { set, path } = source::open(text)?;
        let hash = run_dir::hash_of(&set.items.iter().collect::<Vec<_>>());
        Ok(Self { set, path, hash })
    }
}

/// What a person may be called: it names a folder too.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    (1..=40).contains(&name.len()) && name.chars().all(plain) && name != "LOCK"
}
