//! The number of the last commit, asked again and again: a server looks for it at every request, and to open the catalog takes
//! longer than most of what is asked of it.

use std::fs::Metadata;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::schema;
use crate::{IndexDir, Result};

/// A connection that pins no state: each question is about the last commit.
pub struct LastCommit {
    connection: Connection,
    path: PathBuf,
    file: Option<(u64, u64)>,
}

impl LastCommit {
    /// Of an index.
    ///
    /// # Errors
    /// When there is no catalog, or its directory may only be read: there each look needs a [`Catalog`](super::Catalog).
    pub fn open(dir: &IndexDir) -> Result<Self> {
        let path = dir.catalog();
        let file = std::fs::metadata(&path).ok().as_ref().and_then(identity);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.busy_timeout(Duration::from_secs(30))?;
        schema::generation(&connection)?;
        Ok(Self { connection, path, file })
    }

    /// Its number, counted from 1; 0 before the first.
    ///
    /// # Errors
    /// When the catalog can't be read.
    pub fn generation(&self) -> Result<u64> {
        schema::generation(&self.connection)
    }

    /// Whether the catalog is still the same file: an index may be removed and made anew.
    pub fn is_there(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|now| identity(&now) == self.file)
    }
}

#[cfg(unix)]
fn identity(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

/// Elsewhere a file that is open can't be removed.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}
