//! The files of the models: where they lie, and that they are the right ones (`models/models.lock`).

use std::fmt::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::{ModelError, Result};

/// What brings the files that are not in the repository.
const COMMAND: &str = "scripts/get-models.sh";
/// Lines of name, length, SHA-256 and origin.
const LOCK: &str = include_str!("../../../../models/models.lock");

/// The bytes of a file of the folder, after checking them.
pub(crate) fn read(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let file = folder.join(name);
    let bytes = std::fs::read(&file).map_err(|error| unreadable(&file, &error))?;
    let wanted = sha256_of(name).unwrap_or_default();
    let found = hex(&Sha256::digest(&bytes));
    if found == wanted {
        return Ok(bytes);
    }
    Err(ModelError::BadFile {
        file,
        why: format!("its SHA-256 is {found}, not {wanted}; `{COMMAND}` brings the right one"),
    })
}

/// Whether a file is there; its content is checked when it is read.
pub(crate) fn is_there(folder: &Path, name: &str) -> bool {
    folder.join(name).is_file()
}

/// The SHA-256 that a file of the lock must have.
pub(crate) fn sha256_of(name: &str) -> Option<&'static str> {
    let mut lines = LOCK.lines().map(str::split_ascii_whitespace);
    lines.find_map(|mut fields| (fields.next()?.rsplit('/').next()? == name).then(|| fields.nth(1)).flatten())
}

fn unreadable(file: &Path, error: &std::io::Error) -> ModelError {
    let file = PathBuf::from(file);
    if error.kind() == std::io::ErrorKind::NotFound {
        return ModelError::MissingFile { file, command: COMMAND };
    }
    ModelError::BadFile { file, why: error.to_string() }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
