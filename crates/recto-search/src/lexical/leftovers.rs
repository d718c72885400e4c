//! Files that a writer left which was killed between writing them and its commit. They only take room until a writer comes
//! to the same name again: the engine writes over no file, so that one would fail, and every one after it.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use tantivy::Index;

use crate::Result;

/// Removes every file of segments that the last commit does not name, and those that were to be renamed. Only for the one
/// who writes, before anything is written.
pub(super) fn remove(index: &Index, dir: &Path) -> Result<()> {
    let named: HashSet<PathBuf> = index.load_metas()?.list_segment_files();
    for entry in std::fs::read_dir(dir)? {
        let name = entry?.file_name();
        if (is_of_segment(&name) && !named.contains(Path::new(&name))) || is_temporary(&name) {
            std::fs::remove_file(dir.join(&name))?;
        }
    }
    Ok(())
}

/// Such files are called by 32 hexadecimal digits and an ending.
fn is_of_segment(name: &OsStr) -> bool {
    let (digits, ending) = name.as_encoded_bytes().split_at_checked(32).unwrap_or_default();
    digits.iter().all(u8::is_ascii_hexdigit) && ending.starts_with(b".")
}

/// Those that are written whole before they get their name.
fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".tmp")
}
