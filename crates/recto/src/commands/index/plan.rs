//! Decides for each source whether it must be read: unchanged files cost nothing, copies and renames are recognised.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use recto_page::catalog::Known;
use recto_page::{ContentHash, DocId, DocumentState, PageError, Problem, ProblemCode, Stage};
use serde::Serialize;

use super::sources::Source;
use super::writer::IndexWriter;
use super::{Options, Prune};

/// What is left to read, and what was settled without reading.
pub(crate) struct Plan {
    pub(crate) reads: Vec<Read>,
    pub(crate) counts: Counts,
}

/// A document to read.
pub(crate) struct Read {
    pub(crate) source: Source,
    /// The index's own copy; none if there is no file that can be opened.
    pub(crate) kept: Option<PathBuf>,
    pub(crate) hash: Option<ContentHash>,
}

/// What became of the sources, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) unchanged: u64,
    pub(crate) read: u64,
    pub(crate) renamed: u64,
    pub(crate) duplicates: u64,
    pub(crate) removed: u64,
}

impl Plan {
    pub(crate) fn make(writer: &mut IndexWriter, sources: Vec<Source>, options: &Options) -> anyhow::Result<Self> {
        let known = writer.known()?;
        let known: BTreeMap<DocId, Known> = known.into_iter().map(|k| (k.id.clone(), k)).collect();
        let present: BTreeSet<DocId> = sources.iter().map(|source| source.id.clone()).collect();
        let mut planner = Planner {
            writer,
            known: &known,
            present: &present,
            scheduled: BTreeMap::new(),
            plan: Self { reads: Vec::new(), counts: Counts::default() },
        };
        for source in sources {
            planner.place(source)?;
        }
        planner.prune(&options.prune)?;
        let mut plan = planner.plan;
        // The largest first, so that no worker is left alone with it at the end.
        plan.reads.sort_by_key(|read| std::cmp::Reverse(read.source.stamp.map_or(0, |stamp| stamp.size)));
        Ok(plan)
    }
}

struct Planner<'a> {
    writer: &'a mut IndexWriter,
    known: &'a BTreeMap<DocId, Known>,
    present: &'a BTreeSet<DocId>,
    /// What this run will read, by content and fingerprint.
    scheduled: BTreeMap<(ContentHash, String), DocId>,
    plan: Plan,
}

impl Planner<'_> {
    fn place(&mut self, source: Source) -> anyhow::Result<()> {
        let known = self.known.get(&source.id).filter(|known| self.is_current(known, &source));
        if known.is_some_and(|known| known.stamp == source.stamp) {
            self.plan.counts.unchanged += 1;
            return Ok(());
        }
        let (Some(path), Some(stamp)) = (&source.path, source.stamp) else {
            return self.read(source, None);
        };
        let hash = match self.writer.keep_source(path) {
            Ok(hash) => hash,
            Err(PageError::Io { path, source: error }) if !path.starts_with(self.writer.root()) => {
                let problem = Problem::of_document(ProblemCode::Unreadable, Stage::Discover, error.to_string());
                return self.read(Source { stamp: None, problems: vec![problem], ..source }, None);
            }
            Err(other) => return Err(other.into()),
        };
        if known.is_some_and(|known| known.hash.as_ref() == Some(&hash)) {
            self.writer.touch(&source.id, stamp)?;
            self.plan.counts.unchanged += 1;
            return Ok(());
        }
        match self.holder(&hash, &source)? {
            Some(first) if self.is_gone(&first) => self.rename(&first, &source),
            Some(first) => self.duplicate(first, &source, &hash),
            None => self.read(source, Some(hash)),
        }
    }

    /// True if what the catalog holds under this name was made in the same way from the same place and is of use.
    fn is_current(&self, known: &Known, source: &Source) -> bool {
        let original_stays = known.duplicate_of.as_ref().is_none_or(|first| self.present.contains(first));
        known.path == source.path && known.fingerprint == source.fingerprint && !known.failed && original_stays
    }

    fn holder(&self, hash: &ContentHash, source: &Source) -> anyhow::Result<Option<DocId>> {
        let key = (hash.clone(), source.fingerprint.clone());
        let first = match self.scheduled.get(&key) {
            Some(first) => Some(first.clone()),
            None => self.writer.holder_of(hash, &source.fingerprint)?,
        };
        Ok(first.filter(|first| *first != source.id))
    }

    /// True if the file of a known document is no longer there: its copy under another name is then the same file, renamed.
    fn is_gone(&self, id: &DocId) -> bool {
        let known = self.known.get(id).filter(|_| !self.present.contains(id));
        known.is_some_and(|known| known.path.as_deref().is_some_and(|path| !path.exists()))
    }

    fn rename(&mut self, first: &DocId, source: &Source) -> anyhow::Result<()> {
        self.writer.rename(first, source)?;
        self.plan.counts.renamed += 1;
        Ok(())
    }

    fn duplicate(&mut self, first: DocId, source: &Source, hash: &ContentHash) -> anyhow::Result<()> {
        let detail = format!("the same content as {first}");
        let problem = Problem::of_document(ProblemCode::Duplicate, Stage::Discover, detail);
        self.writer.add_without_pages(source, Some(hash), &DocumentState::DuplicateOf(first), &[problem])?;
        self.plan.counts.duplicates += 1;
        Ok(())
    }

    fn read(&mut self, source: Source, hash: Option<ContentHash>) -> anyhow::Result<()> {
        if let Some(hash) = &hash {
            self.scheduled.insert((hash.clone(), source.fingerprint.clone()), source.id.clone());
        }
        let kept = hash.as_ref().map(|hash| self.writer.source(hash));
        self.plan.reads.push(Read { source, kept, hash });
        self.plan.counts.read += 1;
        Ok(())
    }

    fn prune(&mut self, prune: &Prune) -> anyhow::Result<()> {
        let under = |roots: &[PathBuf], path: &Path| roots.iter().any(|root| path.starts_with(root));
        for known in self.known.values() {
            let goes = match prune {
                Prune::Nothing => false,
                Prune::Gone(roots) => {
                    known.path.as_deref().is_some_and(|path| under(roots, path)) && self.is_gone(&known.id)
                }
                Prune::Others => !self.present.contains(&known.id),
            };
            if goes && self.writer.still_at(known)? {
                self.writer.remove(&known.id)?;
                self.plan.counts.removed += 1;
            }
        }
        Ok(())
    }
}
