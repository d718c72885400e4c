//! Pictures of pages that were drawn once, kept in the index's `cache/`: bounded, and deleting it only costs time.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use recto_page::ContentHash;

/// When there is no room, this share of what is kept goes, the oldest first.
const GOES: u64 = 4;

/// Pictures by what they are of.
pub(crate) struct PictureCache {
    folder: PathBuf,
    limit: u64,
    /// Bytes of what is kept, once it was looked up.
    held: Mutex<Option<u64>>,
}

impl PictureCache {
    /// In this folder, with room for so many bytes.
    pub(crate) const fn new(folder: PathBuf, limit: u64) -> Self {
        Self { folder, limit, held: Mutex::new(None) }
    }

    /// The picture of this key, if it is kept.
    pub(crate) fn get(&self, key: &ContentHash) -> Option<Vec<u8>> {
        fs::read(self.file(key)).ok()
    }

    /// Keeps a picture as far as there is room. That it can't be kept, as where the index may only be read, is nothing to
    /// act on.
    pub(crate) fn keep(&self, key: &ContentHash, picture: &[u8]) {
        let bytes = picture.len() as u64;
        if bytes <= self.limit / GOES && self.write(key, picture).is_ok() {
            let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            let now = held.map_or_else(|| self.size(), |held| held + bytes);
            *held = Some(if now > self.limit { self.make_room() } else { now });
        }
    }

    /// Written beside and renamed, so that nobody reads half a picture.
    fn write(&self, key: &ContentHash, picture: &[u8]) -> std::io::Result<()> {
        let file = self.file(key);
        let folder = file.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        new.write_all(picture)?;
        new.persist(file)?;
        Ok(())
    }

    fn file(&self, key: &ContentHash) -> PathBuf {
        self.folder.join(key.as_str().get(..2).unwrap_or("xx")).join(key.as_str())
    }

    fn size(&self) -> u64 {
        self.files().iter().map(|(_, bytes, _)| bytes).sum()
    }

    /// Every picture that is kept, with its age and size.
    fn files(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten());
        let file = |entry: fs::DirEntry| {
            let metadata = entry.metadata().ok()?;
            Some((metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len(), entry.path()))
        };
        files.filter_map(file).collect()
    }

    /// Removes the oldest; gives the size of what is left.
    fn make_room(&self) -> u64 {
        let mut files = self.files();
        files.sort();
        let mut held: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in files {
            if held <= self.limit - self.limit / GOES {
                break;
            }
            if fs::remove_file(path).is_ok() {
                held -= bytes;
            }
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_below_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let cache = PictureCache::new(folder.path().to_owned(), 400);
        let key = |n: u8| ContentHash::of(&[n]);
        for n in 0..20 {
            cache.keep(&key(n), &[n; 60]);
            assert!(cache.size() <= 400, "{n}: {}", cache.size());
        }
        assert_eq!(cache.get(&key(19)), Some(vec![19; 60]));
        assert_eq!(cache.get(&key(0)), None);
        cache.keep(&key(99), &[0; 200]);
        assert_eq!(cache.get(&key(99)), None, "too large for a quarter of the room");
    }
}
