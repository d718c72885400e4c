//! What outlives the server: small records in a folder of the index, one file each, so many at most. Where nothing can be
//! written, as in an index that may only be read, nothing is kept.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A folder of records.
pub(crate) struct Kept {
    folder: PathBuf,
    most: usize,
}

impl Kept {
    /// In this folder, at most so many.
    pub(crate) const fn new(folder: PathBuf, most: usize) -> Self {
        Self { folder, most }
    }

    /// Keeps a record under a name, in the place of an older one; the oldest of the others go when there are too many.
    pub(crate) fn put(&self, name: &str, record: &impl Serialize) {
        if self.write(name, record).is_ok() {
            let mut files = self.files();
            files.sort();
            for (_, name) in files.iter().take(files.len().saturating_sub(self.most)) {
                self.remove(name);
            }
        }
    }

    /// The record of a name, if it is kept.
    pub(crate) fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        let text = fs::read(self.file(name)?).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// All records that can be read, with their names.
    pub(crate) fn all<T: DeserializeOwned>(&self) -> Vec<(String, T)> {
        let read = |(_, name): (SystemTime, String)| self.get(&name).map(|record| (name, record));
        let mut all: Vec<(String, T)> = self.files().into_iter().filter_map(read).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all
    }

    pub(crate) fn remove(&self, name: &str) {
        if let Some(file) = self.file(name) {
            fs::remove_file(file).ok();
        }
    }

    /// Written beside and renamed, so that nobody reads half a record.
    fn write(&self, name: &str, record: &impl Serialize) -> std::io::Result<()> {
        let file = self.file(name).ok_or(std::io::ErrorKind::InvalidInput)?;
        fs::create_dir_all(&self.folder)?;
        let mut new = tempfile::NamedTempFile::new_in(&self.folder)?;
        new.write_all(&serde_json::to_vec(record)?)?;
        new.persist(file)?;
        Ok(())
    }

    fn file(&self, name: &str) -> Option<PathBuf> {
        is_name(name).then(|| self.folder.join(format!("{name}.json")))
    }

    /// Every record, with its age.
    fn files(&self) -> Vec<(SystemTime, String)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let file = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?.strip_suffix(".json")?.to_owned();
            Some((entry.metadata().ok()?.modified().unwrap_or(SystemTime::UNIX_EPOCH), name))
        };
        entries.filter_map(file).collect()
    }
}

/// Names are those of [`random`](super::sessions::random): they lead nowhere else.
fn is_name(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::sessions::random;

    #[test]
    fn records_are_kept_by_name_and_the_oldest_go() {
        let desk = tempfile::tempdir().unwrap();
        let kept = Kept::new(desk.path().join("a/b"), 2);
        let names: Vec<String> = (0..3).map(|_| random().unwrap()).collect();
        for (number, name) in names.iter().enumerate() {
            kept.put(name, &number);
            let file = fs::File::options().write(true).open(kept.file(name).unwrap()).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number as u64)).unwrap();
        }
        let held: Vec<Option<usize>> = names.iter().map(|name| kept.get(name)).collect();
        assert_eq!(held, [None, Some(1), Some(2)]);
        assert_eq!(kept.all::<usize>().len(), 2);
        kept.remove(&names[2]);
        assert_eq!(kept.get::<usize>(&names[2]), None);
        for name in ["", "../../../etc/passwd", &format!("../{}", &names[1][3..])] {
            kept.put(name, &7);
            assert_eq!(kept.get::<usize>(name), None, "{name}");
        }
    }
}
