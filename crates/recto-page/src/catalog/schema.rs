//! The tables of the catalog, and how it is opened.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, params};

use super::{record, seal};
use crate::{PageError, Result};

/// The format that this program writes. It reads the one before too; any other is refused with a clear message.
const FORMAT: &str = "5";
/// Without hashes of page records, and with less of the state of files. The first writer brings it up to date.
const BEFORE: &str = "4";

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    version      INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id       TEXT UNIQUE, -- NULL while its pages are being read
    path         BLOB,
    size         INTEGER,
    modified_ns  INTEGER,
    hash         TEXT,
    fingerprint  TEXT NOT NULL,
    state        TEXT NOT NULL,
    duplicate_of TEXT,
    title        TEXT,
    n_pages      INTEGER NOT NULL,
    outline      TEXT NOT NULL,
    changed_ns   INTEGER,
    inode        INTEGER,
    seal         BLOB -- NULL while it changes
);
CREATE INDEX IF NOT EXISTS documents_duplicate_of ON documents (duplicate_of);
CREATE TABLE IF NOT EXISTS pages (
    version     INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    label       TEXT,
    text_source TEXT NOT NULL,
    record      BLOB NOT NULL,
    PRIMARY KEY (version, number)
);
CREATE TABLE IF NOT EXISTS problems (
    version INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    page    INTEGER,
    problem TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS problems_version ON problems (version);
CREATE TABLE IF NOT EXISTS routes (
    route    TEXT PRIMARY KEY,
    encoder  TEXT NOT NULL,
    complete INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS segments (
    route TEXT NOT NULL REFERENCES routes ON DELETE CASCADE,
    name  TEXT NOT NULL,
    hash  TEXT NOT NULL,
    pages INTEGER NOT NULL,
    PRIMARY KEY (route, name)
) WITHOUT ROWID;
";

pub(super) fn open_writer(path: &Path) -> Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    // In one step: whoever finds the catalog finds it whole.
    connection.execute_batch("BEGIN IMMEDIATE")?;
    connection.execute_batch(TABLES)?;
    connection.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?1), ('generation', '0')", [FORMAT])?;
    if format(&connection).is_some_and(|format| format == BEFORE) {
        bring_up_to_date(&connection)?;
    }
    connection.execute_batch(seal::TABLES)?;
    connection.execute_batch("COMMIT")?;
    Ok(connection)
}

fn bring_up_to_date(connection: &Connection) -> Result<()> {
    connection.execute_batch(
        "ALTER TABLE documents ADD COLUMN changed_ns INTEGER; ALTER TABLE documents ADD COLUMN inode INTEGER;
         ALTER TABLE documents ADD COLUMN seal BLOB",
    )?;
    let mut rows = connection.prepare("SELECT rowid FROM pages")?;
    let mut read = connection.prepare("SELECT record FROM pages WHERE rowid = ?1")?;
    let mut write = connection.prepare("UPDATE pages SET record = ?2 WHERE rowid = ?1")?;
    for row in rows.query_map([], |row| row.get::<_, i64>(0))?.collect::<rusqlite::Result<Vec<_>>>()? {
        let record: Vec<u8> = read.query_row([row], |row| row.get(0))?;
        write.execute(params![row, record::seal(&record)])?;
    }
    connection.execute("UPDATE meta SET value = ?1 WHERE key = 'format'", [FORMAT])?;
    Ok(())
}

pub(super) fn open_reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    if connection.query_row("SELECT COUNT(*) FROM sqlite_master", [], |_| Ok(())).is_ok() {
        return Ok(connection);
    }
    // A log beside the file can't be made where the directory is read-only; nobody writes there either.
    let text = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Ok(Connection::open_with_flags(format!("file:{text}?immutable=1"), flags)?)
}

/// Whether there are hashes before page records.
///
/// # Errors
/// [`PageError::Format`] if the catalog is of another format, [`PageError::NoIndex`] if it is of none.
pub(super) fn is_sealed(connection: &Connection, dir: &Path) -> Result<bool> {
    match format(connection) {
        // Before the first writer has made the tables there is no index.
        None => Err(PageError::NoIndex(dir.into())),
        Some(found) if found == FORMAT || found == BEFORE => Ok(found == FORMAT),
        Some(found) => Err(PageError::Format { dir: dir.into(), found, expected: FORMAT }),
    }
}

fn format(connection: &Connection) -> Option<String> {
    connection.query_row("SELECT value FROM meta WHERE key = 'format'", [], |row| row.get(0)).ok()
}

pub(super) fn generation(connection: &Connection) -> Result<u64> {
    let text: String = connection.query_row("SELECT value FROM meta WHERE key = 'generation'", [], |row| row.get(0))?;
    text.parse().map_err(|_| PageError::Record("generation"))
}
