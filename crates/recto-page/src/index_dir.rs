//! The index directory: one self-contained folder. What lies where in it, and who may write.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{ContentHash, PageError, Result};

/// An index directory by its path; it need not exist yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexDir {
    root: PathBuf,
}

impl IndexDir {
    /// Names a directory.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// True if it holds an index.
    pub fn exists(&self) -> bool {
        self.catalog().is_file()
    }

    /// True if parts of an index are there that only a catalog could tell the meaning of, and no catalog.
    pub fn has_lost_its_catalog(&self) -> bool {
        !self.exists() && (self.lexical().exists() || self.sources().exists())
    }

    /// The SQLite catalog: documents, pages, problems; the only commit point.
    pub fn catalog(&self) -> PathBuf {
        self.root.join("catalog.sqlite")
    }

    /// Postings.
    pub fn lexical(&self) -> PathBuf {
        self.root.join("lexical")
    }

    /// The files of vectors of a route.
    pub fn vectors(&self, route: &str) -> PathBuf {
        self.root.join("vectors").join(route)
    }

    /// Page pictures and the like: deleting it only costs time.
    pub fn cache(&self) -> PathBuf {
        self.root.join("cache")
    }

    /// Logs of runs over this index.
    pub fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// The index's own copy of the file with this content.
    pub fn source(&self, hash: &ContentHash) -> PathBuf {
        let name = hash.as_str();
        self.sources().join(name.get(..2).unwrap_or("xx")).join(name)
    }

    fn sources(&self) -> PathBuf {
        self.root.join("sources")
    }

    /// Copies a file into the index, sharing blocks with the original where the file system can, and returns the hash
    /// of what was copied. A file that is there already, and whole, is left as it is.
    ///
    /// # Errors
    /// When the file can't be read or the index can't be written.
    pub fn keep_source(&self, file: &Path) -> Result<ContentHash> {
        let sources = self.sources();
        fs::create_dir_all(&sources).map_err(PageError::io(&sources))?;
        let temporary = sources.join(format!(".incoming-{}", std::process::id()));
        let copied = self.copy_and_name(file, &temporary);
        if copied.is_err() {
            // The copy's own failure is what the caller must hear of, not that of cleaning up after it.
            fs::remove_file(&temporary).ok();
        }
        copied
    }

    fn copy_and_name(&self, file: &Path, temporary: &Path) -> Result<ContentHash> {
        fs::remove_file(temporary).ok();
        reflink_copy::reflink_or_copy(file, temporary).map_err(PageError::io(file))?;
        let copy = File::open(temporary).map_err(PageError::io(temporary))?;
        let hash = ContentHash::of_reader(&copy).map_err(PageError::io(temporary))?;
        let target = self.source(&hash);
        let length = |file: &Path| fs::metadata(file).map(|metadata| metadata.len()).ok();
        if length(&target).is_some() && length(&target) == length(temporary) {
            fs::remove_file(temporary).map_err(PageError::io(temporary))?;
        } else {
            copy.sync_data().map_err(PageError::io(temporary))?;
            fs::create_dir_all(target.parent().unwrap_or(&self.root)).map_err(PageError::io(&target))?;
            fs::rename(temporary, &target).map_err(PageError::io(&target))?;
        }
        Ok(hash)
    }

    /// Removes every kept file that `is_live` does not want. Only the holder of the write lock may call this.
    ///
    /// # Errors
    /// When the directory can't be read or a file can't be removed.
    pub fn drop_sources(&self, is_live: impl Fn(&ContentHash) -> bool) -> Result<()> {
        let sources = self.sources();
        for shard in entries(&sources)? {
            if shard.is_file() {
                fs::remove_file(&shard).map_err(PageError::io(&shard))?;
                continue;
            }
            for file in entries(&shard)? {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                if !is_live(&ContentHash::from_hex(name)) {
                    fs::remove_file(&file).map_err(PageError::io(&file))?;
                }
            }
        }
        Ok(())
    }

    /// Removes every file of vectors, given by its route and name, that `is_live` does not want. Only the holder of the
    /// write lock may call this.
    ///
    /// # Errors
    /// When the directory can't be read or a file can't be removed.
    pub fn drop_vectors(&self, is_live: impl Fn(&str, &str) -> bool) -> Result<()> {
        for folder in entries(&self.root.join("vectors"))? {
            let route = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut left = 0;
            for file in entries(&folder)? {
                if is_live(&route, &file.file_name().unwrap_or_default().to_string_lossy()) {
                    left += 1;
                } else {
                    fs::remove_file(&file).map_err(PageError::io(&file))?;
                }
            }
            if left == 0 {
                fs::remove_dir(&folder).map_err(PageError::io(&folder))?;
            }
        }
        Ok(())
    }

    /// Takes the right to write, for as long as the returned file is held; the system gives it back if the process dies, and
    /// with it those that it was just starting, which takes a moment.
    ///
    /// # Errors
    /// [`PageError::Locked`], with the number of the process, if another one holds it.
    pub fn lock(&self) -> Result<File> {
        fs::create_dir_all(&self.root).map_err(PageError::io(&self.root))?;
        let path = self.root.join("LOCK");
        let file =
            OpenOptions::new().create(true).write(true).truncate(false).open(&path).map_err(PageError::io(&path))?;
        let mut taken = file.try_lock();
        for _ in 0..TRIES {
            if !matches!(taken, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(PAUSE);
            taken = file.try_lock();
        }
        match taken {
            Ok(()) => {
                // Only to be told: that it can't be written is no reason not to go on.
                file.set_len(0).and_then(|()| writeln!(&file, "{}", std::process::id())).ok();
                Ok(file)
            }
            Err(TryLockError::WouldBlock) => {
                let by = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
                Err(PageError::Locked { dir: self.root.clone(), by })
            }
            Err(TryLockError::Error(source)) => Err(PageError::Io { path, source }),
        }
    }
}

/// How often, and after which pause, the lock is tried again before somebody else is said to write.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(50);

fn entries(dir: &Path) -> Result<Vec<PathBuf>> {
    let listing = match fs::read_dir(dir) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(PageError::io(dir))?,
    };
    listing.map(|entry| Ok(entry.map_err(PageError::io(dir))?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_kept_once_by_content_and_dropped_when_unwanted() {
        let dir = tempfile::tempdir().unwrap();
        let index = IndexDir::new(dir.path().join("index"));
        let [a, b] = ["a.pdf", "b.pdf"].map(|name| dir.path().join(name));
        fs::write(&a, "same").unwrap();
        fs::write(&b, "same").unwrap();
        let hash = index.keep_source(&a).unwrap();
        assert_eq!(index.keep_source(&b).unwrap(), hash);
        assert_eq!(fs::read(index.source(&hash)).unwrap(), b"same");
        fs::write(index.source(&hash), "cut").unwrap();
        index.keep_source(&a).unwrap();
        assert_eq!(fs::read(index.source(&hash)).unwrap(), b"same");
        index.drop_sources(|h| *h == hash).unwrap();
        assert!(index.source(&hash).exists());
        index.drop_sources(|_| false).unwrap();
        assert!(!index.source(&hash).exists());
    }

    #[test]
    fn vectors_are_dropped_when_nothing_names_them() {
        let dir = tempfile::tempdir().unwrap();
        let index = IndexDir::new(dir.path().join("index"));
        index.drop_vectors(|_, _| false).unwrap();
        for (route, name) in [("dense", "a.seg"), ("dense", "b.tmp"), ("late", "a.seg")] {
            fs::create_dir_all(index.vectors(route)).unwrap();
            fs::write(index.vectors(route).join(name), "x").unwrap();
        }
        index.drop_vectors(|route, name| (route, name) == ("dense", "a.seg")).unwrap();
        assert!(index.vectors("dense").join("a.seg").exists());
        assert!(!index.vectors("dense").join("b.tmp").exists());
        assert!(!index.vectors("late").exists());
    }

    #[test]
    fn only_one_writer_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let index = IndexDir::new(dir.path());
        let held = index.lock().unwrap();
        let refused = index.lock().unwrap_err();
        assert!(
            refused.to_string().starts_with(&format!("another process (number {}) is writing", std::process::id())),
            "{refused}"
        );
        drop(held);
        assert!(index.lock().is_ok());
    }

    /// A process that was killed a moment ago may still hold it.
    #[test]
    fn a_lock_that_is_about_to_go_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let index = IndexDir::new(dir.path());
        let held = index.lock().unwrap();
        let going = std::thread::spawn(move || {
            std::thread::sleep(2 * PAUSE);
            drop(held);
        });
        assert!(index.lock().is_ok());
        going.join().unwrap();
    }
}
