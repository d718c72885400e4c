//! The catalog: which documents, pages and problems an index holds.
//!
//! One SQLite file. A [`Catalog`] is one consistent state, pinned when it is opened and undisturbed by a writer; a
//! [`CatalogWriter`] collects changes in one open transaction and publishes them with [`CatalogWriter::commit`], which
//! is the only commit point of an index: what the catalog does not name does not exist.

mod last_commit;
mod record;
mod route;
mod schema;
mod seal;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use crate::{
    ContentHash, DocId, Document, DocumentState, IndexDir, Page, PageError, PageId, PageNumber, Pages, Problem, Result,
};
pub use last_commit::LastCommit;
pub use route::{StoredRoute, StoredSegment};
pub use writer::{CatalogWriter, FinishedDocument, Known, Origin, SourceStamp};

/// One consistent state of an index.
pub struct Catalog {
    connection: Connection,
    /// Whether there are hashes before page records.
    is_sealed: bool,
}

/// The identity of one indexed state of a document; never the number of another state that is still live.
pub type Version = u64;

impl Catalog {
    /// Opens the last committed state.
    ///
    /// # Errors
    /// [`PageError::NoIndex`] if there is none, [`PageError::Format`] if it is of another version.
    pub fn open(dir: &IndexDir) -> Result<Self> {
        if !dir.exists() {
            return Err(PageError::NoIndex(dir.root().into()));
        }
        let connection = schema::open_reader(&dir.catalog())?;
        let is_sealed = schema::is_sealed(&connection, dir.root())?;
        // The first read of a transaction pins the state that all later reads see.
        connection.execute_batch("BEGIN; SELECT 1 FROM meta;")?;
        if schema::generation(&connection)? == 0 {
            // A first run was ended before its first commit.
            return Err(PageError::NoIndex(dir.root().into()));
        }
        Ok(Self { connection, is_sealed })
    }

    /// Number of the last commit, counted from 1.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn generation(&self) -> Result<u64> {
        schema::generation(&self.connection)
    }

    /// The versions whose pages can be searched, and whose document each is.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn live(&self) -> Result<BTreeMap<Version, DocId>> {
        live(&self.connection)
    }

    /// The number of page records of each version that can be searched.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn pages_by_version(&self) -> Result<BTreeMap<Version, u64>> {
        n_pages(&self.connection)
    }

    /// What is wrong with the file, if anything: what SQLite finds, and documents that are not as they were written. Page
    /// records are looked at when they are read.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn damages(&self) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare("PRAGMA integrity_check(5)")?;
        let told = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
        let mut damages: Vec<_> = told.into_iter().filter(|line| line != "ok").collect();
        if self.is_sealed {
            let broken = seal::broken(&self.connection)?.into_iter();
            damages.extend(
                broken.map(|(_, name)| format!("what is noted of the document {name} is not what was written")),
            );
        }
        Ok(damages)
    }

    /// All documents by name.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn documents(&self) -> Result<Vec<Document>> {
        let sql = format!("SELECT {DOCUMENT} FROM documents WHERE doc_id IS NOT NULL ORDER BY doc_id");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([], |row| Ok(document(row)))?;
        rows.map(|row| row?).collect()
    }

    /// One document.
    ///
    /// # Errors
    /// [`PageError::NoDocument`] if there is none of this name.
    pub fn document(&self, id: &DocId) -> Result<Document> {
        let sql = format!("SELECT {DOCUMENT} FROM documents WHERE doc_id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let found = statement.query_row([id.as_str()], |row| Ok(document(row))).optional()?;
        found.ok_or_else(|| PageError::NoDocument(id.clone()))?
    }

    /// The document that holds the pages of `id`: itself, or the one that it duplicates.
    ///
    /// # Errors
    /// [`PageError::NoDocument`] if there is none of this name.
    pub fn original(&self, id: &DocId) -> Result<Document> {
        let document = self.document(id)?;
        match &document.state {
            DocumentState::DuplicateOf(first) => self.document(first),
            _ => Ok(document),
        }
    }

    /// All problems, or those of one document, by document and page.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn problems(&self, doc: Option<&DocId>) -> Result<Vec<(DocId, Problem)>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT doc_id, problem FROM problems JOIN documents USING (version)
             WHERE doc_id = ifnull(?1, doc_id) ORDER BY doc_id, page, problems.rowid",
        )?;
        let rows = statement
            .query_map([doc.map(DocId::as_str)], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        rows.map(|row| {
            let (doc, problem) = row?;
            Ok((DocId::new(doc), record::from_json(&problem)?))
        })
        .collect()
    }

    /// How much there is to be searched.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn size(&self) -> Result<Size> {
        Ok(Size { documents: self.live()?.len() as u64, pages: self.pages_by_version()?.values().sum() })
    }

    /// Number of pages by text source.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn pages_by_text_source(&self) -> Result<BTreeMap<String, u64>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT text_source, COUNT(*) FROM pages JOIN documents USING (version)
             WHERE doc_id IS NOT NULL GROUP BY text_source",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The pages of a document with their printed labels, for those that have one.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn labels(&self, doc: &DocId) -> Result<Vec<(PageNumber, String)>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT number, label FROM pages JOIN documents USING (version)
             WHERE doc_id = ?1 AND label IS NOT NULL ORDER BY number",
        )?;
        let rows = statement.query_map([doc.as_str()], |row| Ok((row.get::<_, u32>(0)?, row.get(1)?)))?;
        rows.map(|row| {
            let (number, label) = row?;
            Ok((PageNumber::new(number).ok_or(PageError::Record("page number"))?, label))
        })
        .collect()
    }
}

impl Pages for Catalog {
    fn page(&self, id: &PageId) -> Result<Option<Page>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT record FROM pages JOIN documents USING (version) WHERE doc_id = ?1 AND number = ?2",
        )?;
        let found: Option<Vec<u8>> =
            statement.query_row(params![id.doc.as_str(), id.page.get()], |row| row.get(0)).optional()?;
        let decode = if self.is_sealed { record::decode } else { record::decode_unsealed };
        let page = found.map(|bytes| decode(&bytes)).transpose().ok();
        match page {
            Some(page) if page.as_ref().is_none_or(|page| page.number == id.page) => Ok(page),
            _ => Err(PageError::Damaged(id.clone())),
        }
    }

    fn n_pages(&self, doc: &DocId) -> Result<Option<u32>> {
        match self.document(doc) {
            Ok(document) => Ok(Some(document.n_pages)),
            Err(PageError::NoDocument(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn doc_ids(&self) -> Result<Vec<DocId>> {
        Ok(self.documents()?.into_iter().map(|document| document.id).collect())
    }
}

/// How much of it there is in an index, as it is told everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Size {
    /// Documents that could be read; of copies the first alone.
    pub documents: u64,
    /// Their pages that were read.
    pub pages: u64,
}

const DOCUMENT: &str = "doc_id, path, hash, title, n_pages, state, duplicate_of, outline";

fn document(row: &Row<'_>) -> Result<Document> {
    let duplicate_of: Option<String> = row.get(6)?;
    let state = match (row.get::<_, String>(5)?.as_str(), duplicate_of) {
        ("indexed", _) => DocumentState::Indexed,
        ("failed", _) => DocumentState::Failed,
        ("duplicate", Some(first)) => DocumentState::DuplicateOf(DocId::new(first)),
        _ => return Err(PageError::Record("document state")),
    };
    Ok(Document {
        id: DocId::new(row.get::<_, String>(0)?),
        path: row.get::<_, Option<Vec<u8>>>(1)?.map(record::path_from_bytes),
        hash: row.get::<_, Option<String>>(2)?.map(ContentHash::from_hex),
        title: row.get(3)?,
        n_pages: row.get(4)?,
        state,
        outline: record::from_json(&row.get::<_, String>(7)?)?,
    })
}

fn live(connection: &Connection) -> Result<BTreeMap<Version, DocId>> {
    let mut statement = connection
        .prepare_cached("SELECT version, doc_id FROM documents WHERE state = 'indexed' AND doc_id IS NOT NULL")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, DocId::new(row.get::<_, String>(1)?))))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn n_pages(connection: &Connection) -> Result<BTreeMap<Version, u64>> {
    let mut statement = connection.prepare_cached(
        "SELECT version, COUNT(*) FROM pages JOIN documents USING (version) WHERE doc_id IS NOT NULL GROUP BY version",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn live_hashes(connection: &Connection) -> Result<BTreeSet<ContentHash>> {
    let mut statement = connection.prepare_cached("SELECT DISTINCT hash FROM documents WHERE hash IS NOT NULL")?;
    let rows = statement.query_map([], |row| Ok(ContentHash::from_hex(row.get::<_, String>(0)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PageSize, ProblemCode, Region, Stage, TextLayer, TextSource, Word};

    const ORIGIN: Origin<'_> = Origin { path: None, stamp: None, hash: None, fingerprint: "1" };
    const FINISHED: FinishedDocument<'_> =
        FinishedDocument { title: None, n_pages: 1, state: &DocumentState::Indexed, outline: &[], problems: &[] };

    fn page(text: &str) -> Page {
        let word = Word { text: text.into(), region: Region::FULL };
        Page {
            label: Some("iii".into()),
            text_source: TextSource::Layer,
            text_layer: TextLayer { words: vec![word], lines: vec![], blocks: vec![] },
            problems: vec![Problem::of_page(ProblemCode::NoText, Stage::Text, PageNumber::FIRST, "x")],
            ..Page::empty(PageNumber::FIRST, PageSize { width: 612.0, height: 792.0 })
        }
    }

    fn add(writer: &CatalogWriter, id: &str, text: &str) -> Version {
        let version = writer.begin(&ORIGIN).unwrap();
        writer.add_page(version, &page(text)).unwrap();
        writer.finish(version, &DocId::new(id), &FINISHED).unwrap();
        version
    }

    fn names(catalog: &Catalog) -> Vec<String> {
        catalog.documents().unwrap().iter().map(|d| d.id.to_string()).collect()
    }

    fn text_of(catalog: &Catalog, id: &str) -> Option<String> {
        let id = PageId::new(DocId::new(id), PageNumber::FIRST);
        catalog.page(&id).unwrap().map(|page| page.text_layer.words[0].text.clone())
    }

    #[test]
    fn a_reader_sees_one_commit_whatever_the_writer_does() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        assert!(matches!(Catalog::open(&dir), Err(PageError::NoIndex(_))));
        let writer = CatalogWriter::open(&dir).unwrap();
        let first = add(&writer, "a.pdf", "old");
        writer.commit(1).unwrap();
        let before = Catalog::open(&dir).unwrap();
        let second = add(&writer, "a.pdf", "new");
        add(&writer, "b.pdf", "other");
        assert_ne!(first, second);
        assert_eq!(text_of(&Catalog::open(&dir).unwrap(), "a.pdf").as_deref(), Some("old"));
        writer.commit(2).unwrap();
        assert_eq!((before.generation().unwrap(), text_of(&before, "a.pdf").as_deref()), (1, Some("old")));
        let after = Catalog::open(&dir).unwrap();
        assert_eq!((after.generation().unwrap(), text_of(&after, "a.pdf").as_deref()), (2, Some("new")));
        assert_eq!(names(&after), ["a.pdf", "b.pdf"]);
        assert_eq!(after.problems(Some(&DocId::new("a.pdf"))).unwrap().len(), 1);
        assert_eq!(after.labels(&DocId::new("a.pdf")).unwrap(), [(PageNumber::FIRST, "iii".to_owned())]);
    }

    #[test]
    fn the_last_commit_is_told_by_a_connection_that_stays_open() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        assert!(LastCommit::open(&dir).is_err());
        let writer = CatalogWriter::open(&dir).unwrap();
        let last = LastCommit::open(&dir).unwrap();
        for generation in 1..3 {
            add(&writer, "a.pdf", "text");
            assert_eq!(last.generation().unwrap(), generation - 1);
            writer.commit(generation).unwrap();
            assert_eq!(last.generation().unwrap(), generation);
        }
        drop(writer);
        assert!(last.is_there());
        #[cfg(unix)]
        {
            std::fs::rename(dir.catalog(), temporary.path().join("elsewhere")).unwrap();
            assert!(!last.is_there());
        }
    }

    #[test]
    fn a_document_that_was_not_finished_is_seen_by_the_next_writer_only() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let hash = ContentHash::of(b"content");
        let origin = Origin { hash: Some(&hash), ..ORIGIN };
        let writer = CatalogWriter::open(&dir).unwrap();
        let version = writer.begin(&origin).unwrap();
        writer.add_page(version, &page("half")).unwrap();
        writer.commit(1).unwrap();
        assert!(Catalog::open(&dir).unwrap().live().unwrap().is_empty());
        drop(writer);
        let writer = CatalogWriter::open(&dir).unwrap();
        assert_eq!(writer.unfinished(&ORIGIN).unwrap(), None);
        assert_eq!(writer.unfinished(&origin).unwrap(), Some((version, BTreeSet::from([PageNumber::FIRST]))));
        assert!(writer.drop_unfinished().unwrap());
        assert!(writer.versions().unwrap().is_empty());
        assert!(!writer.drop_unfinished().unwrap());
    }

    #[test]
    fn a_duplicate_leads_to_its_original_and_a_rename_keeps_the_pages() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let writer = CatalogWriter::open(&dir).unwrap();
        let [a, b, c] = ["a.pdf", "b.pdf", "c.pdf"].map(DocId::new);
        add(&writer, "a.pdf", "text");
        let version = writer.begin(&ORIGIN).unwrap();
        let state = DocumentState::DuplicateOf(a.clone());
        writer.finish(version, &b, &FinishedDocument { state: &state, ..FINISHED }).unwrap();
        writer.commit(1).unwrap();
        let catalog = Catalog::open(&dir).unwrap();
        assert_eq!(catalog.original(&b).unwrap().id, a);
        assert!(matches!(catalog.original(&c), Err(PageError::NoDocument(_))));
        writer.rename(&a, &c, &ORIGIN).unwrap();
        writer.commit(2).unwrap();
        let catalog = Catalog::open(&dir).unwrap();
        assert_eq!(names(&catalog), ["b.pdf", "c.pdf"]);
        assert_eq!(text_of(&catalog, "c.pdf").as_deref(), Some("text"));
        assert_eq!(catalog.original(&b).unwrap().id, c);
    }

    /// A byte that changed on the disk is not told as what a page says.
    #[test]
    fn a_page_record_that_is_not_as_it_was_written_is_damaged() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let writer = CatalogWriter::open(&dir).unwrap();
        let version = add(&writer, "a.pdf", "the sum is 3,412 euros");
        writer.commit(1).unwrap();
        assert_eq!(text_of(&Catalog::open(&dir).unwrap(), "a.pdf").as_deref(), Some("the sum is 3,412 euros"));
        drop(writer);
        let connection = Connection::open(dir.catalog()).unwrap();
        let changed = connection.execute(
            "UPDATE pages SET record = CAST(unhex(replace(hex(record), hex('3,412'), hex('8,412'))) AS BLOB)",
            [],
        );
        assert_eq!(changed, Ok(1));
        let id = PageId::new(DocId::new("a.pdf"), PageNumber::FIRST);
        let told = Catalog::open(&dir).unwrap().page(&id).unwrap_err();
        assert!(matches!(&told, PageError::Damaged(page) if *page == id), "{told}");
        let writer = CatalogWriter::open(&dir).unwrap();
        assert!(writer.page_of(version, PageNumber::FIRST).is_err());
        assert!(writer.any_page(&id.doc, |_| true).is_err());
    }

    #[test]
    fn what_is_noted_of_documents_is_verified() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let writer = CatalogWriter::open(&dir).unwrap();
        ["a.pdf", "b.pdf"].iter().for_each(|id| _ = add(&writer, id, "text"));
        writer.commit(1).unwrap();
        let [b, c] = ["b.pdf", "c.pdf"].map(DocId::new);
        writer.touch(&b, &ORIGIN).unwrap();
        writer.rename(&b, &c, &ORIGIN).unwrap();
        writer.commit(2).unwrap();
        let changes = [
            "UPDATE problems SET problem = replace(problem, 'x', 'y') WHERE version = 1",
            "UPDATE pages SET label = 'iv' WHERE version = 1",
            "DROP TRIGGER documents_changed; UPDATE documents SET title = 'x' WHERE version = 1",
        ];
        drop(writer);
        assert_eq!(Catalog::open(&dir).unwrap().damages().unwrap(), Vec::<String>::new());
        let connection = Connection::open(dir.catalog()).unwrap();
        for change in changes {
            connection.execute_batch(&format!("BEGIN; {change}")).unwrap();
            assert_eq!(seal::broken(&connection).unwrap(), [(1, "a.pdf".to_owned())], "{change}");
            connection.execute_batch("ROLLBACK").unwrap();
        }
    }

    #[test]
    fn a_catalog_of_the_format_before_is_read_and_brought_up_to_date() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        let writer = CatalogWriter::open(&dir).unwrap();
        add(&writer, "a.pdf", "text");
        writer.commit(1).unwrap();
        drop(writer);
        let connection = Connection::open(dir.catalog()).unwrap();
        connection
            .execute_batch(
                "UPDATE meta SET value = '4' WHERE key = 'format'; UPDATE pages SET record = substr(record, 17);
                 DROP TRIGGER documents_changed; DROP INDEX documents_unsealed;
                 ALTER TABLE documents DROP COLUMN seal; ALTER TABLE documents DROP COLUMN changed_ns; ALTER TABLE documents DROP COLUMN inode",
            )
            .unwrap();
        let before = Catalog::open(&dir).unwrap();
        assert_eq!(text_of(&before, "a.pdf").as_deref(), Some("text"));
        let writer = CatalogWriter::open(&dir).unwrap();
        add(&writer, "b.pdf", "more");
        writer.commit(2).unwrap();
        let after = Catalog::open(&dir).unwrap();
        assert_eq!(["a.pdf", "b.pdf"].map(|id| text_of(&after, id).unwrap()), ["text", "more"]);
        assert_eq!(after.pages_by_version().unwrap().into_values().collect::<Vec<_>>(), [1, 1]);
        assert_eq!(after.damages().unwrap(), Vec::<String>::new());
        assert_eq!(text_of(&before, "a.pdf").as_deref(), Some("text"));
    }

    #[test]
    fn another_format_is_refused_with_its_name() {
        let temporary = tempfile::tempdir().unwrap();
        let dir = IndexDir::new(temporary.path());
        CatalogWriter::open(&dir).unwrap().commit(1).unwrap();
        let connection = Connection::open(dir.catalog()).unwrap();
        connection.execute("UPDATE meta SET value = '99' WHERE key = 'format'", []).unwrap();
        let error = Catalog::open(&dir).err().unwrap().to_string();
        assert!(error.contains("format 99"), "{error}");
    }
}
