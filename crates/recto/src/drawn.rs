//! Pictures of pages as language models are shown them: drawn by a few workers for all threads, and kept in the index's cache.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use recto_agent::pipeline;
use recto_model::ChatImage;
use recto_page::{Catalog, ContentHash, IndexDir, PageId, PageImage, Region};

use crate::config::Config;
use crate::corpus::Pictures;
use crate::picture;

/// The cache is emptied when it is found larger, and not filled further.
const MOST_BYTES: u64 = 2 << 30;
/// PNG files up to this size are not worth a try as JPEG.
const SMALL: usize = 200_000;

/// Draws for all threads.
pub(crate) struct Drawn {
    folder: PathBuf,
    /// Whoever draws and has nothing to do.
    idle: Mutex<Vec<Pictures>>,
    freed: Condvar,
    /// Bytes in the cache.
    kept: AtomicU64,
}

impl Drawn {
    /// As many draw at once as there are jobs; each starts when it is first needed.
    pub(crate) fn new(dir: &IndexDir, config: &Config) -> anyhow::Result<Self> {
        let folder = dir.cache().join("pages");
        let mut kept = size(&folder);
        if kept > MOST_BYTES {
            fs::remove_dir_all(&folder).ok();
            kept = 0;
        }
        let idle = (0..config.jobs.max(1)).map(|_| Pictures::new(dir, config, None)).collect::<anyhow::Result<_>>()?;
        Ok(Self { folder, idle: Mutex::new(idle), freed: Condvar::new(), kept: AtomicU64::new(kept) })
    }

    /// The pictures of the pages of an open index.
    pub(crate) const fn of<'a>(&'a self, catalog: &'a Catalog) -> Of<'a> {
        Of { drawn: self, catalog }
    }

    fn picture(&self, hash: &ContentHash, page: &PageId, region: Region, dpi: u32) -> Option<ChatImage> {
        let part = region.ltrb().map(|side| (side * 100_000.0).round() as u32);
        let [left, top, right, bottom] = part;
        let name = format!("{}-{}-{left}-{top}-{right}-{bottom}-{dpi}", hash.as_str(), page.page);
        let path = self.folder.join(name);
        if let Some(kept) = fs::read(&path).ok().and_then(|bytes| ChatImage::from_file(bytes).ok()) {
            return Some(kept);
        }
        let bytes = file(&self.draw(hash, page, region, dpi)?)?;
        self.keep(&path, &bytes);
        ChatImage::from_file(bytes).ok()
    }

    fn draw(&self, hash: &ContentHash, page: &PageId, region: Region, dpi: u32) -> Option<PageImage> {
        let lent = self.lend(hash);
        lent.pictures.as_ref()?.draw(hash, page.page, region, dpi).ok()
    }

    /// One that is idle, if possible one that has the file open.
    fn lend(&self, hash: &ContentHash) -> Lent<'_> {
        let mut idle = self.idle();
        loop {
            let open = idle.iter().position(|pictures| pictures.has_open(hash));
            if let Some(at) = open.or_else(|| idle.len().checked_sub(1)) {
                return Lent { drawn: self, pictures: Some(idle.swap_remove(at)) };
            }
            idle = self.freed.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A cache that can't be written only costs time.
    fn keep(&self, path: &Path, bytes: &[u8]) {
        let size = bytes.len() as u64;
        if self.kept.fetch_add(size, Ordering::Relaxed).saturating_add(size) > MOST_BYTES {
            return;
        }
        let write = || {
            fs::create_dir_all(&self.folder)?;
            let mut whole = tempfile::NamedTempFile::new_in(&self.folder)?;
            std::io::Write::write_all(&mut whole, bytes)?;
            whole.persist(path).map_err(|error| error.error)
        };
        write().ok();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Pictures>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One that draws; it goes back whatever happens.
struct Lent<'a> {
    drawn: &'a Drawn,
    pictures: Option<Pictures>,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.drawn.idle().extend(self.pictures.take());
        self.drawn.freed.notify_one();
    }
}

/// The pictures of one index.
pub(crate) struct Of<'a> {
    drawn: &'a Drawn,
    catalog: &'a Catalog,
}

impl pipeline::Pictures for Of<'_> {
    fn picture(&self, page: &PageId, region: Region, dpi: u32) -> Option<ChatImage> {
        let document = self.catalog.original(&page.doc).ok()?;
        let hash = document.hash.filter(|_| page.page.get() <= document.n_pages)?;
        self.drawn.picture(&hash, page, region, dpi)
    }
}

/// The smaller of a PNG and a JPEG file.
fn file(image: &PageImage) -> Option<Vec<u8>> {
    let png = picture::png(image).ok()?;
    if png.len() <= SMALL {
        return Some(png);
    }
    let jpeg = picture::jpeg(image).ok();
    jpeg.filter(|jpeg| jpeg.len() < png.len()).or(Some(png))
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}
