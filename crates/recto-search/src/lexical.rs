//! The word index on disk: which page holds which term, how often and where. It keeps postings and lengths only, no
//! text, and it decides nothing about scores (see [`crate::bm25`]).
//!
//! A page is stored under the *version* of its document, a number that the catalog gives out. The catalog says which
//! versions are live; what it does not name is never found, whatever this index still holds. So a writer first sweeps
//! away what an earlier, interrupted one left ([`LexicalWriter::open`] files, [`LexicalWriter::retain`] pages), adds, commits
//! here, and then in the catalog. It never deletes what the catalog still names: a reader may be looking at it. Whether what
//! is here is the catalog's own at all, [`LexicalReader::holds`] says.

mod leftovers;
mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use recto_page::PageNumber;
use tantivy::directory::error::LockError;
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexWriter, SegmentReader, TantivyDocument, TantivyError, Term};

use crate::{Kinds, Result, SearchError};

/// Memory for postings that are not on disk yet.
const HEAP_BYTES: usize = 160_000_000;
/// A segment with more dead pages than this share is merged.
const DEAD_SHARE: f32 = 0.2;

/// Adds pages to a word index. One writer at a time, in one process.
pub struct LexicalWriter {
    dir: PathBuf,
    fields: Fields,
    /// Taken on drop, which must wait for threads that merge.
    writer: Option<IndexWriter>,
}

impl LexicalWriter {
    /// Opens the index in `dir` at its last commit, or makes an empty one there. What an earlier writer added without
    /// a commit is gone.
    ///
    /// # Errors
    /// When another writer is open, or the directory can't be written or holds a damaged index.
    pub fn open(dir: &Path) -> Result<Self> {
        std::fs::create_dir_all(dir)?;
        let index = if dir.join("meta.json").is_file() {
            open_index(dir)?
        } else {
            Index::create_in_dir(dir, schema()).map_err(unreadable(dir))?
        };
        index.tokenizers().register(stream::NAME, TextAnalyzer::from(stream::Terms::default()));
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(HEAP_BYTES)
            .build();
        let fields = Fields::of(&index.schema())?;
        let writer = index.writer_with_options(options).map_err(|e| match e {
            TantivyError::LockFailure(LockError::LockBusy, _) => SearchError::Locked(dir.into()),
            other => other.into(),
        })?;
        // Now nobody else writes here.
        leftovers::remove(writer.index(), dir)?;
        let mut merging = LogMergePolicy::default();
        merging.set_del_docs_ratio_before_merge(DEAD_SHARE);
        writer.set_merge_policy(Box::new(merging));
        Ok(Self { dir: dir.into(), fields, writer: Some(writer) })
    }

    /// Makes an empty index in `dir` in place of whatever is there, be it damaged.
    ///
    /// # Errors
    /// When the directory can't be written.
    pub fn anew(dir: &Path) -> Result<Self> {
        match std::fs::remove_dir_all(dir) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Self::open(dir),
        }
    }

    /// Deletes every committed page whose version is not `live`.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn retain(&mut self, live: &BTreeSet<u64>) -> Result<()> {
        let stored: BTreeSet<u64> = LexicalReader::open(&self.dir)?.pages_by_version()?.into_keys().collect();
        stored.difference(live).try_for_each(|version| self.delete_version(*version))
    }

    /// Adds a page of a document version: its text, once more the part of it that is headings and captions, and what it has
    /// beside words. A page that is added twice is found twice: delete the version first.
    ///
    /// # Errors
    /// When the indexing thread failed (disk full, say).
    pub fn add_page(&mut self, version: u64, page: PageNumber, text: &str, headings: &str, kinds: Kinds) -> Result<()> {
        let (terms, length) = stream::written(text);
        let mut document = TantivyDocument::new();
        document.add_u64(self.fields.version, version);
        document.add_u64(self.fields.page, page.get().into());
        document.add_u64(self.fields.length, length);
        document.add_u64(self.fields.kinds, kinds.bits());
        document.add_text(self.fields.body, terms);
        if !headings.is_empty() {
            document.add_text(self.fields.headings, stream::written(headings).0);
        }
        self.writer()?.add_document(document)?;
        Ok(())
    }

    /// Deletes every page of a document version that was added before.
    ///
    /// # Errors
    /// When an earlier step failed so that there is no writer any more.
    pub fn delete_version(&mut self, version: u64) -> Result<()> {
        let term = Term::from_field_u64(self.fields.version, version);
        self.writer()?.delete_term(term);
        Ok(())
    }

    /// The generation of the last commit; 0 before the first one.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn generation(&mut self) -> Result<u64> {
        let meta = self.writer()?.index().load_metas().map_err(unreadable(&self.dir))?;
        Ok(meta.payload.and_then(|payload| payload.parse().ok()).unwrap_or(0))
    }

    /// Makes everything since the last commit durable, as `generation`.
    ///
    /// # Errors
    /// When it could not be written; the last commit then still stands.
    pub fn commit(&mut self, generation: u64) -> Result<()> {
        let mut commit = self.writer()?.prepare_commit()?;
        commit.set_payload(&generation.to_string());
        commit.commit()?;
        Ok(())
    }

    /// Waits for merging to end and closes the index. Dropping the writer does the same but can't report failures.
    ///
    /// # Errors
    /// When a merge failed; the last commit still stands.
    pub fn close(mut self) -> Result<()> {
        Ok(self.writer.take().map_or(Ok(()), IndexWriter::wait_merging_threads)?)
    }

    fn writer(&mut self) -> Result<&mut IndexWriter> {
        let closed = || SearchError::Unreadable { dir: self.dir.clone(), why: "the writer is closed".into() };
        self.writer.as_mut().ok_or_else(closed)
    }
}

impl Drop for LexicalWriter {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            let _ = writer.wait_merging_threads();
        }
    }
}

/// A word index at one commit: a snapshot that a later commit does not change.
pub struct LexicalReader {
    /// The snapshot.
    pub(crate) segments: Vec<SegmentReader>,
    /// Where terms stand.
    pub(crate) body: Field,
    /// The terms of headings and captions.
    pub(crate) headings: Field,
    generation: Option<u64>,
}

impl LexicalReader {
    /// Opens the index in `dir` at its last commit.
    ///
    /// # Errors
    /// When `dir` holds no index or a damaged one.
    pub fn open(dir: &Path) -> Result<Self> {
        let index = open_index(dir)?;
        let Fields { body, headings, .. } = Fields::of(&index.schema())?;
        let mut result = snapshot(&index);
        for _ in 0..MAX_RETRIES {
            if result.is_ok() {
                break;
            }
            result = snapshot(&index);
        }
        let (segments, generation) = result.map_err(unreadable(dir))?;
        Ok(Self { segments, body, headings, generation })
    }

    /// The files of the index in `dir` whose bytes are not those that were written, by name.
    ///
    /// # Errors
    /// When `dir` holds no index, or a file can't be read.
    pub fn damaged_files(dir: &Path) -> Result<Vec<PathBuf>> {
        let mut damaged: Vec<PathBuf> = open_index(dir)?.validate_checksum()?.into_iter().collect();
        damaged.sort();
        Ok(damaged)
    }

    /// The generation of the commit; `None` before the first one.
    pub fn generation(&self) -> Option<u64> {
        self.generation
    }

    /// True if the commit is `generation` or a later one, and has so many pages of each of these document versions. If not,
    /// it is not that of the catalog which says so: one of the two was lost, damaged or put back from a copy.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn holds(&self, generation: u64, pages: &BTreeMap<u64, u64>) -> Result<bool> {
        if self.generation.unwrap_or(0) < generation {
            return Ok(false);
        }
        let held = self.pages_by_version()?;
        Ok(pages.iter().all(|(version, n)| held.get(version) == Some(n)))
    }

    /// The number of pages of each document version.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn pages_by_version(&self) -> Result<BTreeMap<u64, u64>> {
        let mut held = BTreeMap::new();
        for segment in &self.segments {
            let versions = segment.fast_fields().column_first_or_default::<u64>(VERSION)?;
            // Pages of a document stand together.
            let (mut last, mut n) = (0, 0);
            for version in segment.doc_ids_alive().map(|page| versions.get_val(page)) {
                if version != last {
                    *held.entry(last).or_default() += n;
                    (last, n) = (version, 0);
                }
                n += 1;
            }
            *held.entry(last).or_default() += n;
        }
        held.retain(|_, n| *n > 0);
        Ok(held)
    }
}

/// A segment may be merged away between the reading of its name and of its files.
const MAX_RETRIES: usize = 10;

/// The segments of the last commit and its generation. Takes no lock, so that an index can be read where nothing can
/// be written.
fn snapshot(index: &Index) -> tantivy::Result<(Vec<SegmentReader>, Option<u64>)> {
    let meta = index.load_metas()?;
    let open = |segment| SegmentReader::open(&index.segment(segment));
    let segments = meta.segments.into_iter().map(open).collect::<tantivy::Result<_>>()?;
    Ok((segments, meta.payload.and_then(|payload| payload.parse().ok())))
}

/// The columns that a searcher reads.
pub(crate) const VERSION: &str = "version";
pub(crate) const PAGE: &str = "page";
pub(crate) const LENGTH: &str = "length";
pub(crate) const KINDS: &str = "kinds";
const BODY: &str = "body";
const HEADINGS: &str = "headings";

struct Fields {
    body: Field,
    headings: Field,
    version: Field,
    page: Field,
    length: Field,
    kinds: Field,
}

impl Fields {
    fn of(schema: &Schema) -> Result<Self> {
        let field = |name| schema.get_field(name);
        let (body, headings) = (field(BODY)?, field(HEADINGS)?);
        let (version, page, length, kinds) = (field(VERSION)?, field(PAGE)?, field(LENGTH)?, field(KINDS)?);
        Ok(Self { body, headings, version, page, length, kinds })
    }
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    let postings = TextFieldIndexing::default()
        .set_index_option(IndexRecordOption::WithFreqsAndPositions)
        .set_tokenizer(stream::NAME)
        .set_fieldnorms(false);
    schema.add_text_field(BODY, TextOptions::default().set_indexing_options(postings));
    let present = TextFieldIndexing::default()
        .set_index_option(IndexRecordOption::Basic)
        .set_tokenizer(stream::NAME)
        .set_fieldnorms(false);
    schema.add_text_field(HEADINGS, TextOptions::default().set_indexing_options(present));
    schema.add_u64_field(VERSION, FAST | INDEXED);
    schema.add_u64_field(PAGE, FAST);
    schema.add_u64_field(LENGTH, FAST);
    schema.add_u64_field(KINDS, FAST);
    schema.build()
}

fn open_index(dir: &Path) -> Result<Index> {
    Index::open_in_dir(dir).map_err(unreadable(dir))
}

fn unreadable(dir: &Path) -> impl Fn(TantivyError) -> SearchError {
    let dir = dir.to_path_buf();
    move |e| SearchError::Unreadable { dir: dir.clone(), why: e.to_string() }
}
