//! Pictures of the pages that a report speaks of, in a folder beside it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use recto_bench::report::Pictures;
use recto_bench::{BenchmarkSet, Item};
use recto_page::{Catalog, ContentHash, IndexDir, PageId, PageImages, Region};

use super::names::Names;
use super::score::Scored;
use crate::config::Config;
use crate::exit::usage;
use crate::{corpus, output, picture};

/// Enough to read a page at a glance.
const DPI: u32 = 72;

/// Draws the right pages of all items and those that `runs` cite; where they are, as the report at `out` names it. A page
/// that can't be drawn is told and left out.
pub(super) fn draw(set: &BenchmarkSet, runs: &[Scored], out: &Path, config: &Config) -> anyhow::Result<Pictures> {
    let index = runs.iter().find_map(|run| run.config.index.as_ref());
    let dir = IndexDir::new(index.ok_or_else(|| usage("--pictures: none of the runs worked on an index"))?);
    let items: Vec<&Item> = set.items.iter().collect();
    let names = Names::new(&items, &Catalog::open(&dir)?)?;
    let folder = beside(out, "pages");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let images = corpus::Pictures::new(&dir, config, None)?;
    let mut pictures = Pictures::new();
    for page in spoken_of(set, runs) {
        let file = folder.join(file_name(&page));
        match names.in_index(&page).map(|inside| images.image(&inside, Region::FULL, DPI)) {
            Some(Ok(image)) => picture::write_png(&image, &file)?,
            Some(Err(why)) => {
                output::note(format_args!("{page}: {why}"));
                continue;
            }
            None => continue,
        }
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        pictures.insert(page, format!("{}/{}", name(&folder), name(&file)));
    }
    Ok(pictures)
}

fn spoken_of(set: &BenchmarkSet, runs: &[Scored]) -> BTreeSet<PageId> {
    let right = set.items.iter().flat_map(|item| item.gold.relevant()).cloned();
    right.chain(runs.iter().flat_map(|run| run.rows.values()).flat_map(|row| row.pages.iter().cloned())).collect()
}

/// A folder beside a file: `web/report-pages` beside `web/report.html`.
pub(super) fn beside(out: &Path, what: &str) -> PathBuf {
    let stem = out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    out.with_file_name(format!("{stem}-{what}"))
}

/// Distinct for distinct documents, and no document's name can lead out of the folder or into the page's markup.
fn file_name(page: &PageId) -> String {
    let hash = ContentHash::of(page.doc.as_str().as_bytes());
    format!("{}-{}.png", hash.as_str().get(..12).unwrap_or_default(), page.page)
}
