//! How records are written into the catalog's cells.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Page, PageError, Result};

/// How many bytes of a record's BLAKE3 stand before it.
pub(super) const SEAL: usize = 16;

/// A page as bytes: postcard, then LZ4 behind its length, sealed.
pub(super) fn encode(page: &Page) -> Result<Vec<u8>> {
    let plain = postcard::to_stdvec(page).map_err(|_| PageError::Record("page"))?;
    Ok(seal(&lz4_flex::compress_prepend_size(&plain)))
}

/// The page of a record, if its bytes are those that were written.
pub(super) fn decode(sealed: &[u8]) -> Result<Page> {
    let (hash, bytes) = sealed.split_at_checked(SEAL).ok_or(PageError::Record("page"))?;
    if hash != hash_of(bytes) {
        return Err(PageError::Record("page"));
    }
    decode_unsealed(bytes)
}

/// Puts the hash before a record, without which format 4 was written.
pub(super) fn seal(bytes: &[u8]) -> Vec<u8> {
    [&hash_of(bytes)[..], bytes].concat()
}

fn hash_of(bytes: &[u8]) -> [u8; SEAL] {
    short(blake3::Hasher::new().update(bytes))
}

/// The beginning of a hash.
pub(super) fn short(hasher: &blake3::Hasher) -> [u8; SEAL] {
    let mut hash = [0; SEAL];
    hasher.finalize_xof().fill(&mut hash);
    hash
}

/// The page of a record of format 4.
pub(super) fn decode_unsealed(bytes: &[u8]) -> Result<Page> {
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
