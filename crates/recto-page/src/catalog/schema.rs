//! The tables of the catalog, and how it is opened.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::{PageError, Result};

/// The format that this program reads and writes; any other is refused with a clear message.
const FORMAT: &str = "4";

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
    outline      TEXT NOT NULL
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
    connection.execute_batch("COMMIT")?;
    Ok(connection)
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

pub(super) fn check_format(connection: &Connection, dir: &Path) -> Result<()> {
    let found = connection.query_row("SELECT value FROM meta WHERE key = 'format'", [], |row| row.get(0));
    // Before the first writer has made the tables there is no index.
    let Ok(found) = found else { return Err(PageError::NoIndex(dir.into())) };
    if found == FORMAT {
        return Ok(());
    }
    Err(PageError::Format { dir: dir.into(), found, expected: FORMAT })
}

pub(super) fn generation(connection: &Connection) -> Result<u64> {
    let text: String = connection.query_row("SELECT value FROM meta WHERE key = 'generation'", [], |row| row.get(0))?;
    text.parse().map_err(|_| PageError::Record("generation"))
}
