//! Pictures of pages as language models are shown them: drawn by a few workers for all threads, and kept in the index's cache.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use recto_agent::pipeline;
use recto_model::ChatImage;
use recto_page::{Catalog, ContentHash, IndexDir, PageId, PageImage, Region};

use crate::config::Config;
use crate::corpus::Pictures;
use crate::picture;
use crate::picture_cache::PictureCache;
use crate::undrawn::Undrawn;

/// Room for pictures that are kept.
const MOST_BYTES: u64 = 2 << 30;
/// PNG files up to this size are not worth a try as JPEG.
const SMALL: usize = 200_000;

/// Draws for all threads.
pub(crate) struct Drawn {
    kept: PictureCache,
    /// Whoever draws and has nothing to do.
    idle: Mutex<Vec<Pictures>>,
    freed: Condvar,
}

impl Drawn {
    /// As many draw at once as there are jobs; each starts when it is first needed.
    pub(crate) fn new(dir: &IndexDir, config: &Config) -> anyhow::Result<Self> {
        let kept = PictureCache::new(dir.cache().join("shown"), MOST_BYTES);
        let undrawn = Arc::<Undrawn>::default();
        let pictures = |_| Ok(Pictures::new(dir, config, None)?.knowing(&undrawn));
        let idle = (0..config.jobs.max(1)).map(pictures).collect::<anyhow::Result<_>>()?;
        Ok(Self { kept, idle: Mutex::new(idle), freed: Condvar::new() })
    }

    /// The pictures of the pages of an open index.
    pub(crate) const fn of<'a>(&'a self, catalog: &'a Catalog) -> Of<'a> {
        Of { drawn: self, catalog }
    }

    fn picture(&self, hash: &ContentHash, page: &PageId, region: Region, dpi: u32) -> Option<ChatImage> {
        let part = region.ltrb().map(|side| (side * 100_000.0).round() as u32);
        let [left, top, right, bottom] = part;
        let name = format!("{}-{}-{left}-{top}-{right}-{bottom}-{dpi}", hash.as_str(), page.page);
        let key = ContentHash::of(name.as_bytes());
        if let Some(kept) = self.kept.get(&key).and_then(|bytes| ChatImage::from_file(bytes).ok()) {
            return Some(kept);
        }
        let bytes = file(&self.draw(hash, page, region, dpi)?)?;
        self.kept.keep(&key, &bytes);
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
