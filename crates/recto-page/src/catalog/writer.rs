//! Changing the catalog: everything between two commits is one SQLite transaction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Version, live_hashes, n_pages, record, schema, seal};
use crate::{
    ContentHash, DocId, DocumentState, IndexDir, OutlineEntry, Page, PageNumber, Problem, ProblemCode, Result,
};

/// The one writer of an index. Dropping it without [`commit`](Self::commit) leaves the last committed state.
pub struct CatalogWriter {
    pub(super) connection: Connection,
    dir: IndexDir,
    _lock: File,
}

/// A file as it was when it was indexed: equal stamps mean an unchanged file. Size and time of modification are not enough,
/// as programs that copy files set the latter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SourceStamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last modification that the file says, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// Time of the last change that the system has noted.
    pub changed_ns: i64,
    /// The number by which the system knows the file.
    pub inode: u64,
}

/// Where a document comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Where the file is.
    pub path: Option<&'a Path>,
    /// The state of the file.
    pub stamp: Option<SourceStamp>,
    /// The content.
    pub hash: Option<&'a ContentHash>,
    /// Everything else that the result depends on (program version, options, given text).
    pub fingerprint: &'a str,
}

/// What is known of a document once its pages are read.
#[derive(Clone, Debug)]
pub struct FinishedDocument<'a> {
    /// Its title.
    pub title: Option<&'a str>,
    /// Number of pages.
    pub n_pages: u32,
    /// What became of it.
    pub state: &'a DocumentState,
    /// Its table of contents.
    pub outline: &'a [OutlineEntry],
    /// Problems of the document as a whole; those of pages come with the pages.
    pub problems: &'a [Problem],
}

/// What the catalog knows of a document, to decide whether it must be read again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// Its name.
    pub id: DocId,
    /// Where the file was.
    pub path: Option<PathBuf>,
    /// The state of the file.
    pub stamp: Option<SourceStamp>,
    /// The content.
    pub hash: Option<ContentHash>,
    /// See [`Origin::fingerprint`].
    pub fingerprint: String,
    /// If it was a duplicate, of what.
    pub duplicate_of: Option<DocId>,
    /// True if no page of it could be read.
    pub failed: bool,
    /// What went wrong with it and its pages.
    pub problems: BTreeSet<ProblemCode>,
}

impl CatalogWriter {
    /// Takes the write lock and opens the catalog, making the index if there is none.
    ///
    /// # Errors
    /// [`crate::PageError::Locked`] if another process writes, [`crate::PageError::Format`] if it is of another version.
    pub fn open(dir: &IndexDir) -> Result<Self> {
        let lock = dir.lock()?;
        let connection = schema::open_writer(&dir.catalog())?;
        schema::is_sealed(&connection, dir.root())?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self { connection, dir: dir.clone(), _lock: lock })
    }

    /// The index directory.
    pub const fn dir(&self) -> &IndexDir {
        &self.dir
    }

    /// Number of the last commit.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn generation(&self) -> Result<u64> {
        schema::generation(&self.connection)
    }

    /// All documents with what decides whether they must be read again, by name.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn known(&self) -> Result<Vec<Known>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT doc_id, path, size, modified_ns, hash, fingerprint, duplicate_of, state, (
                 SELECT group_concat(DISTINCT json_extract(problem, '$.code')) FROM problems
                 WHERE problems.version = documents.version
             ), changed_ns, inode FROM documents WHERE doc_id IS NOT NULL ORDER BY doc_id",
        )?;
        let rows = statement.query_map([], known)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// True if a page of the document is such.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn any_page(&self, id: &DocId, is_such: impl Fn(&Page) -> bool) -> Result<bool> {
        let mut statement = self.connection.prepare_cached(
            "SELECT record FROM pages JOIN documents USING (version) WHERE doc_id = ?1 ORDER BY number",
        )?;
        let mut rows = statement.query([id.as_str()])?;
        while let Some(row) = rows.next()? {
            if is_such(&record::decode(&row.get::<_, Vec<u8>>(0)?)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Notes that reading a document would give the same with this fingerprint.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn set_fingerprint(&self, id: &DocId, fingerprint: &str) -> Result<()> {
        self.connection
            .prepare_cached("UPDATE documents SET fingerprint = ?2 WHERE doc_id = ?1")?
            .execute([id.as_str(), fingerprint])?;
        Ok(())
    }

    /// Has a document read again by the next update that comes to its file.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn doubt(&self, version: Version) -> Result<()> {
        self.connection
            .prepare_cached("UPDATE documents SET fingerprint = '' WHERE version = ?1")?
            .execute([version])?;
        Ok(())
    }

    /// The documents of which the catalog does not say what was written.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn broken(&self) -> Result<Vec<Version>> {
        Ok(seal::broken(&self.connection)?.into_iter().map(|(version, _)| version).collect())
    }

    /// Begins a document. It has no name, and nobody sees it, until it is [finished](Self::finish).
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn begin(&self, origin: &Origin<'_>) -> Result<Version> {
        self.connection
            .prepare_cached(
                "INSERT INTO documents
                 (path, size, modified_ns, hash, fingerprint, state, n_pages, outline, changed_ns, inode)
                 VALUES (?1, ?2, ?3, ?4, ?5, 'failed', 0, '[]', ?6, ?7)",
            )?
            .execute(params![
                origin.path.map(record::path_to_bytes),
                origin.stamp.map(|s| i64::try_from(s.size).unwrap_or(i64::MAX)),
                origin.stamp.map(|s| s.modified_ns),
                origin.hash.map(ContentHash::as_str),
                origin.fingerprint,
                origin.stamp.map(|s| s.changed_ns),
                origin.stamp.map(|s| s.inode.cast_signed()),
            ])?;
        Ok(self.connection.last_insert_rowid().unsigned_abs())
    }

    /// A document of the same origin that was begun and never finished, with the pages that it has.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn unfinished(&self, origin: &Origin<'_>) -> Result<Option<(Version, BTreeSet<PageNumber>)>> {
        let version: Option<Version> = self
            .connection
            .prepare_cached(
                "SELECT version FROM documents WHERE doc_id IS NULL AND hash = ?1 AND fingerprint = ?2
                 ORDER BY version DESC LIMIT 1",
            )?
            .query_row(params![origin.hash.map(ContentHash::as_str), origin.fingerprint], |row| row.get(0))
            .optional()?;
        let Some(version) = version else { return Ok(None) };
        let mut statement = self.connection.prepare_cached("SELECT number FROM pages WHERE version = ?1")?;
        let numbers =
            statement.query_map([version], |row| row.get::<_, u32>(0))?.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(Some((version, numbers.into_iter().filter_map(PageNumber::new).collect())))
    }

    /// Removes documents that were begun and never finished; true if there were any.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn drop_unfinished(&self) -> Result<bool> {
        Ok(self.connection.execute("DELETE FROM documents WHERE doc_id IS NULL", [])? > 0)
    }

    /// Adds a page with its problems.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn add_page(&self, version: Version, page: &Page) -> Result<()> {
        self.connection.prepare_cached("INSERT INTO pages VALUES (?1, ?2, ?3, ?4, ?5)")?.execute(params![
            version,
            page.number.get(),
            page.label,
            page.text_source.as_str(),
            record::encode(page)?,
        ])?;
        self.add_problems(version, &page.problems)
    }

    /// Ends a document and gives it its name, in place of the one that had it.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn finish(&self, version: Version, id: &DocId, finished: &FinishedDocument<'_>) -> Result<()> {
        self.remove(id)?;
        let (state, duplicate_of) = match finished.state {
            DocumentState::Indexed => ("indexed", None),
            DocumentState::Failed => ("failed", None),
            DocumentState::DuplicateOf(first) => ("duplicate", Some(first.as_str())),
        };
        self.connection
            .prepare_cached(
                "UPDATE documents SET doc_id = ?7, state = ?2, duplicate_of = ?3, title = ?4, n_pages = ?5, outline = ?6
                 WHERE version = ?1",
            )?
            .execute(params![
                version,
                state,
                duplicate_of,
                finished.title,
                finished.n_pages,
                record::to_json(&finished.outline)?,
                id.as_str(),
            ])?;
        self.add_problems(version, finished.problems)
    }

    /// Gives a document another name and place; its pages stay.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn rename(&self, from: &DocId, to: &DocId, origin: &Origin<'_>) -> Result<()> {
        self.remove(to)?;
        self.connection
            .prepare_cached("UPDATE documents SET doc_id = ?2 WHERE doc_id = ?1")?
            .execute([from.as_str(), to.as_str()])?;
        self.touch(to, origin)?;
        self.connection
            .prepare_cached("UPDATE documents SET duplicate_of = ?2 WHERE duplicate_of = ?1")?
            .execute([from.as_str(), to.as_str()])?;
        Ok(())
    }

    /// Notes that an unchanged file has another place or time stamp.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn touch(&self, id: &DocId, origin: &Origin<'_>) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE documents SET path = ?2, modified_ns = ?3, changed_ns = ?4, inode = ?5 WHERE doc_id = ?1",
            )?
            .execute(params![
                id.as_str(),
                origin.path.map(record::path_to_bytes),
                origin.stamp.map(|s| s.modified_ns),
                origin.stamp.map(|s| s.changed_ns),
                origin.stamp.map(|s| s.inode.cast_signed()),
            ])?;
        Ok(())
    }

    /// Removes a document with its pages and problems.
    ///
    /// # Errors
    /// When the catalog can't be written.
    pub fn remove(&self, id: &DocId) -> Result<()> {
        self.connection.prepare_cached("DELETE FROM documents WHERE doc_id = ?1")?.execute([id.as_str()])?;
        Ok(())
    }

    /// Publishes everything since the last commit as `generation` and goes on.
    ///
    /// # Errors
    /// When the catalog can't be written; the last committed state is then untouched.
    pub fn commit(&self, generation: u64) -> Result<()> {
        seal::seal_changed(&self.connection)?;
        self.connection.execute("UPDATE meta SET value = ?1 WHERE key = 'generation'", [generation.to_string()])?;
        self.connection.execute_batch("COMMIT; BEGIN IMMEDIATE")?;
        Ok(())
    }

    /// Every version that the catalog holds: the live ones, those being read, and documents without pages.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn versions(&self) -> Result<BTreeSet<Version>> {
        let mut statement = self.connection.prepare_cached("SELECT version FROM documents")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The number of page records of each version that can be searched.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn pages_by_version(&self) -> Result<BTreeMap<Version, u64>> {
        n_pages(&self.connection)
    }

    /// The content that the next commit refers to.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn live_hashes(&self) -> Result<BTreeSet<ContentHash>> {
        live_hashes(&self.connection)
    }

    fn add_problems(&self, version: Version, problems: &[Problem]) -> Result<()> {
        let mut statement = self.connection.prepare_cached("INSERT INTO problems VALUES (?1, ?2, ?3)")?;
        for problem in problems {
            let page = problem.page.map(crate::PageNumber::get);
            statement.execute(params![version, page, record::to_json(problem)?])?;
        }
        Ok(())
    }
}

fn known(row: &Row<'_>) -> rusqlite::Result<Known> {
    let stamp = match (row.get::<_, Option<i64>>(2)?, row.get(3)?) {
        (Some(size), Some(modified_ns)) => Some(SourceStamp {
            size: size.unsigned_abs(),
            modified_ns,
            changed_ns: row.get::<_, Option<i64>>(9)?.unwrap_or_default(),
            inode: row.get::<_, Option<i64>>(10)?.unwrap_or_default().cast_unsigned(),
        }),
        _ => None,
    };
    Ok(Known {
        id: DocId::new(row.get::<_, String>(0)?),
        path: row.get::<_, Option<Vec<u8>>>(1)?.map(record::path_from_bytes),
        stamp,
        hash: row.get::<_, Option<String>>(4)?.map(ContentHash::from_hex),
        fingerprint: row.get(5)?,
        duplicate_of: row.get::<_, Option<String>>(6)?.map(DocId::new),
        failed: row.get::<_, String>(7)? == "failed",
        problems: row.get::<_, Option<String>>(8)?.unwrap_or_default().split(',').filter_map(problem_code).collect(),
    })
}

fn problem_code(text: &str) -> Option<ProblemCode> {
    ProblemCode::ALL.iter().copied().find(|code| code.as_str() == text)
}
