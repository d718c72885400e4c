//! Writes an index: the catalog, the postings and the vectors, with one commit for all.
//!
//! Files of vectors are written first, then the postings are committed, then the catalog. A crash before that leaves
//! postings of versions and files that the catalog does not name: nobody sees them, and the next writer removes them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use recto_ingest::ocr::Pictures;
use recto_ingest::worker::Outcome;
use recto_page::catalog::{CatalogWriter, FinishedDocument, Known, Origin, StoredRoute, Version};
use recto_page::{
    BlockKind, ContentHash, DocId, DocumentState, IndexDir, Page, PageError, PageNumber, PageSize, Problem,
    ProblemCode, Stage, TextReason, TextSource,
};
use recto_search::{Kinds, LexicalReader, LexicalWriter, Route};

use super::encoding::Added;
use super::plan::Read;
use super::sources::Source;
use super::vector_files;
use super::vectors::{AT_ONCE, Vectors};
use crate::config::Config;
use crate::output;
use crate::page_kind;

/// The most work that a crash can lose.
const COMMIT_EVERY: Duration = Duration::from_secs(5);
/// How often it is told how far that is.
const TELL_EVERY: Duration = Duration::from_secs(10);

pub(crate) struct IndexWriter {
    catalog: CatalogWriter,
    dir: IndexDir,
    /// Opened when the first page comes: most updates bring none.
    lexical: Option<LexicalWriter>,
    /// Once the routes are chosen.
    vectors: Option<Vectors>,
    /// The files of vectors that the last commit names, by route and name.
    named: BTreeSet<(String, String)>,
    /// What the last commit of the catalog names: readers may look at it until the next one.
    committed: BTreeSet<Version>,
    last_commit: Instant,
    changed: bool,
    /// From how many pages of the catalog the postings were made anew when the index was opened.
    pub(crate) reposted: usize,
}

/// A document whose pages are being added.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    version: Version,
    hash: Option<ContentHash>,
    n_added: u32,
}

impl IndexWriter {
    pub(crate) fn open(dir: &IndexDir) -> anyhow::Result<Self> {
        let catalog = CatalogWriter::open(dir)?;
        let live = catalog.live_hashes()?;
        dir.drop_sources(|hash| live.contains(hash))?;
        let committed = catalog.versions()?;
        let named = named(&catalog)?;
        dir.drop_vectors(|route, name| named.contains(&(route.into(), name.into())))?;
        let (lexical, vectors, last_commit, dir) = (None, None, Instant::now(), dir.clone());
        let mut writer =
            Self { catalog, dir, lexical, vectors, named, committed, last_commit, changed: false, reposted: 0 };
        if writer.catalog.generation()? > 0 && !writer.has_postings()? {
            writer.repost()?;
        }
        Ok(writer)
    }

    /// Whether the postings are there, and those of the catalog.
    fn has_postings(&self) -> anyhow::Result<bool> {
        let (generation, pages) = (self.catalog.generation()?, self.catalog.pages_by_version()?);
        // What can't be opened or read is as good as lost.
        let held = LexicalReader::open(&self.dir.lexical()).and_then(|lexical| lexical.holds(generation, &pages));
        Ok(held.unwrap_or(false))
    }

    /// Makes the postings anew from the page records, in one commit: half of them would be taken for all. A document that
    /// is damaged in the catalog is to be read again.
    fn repost(&mut self) -> anyhow::Result<()> {
        let mut lexical = LexicalWriter::anew(&self.dir.lexical())?;
        self.catalog.broken()?.into_iter().try_for_each(|version| self.catalog.doubt(version))?;
        let keys = self.catalog.page_keys()?;
        for (version, number) in &keys {
            match self.catalog.page_of(*version, *number) {
                Ok((page, _)) => post(&mut lexical, *version, &page)?,
                Err(PageError::Record(_)) => {
                    self.catalog.doubt(*version)?;
                    lexical.add_page(*version, *number, "", "", Kinds::default())?;
                }
                Err(other) => return Err(other.into()),
            }
        }
        self.lexical = Some(lexical);
        self.reposted = keys.len();
        self.commit()
    }

    /// Decides which routes of vectors the index is to have; without that, it gets none for the pages that are added.
    pub(crate) fn choose_routes(
        &mut self,
        config: &Config,
        reindex: Option<Route>,
        password: Option<&str>,
    ) -> anyhow::Result<()> {
        let (vectors, changed) = Vectors::choose(&self.catalog, config, reindex, password)?;
        self.vectors = Some(vectors);
        self.changed |= changed;
        Ok(())
    }

    /// Encodes the pages that routes lack: those of a route that is new, or whose encoder failed before.
    pub(crate) fn fill_routes(&mut self, stop: &AtomicBool, quiet: bool) -> anyhow::Result<()> {
        for route in self.vectors.as_ref().map(Vectors::incomplete).unwrap_or_default() {
            self.changed = true;
            self.fill(route, stop, quiet)?;
        }
        Ok(())
    }

    fn fill(&mut self, route: Route, stop: &AtomicBool, quiet: bool) -> anyhow::Result<()> {
        let Some(vectors) = &self.vectors else { return Ok(()) };
        let lacking = vectors.lacking(route, &self.catalog)?;
        let mut told = Instant::now();
        for (done, keys) in lacking.chunks(AT_ONCE).enumerate() {
            if told.elapsed() > TELL_EVERY && !quiet {
                output::note(format_args!("{route}: {} of {} pages encoded", done * AT_ONCE, lacking.len()));
                told = Instant::now();
            }
            let read = |(version, number): &(Version, PageNumber)| {
                let (page, hash) = self.catalog.page_of(*version, *number)?;
                anyhow::Ok(Added::new(*version, &page, hash.as_ref()))
            };
            let pages = keys.iter().map(read).collect::<Result<Vec<_>, _>>()?;
            let Some(vectors) = &mut self.vectors else { return Ok(()) };
            if stop.load(Ordering::Relaxed) || !vectors.fill(route, &pages, &self.catalog)? {
                return Ok(());
            }
            if vectors.is_full() || self.last_commit.elapsed() > COMMIT_EVERY {
                self.commit()?;
            }
        }
        self.vectors.as_mut().map_or(Ok(()), |vectors| vectors.filled(route, &self.catalog))
    }

    pub(crate) fn begin(&mut self, read: &Read) -> anyhow::Result<Begun> {
        self.changed = true;
        let origin = read.source.origin(read.hash.as_ref());
        let version = read.begun.map_or_else(|| self.catalog.begin(&origin), Ok)?;
        Ok(Begun { version, hash: read.hash.clone(), n_added: read.done.len() as u32 })
    }

    pub(crate) fn add_page(&mut self, document: &mut Begun, source: &Source, mut page: Page) -> anyhow::Result<()> {
        if let Some(text) = source.given.get(page.number.index()).filter(|_| page.reading().is_empty()) {
            give_text(&mut page, text);
        }
        post(self.lexical()?, document.version, &page)?;
        self.catalog.add_page(document.version, &page)?;
        if let Some(vectors) = &mut self.vectors {
            vectors.add(document.version, &page, document.hash.as_ref(), &self.catalog)?;
        }
        document.n_added += 1;
        if self.last_commit.elapsed() > COMMIT_EVERY || self.vectors.as_ref().is_some_and(Vectors::is_full) {
            self.commit()?;
        }
        Ok(())
    }

    pub(crate) fn finish(&mut self, document: &mut Begun, source: &Source, mut outcome: Outcome) -> anyhow::Result<()> {
        outcome.problems.extend(source.problems.iter().cloned());
        if outcome.n_pages == 0 {
            outcome.n_pages = self.add_given_pages(document, source)?;
        }
        if document.n_added == 0 && outcome.problems.is_empty() {
            let detail = format!("none of its {} pages was asked for", outcome.n_pages);
            outcome.problems.push(Problem::of_document(ProblemCode::NoPages, Stage::Open, detail));
        }
        let state = if document.n_added > 0 { DocumentState::Indexed } else { DocumentState::Failed };
        self.catalog.finish(
            document.version,
            &source.id,
            &FinishedDocument {
                title: outcome.title.as_deref(),
                n_pages: outcome.n_pages,
                state: &state,
                outline: &outcome.outline,
                problems: &outcome.problems,
            },
        )?;
        Ok(())
    }

    /// Serves the texts that came beside a file that can't be read; returns how many pages they make.
    fn add_given_pages(&mut self, document: &mut Begun, source: &Source) -> anyhow::Result<u32> {
        for index in 0..source.given.len() {
            let page = Page::empty(PageNumber::from_index(index), PageSize { width: 0.0, height: 0.0 });
            self.add_page(document, source, page)?;
        }
        Ok(document.n_added)
    }

    /// Where an update that did not come to its end left off with this content, and the pages that it read.
    pub(crate) fn unfinished(
        &mut self,
        source: &Source,
        hash: &ContentHash,
    ) -> anyhow::Result<Option<(Version, BTreeSet<PageNumber>)>> {
        let unfinished = self.catalog.unfinished(&source.origin(Some(hash)))?;
        // After a crash between the two commits the postings know pages that the catalog does not.
        if unfinished.is_some() && self.lexical()?.generation()? != self.catalog.generation()? {
            self.drop_unfinished()?;
            return Ok(None);
        }
        Ok(unfinished)
    }

    /// Removes documents that were begun and not read to their end.
    pub(crate) fn drop_unfinished(&mut self) -> anyhow::Result<()> {
        self.changed |= self.catalog.drop_unfinished()?;
        Ok(())
    }

    /// Adds a document that has no pages of its own.
    pub(crate) fn add_without_pages(
        &mut self,
        source: &Source,
        hash: Option<&ContentHash>,
        state: &DocumentState,
        problems: &[Problem],
    ) -> anyhow::Result<()> {
        self.changed = true;
        let version = self.catalog.begin(&source.origin(hash))?;
        let finished = FinishedDocument { title: None, n_pages: 0, state, outline: &[], problems };
        Ok(self.catalog.finish(version, &source.id, &finished)?)
    }

    pub(crate) fn rename(&mut self, from: &DocId, source: &Source) -> anyhow::Result<()> {
        self.changed = true;
        Ok(self.catalog.rename(from, &source.id, &source.origin(None))?)
    }

    /// Notes that a file is unchanged but for its place or time stamp.
    pub(crate) fn touch(&mut self, source: &Source, hash: &ContentHash) -> anyhow::Result<()> {
        self.changed = true;
        Ok(self.catalog.touch(&source.id, &source.origin(Some(hash)))?)
    }

    pub(crate) fn remove(&mut self, id: &DocId) -> anyhow::Result<()> {
        self.changed = true;
        Ok(self.catalog.remove(id)?)
    }

    /// Removes a document. If there are copies of it, one of them gets its pages.
    pub(crate) fn remove_or_hand_on(&mut self, id: &DocId) -> anyhow::Result<()> {
        let heir = self.known()?.into_iter().find(|known| known.duplicate_of.as_ref() == Some(id));
        let Some(heir) = heir else { return self.remove(id) };
        self.changed = true;
        let (path, stamp, hash) = (heir.path.as_deref(), heir.stamp, heir.hash.as_ref());
        let origin = Origin { path, stamp, hash, fingerprint: &heir.fingerprint };
        Ok(self.catalog.rename(id, &heir.id, &origin)?)
    }

    pub(crate) fn known(&self) -> anyhow::Result<Vec<Known>> {
        Ok(self.catalog.known()?)
    }

    /// True if text was read off a picture of the document, or would be.
    pub(crate) fn needs_ocr(&self, id: &DocId) -> anyhow::Result<bool> {
        let needs = |page: &Page| page.text_source != TextSource::Given && !Pictures::Needed.of(page).is_empty();
        Ok(self.catalog.any_page(id, needs)?)
    }

    pub(crate) fn set_fingerprint(&mut self, id: &DocId, fingerprint: &str) -> anyhow::Result<()> {
        self.changed = true;
        Ok(self.catalog.set_fingerprint(id, fingerprint)?)
    }

    pub(crate) fn keep_source(&self, path: &Path) -> recto_page::Result<ContentHash> {
        self.dir.keep_source(path)
    }

    /// Whether the index has a copy of the file with this content, of this size.
    pub(crate) fn keeps(&self, hash: &ContentHash, bytes: u64) -> bool {
        std::fs::metadata(self.source(hash)).is_ok_and(|kept| kept.len() == bytes)
    }

    pub(crate) fn source(&self, hash: &ContentHash) -> PathBuf {
        self.dir.source(hash)
    }

    pub(crate) fn root(&self) -> &Path {
        self.dir.root()
    }

    /// Commits what is left and drops kept files that nothing refers to any more.
    pub(crate) fn commit_all(&mut self) -> anyhow::Result<()> {
        if self.changed || self.catalog.generation()? == 0 {
            if let Some(vectors) = &mut self.vectors {
                vectors.publish(&self.catalog)?;
                vector_files::tidy(&self.catalog)?;
            }
            self.commit()?;
            let live = self.catalog.live_hashes()?;
            self.dir.drop_sources(|hash| live.contains(hash))?;
        }
        if let Some(lexical) = self.lexical.take() {
            lexical.close()?;
            share(&self.dir)?;
        }
        Ok(())
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        if let Some(vectors) = &mut self.vectors {
            vectors.publish(&self.catalog)?;
        }
        // Readers need postings, be they empty.
        let generation = self.lexical()?.generation()?.max(self.catalog.generation()?) + 1;
        self.lexical()?.commit(generation)?;
        self.catalog.commit(generation)?;
        // What this commit superseded goes with the next one: readers of the state before may still look at it.
        self.committed = self.catalog.versions()?;
        let committed = self.committed.clone();
        self.lexical()?.retain(&committed)?;
        let before = std::mem::replace(&mut self.named, named(&self.catalog)?);
        self.dir.drop_vectors(|route, name| {
            let file = (route.to_owned(), name.to_owned());
            self.named.contains(&file) || before.contains(&file)
        })?;
        self.last_commit = Instant::now();
        Ok(())
    }

    fn lexical(&mut self) -> anyhow::Result<&mut LexicalWriter> {
        if self.lexical.is_none() {
            let mut lexical = LexicalWriter::open(&self.dir.lexical())?;
            // Nothing of this run is there yet: a version that it gave out again is an orphan's.
            lexical.retain(&self.committed)?;
            self.lexical = Some(lexical);
        }
        self.lexical.as_mut().ok_or_else(|| anyhow::anyhow!("the postings are not open"))
    }
}

/// The files of vectors that the catalog names, by route and name.
fn named(catalog: &CatalogWriter) -> anyhow::Result<BTreeSet<(String, String)>> {
    let files = |route: StoredRoute| route.segments.into_iter().map(move |file| (route.name.clone(), file.name));
    Ok(catalog.routes()?.into_iter().flat_map(files).collect())
}

/// Lets those read the postings who may read the catalog: some of their files are made for the writer alone.
fn share(dir: &IndexDir) -> std::io::Result<()> {
    let permissions = std::fs::metadata(dir.catalog())?.permissions();
    for entry in std::fs::read_dir(dir.lexical())? {
        std::fs::set_permissions(entry?.path(), permissions.clone())?;
    }
    Ok(())
}

fn post(lexical: &mut LexicalWriter, version: Version, page: &Page) -> anyhow::Result<()> {
    let (text, headings, kinds) = (page.text(), headings(page), page_kind::kinds(page));
    Ok(lexical.add_page(version, page.number, &text, &headings, kinds)?)
}

/// The text of headings and captions.
fn headings(page: &Page) -> String {
    let layer = page.reading();
    let heads = layer.blocks.iter().filter(|block| matches!(block.kind, BlockKind::Heading | BlockKind::Caption));
    let lines = heads.flat_map(|block| layer.lines_of(block)).map(|line| layer.line_text(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn give_text(page: &mut Page, text: &str) {
    page.given_text = Some(text.to_owned());
    if !text.trim().is_empty() {
        page.text_source = TextSource::Given;
        page.text_reason = TextReason::Given;
        page.problems.retain(|problem| !problem.code.is_lack_of_text());
    }
}

#[cfg(test)]
mod tests {
    use recto_search::{Scope, Search};

    use super::*;
    use crate::corpus::Corpus;

    fn source(id: &str) -> Source {
        let given = vec![format!("content of {id}")];
        let fingerprint = "1".into();
        let id = DocId::new(id);
        Source { id, root: None, path: None, stamp: None, given, problems: vec![], fingerprint, is_passing: false }
    }

    fn add(writer: &mut IndexWriter, id: &str) {
        let read = Read { source: source(id), kept: None, hash: None, begun: None, done: BTreeSet::new() };
        let mut begun = writer.begin(&read).unwrap();
        writer.finish(&mut begun, &read.source, Outcome::default()).unwrap();
    }

    #[test]
    fn a_crash_between_the_two_commits_leaves_the_last_state() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let mut writer = IndexWriter::open(&dir).unwrap();
        ["kept", "removed"].iter().for_each(|id| add(&mut writer, id));
        writer.commit_all().unwrap();
        drop(writer);

        let mut writer = IndexWriter::open(&dir).unwrap();
        writer.remove(&DocId::new("removed")).unwrap();
        add(&mut writer, "added");
        writer.lexical().unwrap().commit(2).unwrap();
        drop(writer);

        let found = || {
            let ranking = Corpus::open(&dir).unwrap().searcher.search("content", &Scope::All, 9).unwrap();
            let mut names: Vec<String> = ranking.0.iter().map(|hit| hit.page.doc.to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(found(), ["kept", "removed"]);
        let mut writer = IndexWriter::open(&dir).unwrap();
        add(&mut writer, "added later");
        writer.commit_all().unwrap();
        assert_eq!(found(), ["added later", "kept", "removed"]);
    }

    #[test]
    fn an_update_that_was_stopped_goes_on_where_it_was() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let (scan, hash) = (source("scan"), ContentHash::of(b"scan"));
        let page = |number| Page::empty(PageNumber::from_index(number), PageSize { width: 1.0, height: 1.0 });
        let read = |begun, done| Read { source: scan.clone(), kept: None, hash: Some(hash.clone()), begun, done };
        let mut writer = IndexWriter::open(&dir).unwrap();
        let mut begun = writer.begin(&read(None, BTreeSet::new())).unwrap();
        writer.add_page(&mut begun, &scan, page(0)).unwrap();
        writer.commit_all().unwrap();
        drop(writer);

        let mut writer = IndexWriter::open(&dir).unwrap();
        let other = Source { fingerprint: "2".into(), ..source("scan") };
        assert!(writer.unfinished(&other, &hash).unwrap().is_none());
        let (version, done) = writer.unfinished(&scan, &hash).unwrap().unwrap();
        assert_eq!(done, BTreeSet::from([PageNumber::FIRST]));
        let mut begun = writer.begin(&read(Some(version), done)).unwrap();
        writer.add_page(&mut begun, &scan, page(1)).unwrap();
        writer.finish(&mut begun, &scan, Outcome { n_pages: 2, ..Outcome::default() }).unwrap();
        writer.drop_unfinished().unwrap();
        writer.commit_all().unwrap();
        let documents = Corpus::open(&dir).unwrap().catalog.documents().unwrap();
        assert_eq!(documents.iter().map(|d| (d.id.as_str(), d.n_pages)).collect::<Vec<_>>(), [("scan", 2)]);

        // After a crash between the two commits the postings may know more pages: the document is read anew.
        let mut begun = writer.begin(&read(None, BTreeSet::new())).unwrap();
        writer.add_page(&mut begun, &scan, page(0)).unwrap();
        writer.commit_all().unwrap();
        writer.lexical().unwrap().commit(99).unwrap();
        drop(writer);
        let mut writer = IndexWriter::open(&dir).unwrap();
        assert!(writer.unfinished(&scan, &hash).unwrap().is_none());
    }
}
