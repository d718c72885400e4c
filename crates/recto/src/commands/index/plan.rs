//! Decides for each source whether it must be read: unchanged files cost nothing, copies and renames are recognised.
//!
//! First every source gets its content's hash, then the sources of one content are settled together: one document holds
//! the pages, the others are its duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use recto_page::catalog::{Known, Version};
use recto_page::{ContentHash, DocId, DocumentState, PageError, PageNumber, Problem, ProblemCode, Stage};
use serde::Serialize;

use super::manner::Manner;
use super::sources::Source;
use super::writer::IndexWriter;
use super::{Options, Prune};

/// What is left to read, and what was settled without reading.
pub(crate) struct Plan {
    pub(crate) reads: Vec<Read>,
    pub(crate) counts: Counts,
    /// Folders in which nothing is left, with the number of documents that were there: they stay.
    pub(crate) bare: BTreeMap<PathBuf, u64>,
}

/// A document to read.
pub(crate) struct Read {
    pub(crate) source: Source,
    /// The index's own copy; none if there is no file that can be opened.
    pub(crate) kept: Option<PathBuf>,
    pub(crate) hash: Option<ContentHash>,
    /// Where an update that was stopped or killed left off.
    pub(crate) begun: Option<Version>,
    /// The pages that it has read.
    pub(crate) done: BTreeSet<PageNumber>,
}

impl Read {
    /// Size of the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.source.stamp.map_or(0, |stamp| stamp.size)
    }

    /// True if the file's name says that it is a PDF.
    pub(crate) fn is_called_pdf(&self) -> bool {
        let ending = self.source.path.as_deref().and_then(Path::extension);
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"))
    }
}

/// What became of the sources, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) unchanged: u64,
    pub(crate) read: u64,
    pub(crate) renamed: u64,
    pub(crate) duplicates: u64,
    pub(crate) removed: u64,
    /// Still in the index, though their files are gone.
    pub(crate) gone: u64,
}

/// Content and everything else that the pages depend on: sources with equal keys have equal pages.
type Key = (ContentHash, String);

impl Plan {
    pub(crate) fn make(
        writer: &mut IndexWriter,
        sources: Vec<Source>,
        manner: &Manner,
        options: &Options,
        max_bytes: u64,
    ) -> anyhow::Result<Self> {
        let known = known(writer, manner)?;
        let present: BTreeSet<DocId> = sources.iter().map(|source| source.id.clone()).collect();
        let absent = absent_holders(&known, &present);
        let bare = bare(&options.prune, &sources);
        let plan = Self { reads: Vec::new(), counts: Counts::default(), bare };
        let mut planner =
            Planner { writer, known: &known, present: &present, absent, renamed: BTreeSet::new(), max_bytes, plan };
        let mut by_content: BTreeMap<Key, Vec<Source>> = BTreeMap::new();
        for source in sources {
            match planner.content(&source)? {
                Content::Is(hash) => {
                    by_content.entry((hash, source.fingerprint.clone())).or_default().push(source);
                }
                Content::None if planner.is_current(&source, None) => planner.plan.counts.unchanged += 1,
                Content::None => planner.read(source, None)?,
                Content::Problem(problem) => {
                    planner.read(Source { stamp: None, problems: vec![problem], ..source }, None)?;
                }
            }
        }
        for ((hash, _), sources) in by_content {
            planner.settle(&hash, sources)?;
        }
        planner.prune(&options.prune)?;
        let mut plan = planner.plan;
        // The largest first, so that no worker is left alone with it at the end.
        plan.reads.sort_by_key(|read| std::cmp::Reverse(read.bytes()));
        Ok(plan)
    }
}

struct Planner<'a> {
    writer: &'a mut IndexWriter,
    known: &'a BTreeMap<DocId, Known>,
    present: &'a BTreeSet<DocId>,
    /// Documents that are not among the sources, by the content whose pages they have.
    absent: BTreeMap<Key, DocId>,
    /// Documents that have got another name in this run, by their old one.
    renamed: BTreeSet<DocId>,
    max_bytes: u64,
    plan: Plan,
}

/// What a source holds now.
enum Content {
    Is(ContentHash),
    /// It has no file, or none that can be opened.
    None,
    /// Its file could not be kept.
    Problem(Problem),
}

impl Planner<'_> {
    /// The content of a source; a file that has changed since it was known is copied into the index.
    fn content(&self, source: &Source) -> anyhow::Result<Content> {
        let (Some(path), Some(stamp)) = (&source.path, source.stamp) else { return Ok(Content::None) };
        let known = self.known.get(&source.id).filter(|known| known.path == source.path && known.stamp == source.stamp);
        let hash = known.filter(|known| !known.failed).and_then(|known| known.hash.clone());
        if let Some(hash) = hash.filter(|hash| self.writer.keeps(hash, stamp.size)) {
            return Ok(Content::Is(hash));
        }
        let problem = |code, detail| Ok(Content::Problem(Problem::of_document(code, Stage::Discover, detail)));
        if stamp.size > self.max_bytes {
            // What is in the index already is not beyond a limit that came later.
            if let Some(hash) = self.indexed_before(source, stamp.size) {
                return Ok(Content::Is(hash));
            }
            let detail = format!("{} bytes; the limit is {}", stamp.size, self.max_bytes);
            return problem(ProblemCode::FileTooLarge, detail);
        }
        match self.writer.keep_source(path) {
            Ok(hash) => Ok(Content::Is(hash)),
            Err(PageError::Io { path, source: error }) if !path.starts_with(self.writer.root()) => {
                problem(ProblemCode::Unreadable, error.to_string())
            }
            Err(other) => Err(other.into()),
        }
    }

    /// The content of a source that is in the index with this content, be its file's time or place another one.
    fn indexed_before(&self, source: &Source, bytes: u64) -> Option<ContentHash> {
        let known = self.known.get(&source.id).filter(|known| !known.failed)?;
        let hash = known.hash.as_ref().filter(|hash| self.writer.keeps(hash, bytes))?;
        let now = File::open(source.path.as_deref()?).and_then(ContentHash::of_reader).ok()?;
        (now == *hash).then_some(now)
    }

    /// Settles all sources of one content: who holds its pages, and who is a duplicate of that.
    fn settle(&mut self, hash: &ContentHash, sources: Vec<Source>) -> anyhow::Result<()> {
        let Some(first) = sources.first() else { return Ok(()) };
        let key = (hash.clone(), first.fingerprint.clone());
        let holds = |id: &DocId| self.known.get(id).and_then(held_by).as_ref() == Some(&key);
        let holder = sources.iter().map(|source| &source.id).find(|id| holds(id));
        let holder = match holder.or_else(|| self.absent.get(&key)).cloned() {
            Some(absent) if !self.present.contains(&absent) && self.is_gone(&absent) => {
                self.writer.rename(&absent, first)?;
                self.renamed.insert(absent);
                self.plan.counts.renamed += 1;
                let (first, rest) = split_first(sources);
                return self.settle_rest(&first.id, hash, rest);
            }
            Some(holder) => holder,
            None => {
                let (first, rest) = split_first(sources);
                let holder = first.id.clone();
                self.read(first, Some(hash.clone()))?;
                return self.settle_rest(&holder, hash, rest);
            }
        };
        self.settle_rest(&holder, hash, sources)
    }

    /// Makes everything but the holder its duplicate; what is so already stays.
    fn settle_rest(&mut self, holder: &DocId, hash: &ContentHash, sources: Vec<Source>) -> anyhow::Result<()> {
        for source in sources {
            let original = (source.id != *holder).then_some(holder);
            let known = self.known.get(&source.id);
            if self.is_current(&source, Some(hash)) && known.is_some_and(|k| k.duplicate_of.as_ref() == original) {
                if known.is_some_and(|known| known.stamp != source.stamp || known.path != source.path) {
                    self.writer.touch(&source, hash)?;
                }
                self.plan.counts.unchanged += 1;
            } else {
                self.duplicate(holder, &source, hash)?;
            }
        }
        Ok(())
    }

    /// True if what the catalog holds under this name was made of this content in the same way and is of use.
    fn is_current(&self, source: &Source, hash: Option<&ContentHash>) -> bool {
        let known = self.known.get(&source.id);
        known.is_some_and(|known| known.hash.as_ref() == hash && known.fingerprint == source.fingerprint)
    }

    /// True if the file of a known document is certainly no longer there. What can't be looked at may still be.
    fn is_gone(&self, id: &DocId) -> bool {
        use std::io::ErrorKind::{NotADirectory, NotFound};
        let path = self.known.get(id).and_then(|known| known.path.as_deref());
        path.is_some_and(|path| match std::fs::metadata(path) {
            Ok(metadata) => !metadata.is_file(),
            Err(error) => matches!(error.kind(), NotFound | NotADirectory),
        })
    }

    fn duplicate(&mut self, first: &DocId, source: &Source, hash: &ContentHash) -> anyhow::Result<()> {
        let detail = format!("the same content as {first}");
        let problem = Problem::of_document(ProblemCode::Duplicate, Stage::Discover, detail);
        self.writer.add_without_pages(source, Some(hash), &DocumentState::DuplicateOf(first.clone()), &[problem])?;
        self.plan.counts.duplicates += 1;
        Ok(())
    }

    fn read(&mut self, source: Source, hash: Option<ContentHash>) -> anyhow::Result<()> {
        let kept = hash.as_ref().map(|hash| self.writer.source(hash));
        let unfinished = hash.as_ref().map(|hash| self.writer.unfinished(&source, hash)).transpose()?.flatten();
        let (begun, done) = unfinished.map_or_else(Default::default, |(version, done)| (Some(version), done));
        self.plan.reads.push(Read { source, kept, hash, begun, done });
        self.plan.counts.read += 1;
        Ok(())
    }

    fn prune(&mut self, prune: &Prune) -> anyhow::Result<()> {
        let mut bare = std::mem::take(&mut self.plan.bare);
        let is_in = |root: &Path, known: &Known| known.path.as_deref().is_some_and(|path| path.starts_with(root));
        bare.retain(|root, _| self.known.values().all(|known| !is_in(root, known) || self.is_gone(&known.id)));
        let under = |roots: &[PathBuf], path: &Path| roots.iter().any(|root| path.starts_with(root));
        for known in self.known.values().filter(|known| !self.present.contains(&known.id)) {
            let goes = match prune {
                Prune::Nothing => false,
                Prune::Gone(roots) => {
                    known.path.as_deref().is_some_and(|path| under(roots, path)) && self.is_gone(&known.id)
                }
                Prune::Others => true,
            };
            if self.renamed.contains(&known.id) {
                continue;
            }
            if let (true, Some((_, stay))) = (goes, bare.iter_mut().find(|(root, _)| is_in(root, known))) {
                *stay += 1;
            } else if goes {
                self.writer.remove(&known.id)?;
                self.plan.counts.removed += 1;
            } else if self.is_gone(&known.id) {
                self.plan.counts.gone += 1;
            }
        }
        self.plan.bare = bare;
        Ok(())
    }
}

/// The folders to be pruned in which there is nothing at all. That is how a drive looks which is away.
fn bare(prune: &Prune, sources: &[Source]) -> BTreeMap<PathBuf, u64> {
    let Prune::Gone(roots) = prune else { return BTreeMap::new() };
    let holds =
        |root: &PathBuf| sources.iter().filter_map(|source| source.path.as_ref()).any(|path| path.starts_with(root));
    roots.iter().filter(|root| !holds(root)).map(|root| (root.clone(), 0)).collect()
}

/// What the catalog knows, each as if it had been read in this manner, or without a fingerprint if it must be read again.
fn known(writer: &mut IndexWriter, manner: &Manner) -> anyhow::Result<BTreeMap<DocId, Known>> {
    let mut all = BTreeMap::new();
    for mut known in writer.known()? {
        let served = manner.served_by(&known, || writer.needs_ocr(&known.id))?;
        if let Some(fingerprint) = served.as_ref().filter(|_| manner.is_news_of(&known)) {
            writer.set_fingerprint(&known.id, fingerprint)?;
        }
        known.fingerprint = served.unwrap_or_default();
        all.insert(known.id.clone(), known);
    }
    Ok(all)
}

fn absent_holders(known: &BTreeMap<DocId, Known>, present: &BTreeSet<DocId>) -> BTreeMap<Key, DocId> {
    // In reverse, so that of several the first by name is kept.
    let absent = known.values().rev().filter(|known| !present.contains(&known.id));
    absent.filter_map(|known| Some((held_by(known)?, known.id.clone()))).collect()
}

/// The content whose pages a known document has, if it has any.
fn held_by(known: &Known) -> Option<Key> {
    let holds = !known.fingerprint.is_empty() && known.duplicate_of.is_none();
    known.hash.clone().filter(|_| holds).map(|hash| (hash, known.fingerprint.clone()))
}

fn split_first(mut sources: Vec<Source>) -> (Source, Vec<Source>) {
    let rest = sources.split_off(1);
    (sources.remove(0), rest)
}
