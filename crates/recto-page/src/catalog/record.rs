//! How records are written into the catalog's cells.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Page, PageError, Result};

/// A page as bytes: postcard, then LZ4 behind its length.
pub(super) fn encode(page: &Page) -> Result<Vec<u8>> {
    let plain = postcard::to_stdvec(page).map_err(|_| PageError::Record("page"))?;
    Ok(lz4_flex::compress_prepend_size(&plain))
}

pub(super) fn decode(bytes: &[u8]) -> Result<Page> {
    let plain = lz4_flex::decompress_size_prepended(bytes).map_err(|_| PageError::Record("page"))?;
    postcard::from_bytes(&plain).map_err(|_| PageError::Record("page"))
}

pub(super) fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|_| PageError::Record("JSON"))
}

pub(super) fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|_| PageError::Record("JSON"))
}

/// Paths are bytes: not every file name is text.
pub(super) fn path_to_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

pub(super) fn path_from_bytes(bytes: Vec<u8>) -> PathBuf {
    OsString::from_vec(bytes).into()
}
