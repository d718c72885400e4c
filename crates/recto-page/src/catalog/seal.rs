//! A hash over all that the catalog says of a document beside its page records, which have their own: its name, place and
//! state, its problems, the labels of its pages. Looked at when an index is verified.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::{Version, record};
use crate::Result;

/// Whatever changes a document takes its seal away. The fingerprint is not under it: it says nothing of the document.
pub(super) const TABLES: &str = "
CREATE INDEX IF NOT EXISTS documents_unsealed ON documents (version) WHERE seal IS NULL;
CREATE TRIGGER IF NOT EXISTS documents_changed AFTER UPDATE OF
    doc_id, path, size, modified_ns, changed_ns, inode, hash, state, duplicate_of, title, n_pages, outline ON documents
BEGIN UPDATE documents SET seal = NULL WHERE version = new.version; END;
";

/// What is under the seal.
const SEALED: [&str; 3] = [
    "SELECT doc_id, path, size, modified_ns, changed_ns, inode, hash, state, duplicate_of, title, n_pages, outline
     FROM documents WHERE version = ?1",
    "SELECT page, problem FROM problems WHERE version = ?1 ORDER BY rowid",
    "SELECT number, label, text_source FROM pages WHERE version = ?1 ORDER BY number",
];

/// Seals every document that was added or changed.
pub(super) fn seal_changed(connection: &Connection) -> Result<()> {
    let mut changed = connection.prepare_cached("SELECT version FROM documents WHERE seal IS NULL")?;
    let versions = changed.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<Version>>>()?;
    let mut write = connection.prepare_cached("UPDATE documents SET seal = ?2 WHERE version = ?1")?;
    for version in versions {
        write.execute(params![version, seal(connection, version)?])?;
    }
    Ok(())
}

/// The documents that are not as they were sealed, with their names.
pub(super) fn broken(connection: &Connection) -> Result<Vec<(Version, String)>> {
    let mut sealed = connection
        .prepare_cached("SELECT version, doc_id, seal FROM documents WHERE doc_id IS NOT NULL ORDER BY doc_id")?;
    let mut rows = sealed.query([])?;
    let mut broken = Vec::new();
    while let Some(row) = rows.next()? {
        let version = row.get(0)?;
        if row.get_ref(2)? != ValueRef::Blob(&seal(connection, version)?) {
            broken
                .push((version, String::from_utf8_lossy(row.get_ref(1)?.as_bytes().unwrap_or_default()).into_owned()));
        }
    }
    Ok(broken)
}

fn seal(connection: &Connection, version: Version) -> Result<[u8; record::SEAL]> {
    let mut hasher = blake3::Hasher::new();
    for sql in SEALED {
        let mut statement = connection.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query([version])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                take(&mut hasher, row.get_ref(column)?);
            }
        }
    }
    Ok(record::short(&hasher))
}

/// A cell, so that no two rows of cells look the same.
fn take(hasher: &mut blake3::Hasher, cell: ValueRef<'_>) {
    let (integer, real);
    let (kind, bytes): (u8, &[u8]) = match cell {
        ValueRef::Null => (0, &[]),
        ValueRef::Integer(n) => {
            integer = n.to_le_bytes();
            (1, &integer)
        }
        ValueRef::Real(x) => {
            real = x.to_le_bytes();
            (2, &real)
        }
        ValueRef::Text(text) => (3, text),
        ValueRef::Blob(blob) => (4, blob),
    };
    hasher.update(&[kind]).update(&bytes.len().to_le_bytes()).update(bytes);
}
