//! The pictures that judges of citations look at: cited pages, drawn from the index of the run.

use std::path::Path;
use std::sync::Mutex;

use anyhow::Context;
use recto_bench::judge::{Picture, Shown};
use recto_bench::run_dir::RunConfig;
use recto_bench::{BenchmarkSet, Item};
use recto_page::{Catalog, ContentHash, IndexDir, PageImage, PageImages, Region};

use super::names::Names;
use crate::config::Config;
use crate::{corpus, picture};

/// Small print can be read.
const DPI: u32 = 144;
const RED: picture::Rgb = [255, 0, 0];
/// Width of the box around a place, in pixels, and its distance, as a fraction of the page.
const LINE: u32 = 3;
const GAP: f64 = 0.005;

/// Draws what judges are shown.
pub(super) struct Drawer {
    names: Names,
    pages: Mutex<corpus::Pictures>,
}

impl Drawer {
    /// Over the index that the run worked on, else the configured one.
    pub(super) fn new(run: &RunConfig, set: &BenchmarkSet, config: &Config) -> anyhow::Result<Self> {
        let dir = run.index.clone().map_or_else(|| IndexDir::new(config.index_of(".".as_ref())), IndexDir::new);
        let items: Vec<&Item> = set.items.iter().collect();
        let catalog = Catalog::open(&dir).context("cited pages are drawn from an index: --index DIR")?;
        let names = Names::new(&items, &catalog)?;
        Ok(Self { names, pages: Mutex::new(corpus::Pictures::new(&dir, config, None)?) })
    }

    pub(super) fn draw(&self, shown: &Picture) -> Result<PageImage, String> {
        let page = self.names.in_index(&shown.page).ok_or_else(|| format!("the index has no {}", shown.page.doc))?;
        let place = shown.region.unwrap_or(Region::FULL);
        let drawn = if shown.shown == Shown::Cut { place } else { Region::FULL };
        let pages = self.pages.lock().map_err(|_| "a page could not be drawn".to_owned())?;
        let mut image = pages.image(&page, drawn, DPI).map_err(|error| error.to_string())?;
        if shown.shown == Shown::Box {
            picture::outline(&mut image, around(place), RED, LINE);
        }
        Ok(image)
    }

    /// Draws a picture into `folder`, under a name that equal pictures share.
    pub(super) fn write(&self, shown: &Picture, folder: &Path) -> anyhow::Result<()> {
        let image = self.draw(shown).map_err(anyhow::Error::msg)?;
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        picture::write_png(&image, &folder.join(file_name(shown)))
    }
}

/// A little more than the place, so that the box covers none of it.
fn around(place: Region) -> Region {
    let [left, top, right, bottom] = place.ltrb().map(f64::from);
    Region::new(left - GAP, top - GAP, right + GAP, bottom + GAP)
}

/// The name of a picture's file.
pub(super) fn file_name(shown: &Picture) -> String {
    let text = serde_json::to_string(shown).unwrap_or_default();
    format!("{}.png", ContentHash::of(text.as_bytes()).as_str().get(..16).unwrap_or_default())
}
