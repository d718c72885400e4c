//! The files of vectors that a catalog names: many become few, and what is wrong with them is found.

use std::collections::{BTreeMap, BTreeSet};

use recto_page::IndexDir;
use recto_page::catalog::{CatalogWriter, StoredRoute, StoredSegment};
use recto_search::vectors::{self, PageKey, Published, Segment, VectorError};

/// So many files of one size are made one.
const MERGED_AT_ONCE: usize = 8;

/// Makes few files of many, and drops the vectors of pages that are gone where they are many.
pub(super) fn tidy(catalog: &CatalogWriter) -> anyhow::Result<()> {
    let dir = catalog.dir();
    let live: BTreeSet<PageKey> =
        catalog.page_keys()?.into_iter().map(|(version, n)| PageKey { version, number: n.get() }).collect();
    for StoredRoute { name: route, segments, .. } in catalog.routes()? {
        let open = |stored: StoredSegment| {
            let segment = Segment::open(&dir.vectors(&route).join(&stored.name))?;
            Ok::<_, VectorError>((stored, segment))
        };
        // What is damaged stays as it is: whoever searches it, or the doctor, will tell.
        let Ok(files) = segments.into_iter().map(open).collect::<Result<Vec<_>, _>>() else { continue };
        for group in to_merge(files, &live) {
            merge(&route, &group, &live, catalog)?;
        }
    }
    Ok(())
}

/// Writes one file in place of several.
fn merge(route: &str, group: &[File], live: &BTreeSet<PageKey>, catalog: &CatalogWriter) -> anyhow::Result<()> {
    let Some(((_, first), others)) = group.split_first() else { return Ok(()) };
    group.iter().try_for_each(|(old, _)| catalog.remove_segment(route, &old.name))?;
    let kept = group.iter().flat_map(|(_, segment)| segment.pages()).filter(|key| live.contains(key)).count();
    if kept > 0 {
        let others: Vec<&Segment> = others.iter().map(|(_, segment)| segment).collect();
        let merged = vectors::merge(first, &others, |key| live.contains(&key), &catalog.dir().vectors(route))?;
        catalog.add_segment(route, &stored(&merged, kept))?;
    }
    Ok(())
}

/// A file that the catalog names.
type File = (StoredSegment, Segment);

/// Groups of files that are to become one each: many of one size, and single ones whose pages are mostly gone.
fn to_merge(files: Vec<File>, live: &BTreeSet<PageKey>) -> Vec<Vec<File>> {
    let is_dead = |segment: &Segment| 2 * segment.pages().filter(|key| live.contains(key)).count() < segment.len();
    let mut classes: BTreeMap<u32, Vec<File>> = BTreeMap::new();
    for file in files {
        classes.entry(vectors::class(&file.1)).or_default().push(file);
    }
    let mut groups = Vec::new();
    for (class, files) in classes {
        if class != vectors::LARGEST && files.len() >= MERGED_AT_ONCE {
            groups.push(files);
        } else {
            groups.extend(files.into_iter().filter(|(_, segment)| is_dead(segment)).map(|file| vec![file]));
        }
    }
    groups
}

/// How the catalog names a file of so many pages.
pub(super) fn stored(published: &Published, pages: usize) -> StoredSegment {
    let name = published.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    StoredSegment { name, hash: hex(&published.hash), pages: pages as u64 }
}

/// As the catalog writes hashes of files.
fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What is wrong with the files of a route: hashes, numbers of pages, pages that are lacking or there twice.
pub(crate) fn damages(
    dir: &IndexDir,
    stored: &StoredRoute,
    pages: &BTreeSet<PageKey>,
) -> Result<Vec<String>, VectorError> {
    let mut damages = Vec::new();
    let mut seen = BTreeSet::new();
    for StoredSegment { name, hash, pages } in &stored.segments {
        let segment = Segment::open(&dir.vectors(&stored.name).join(name))?;
        segment.verify()?;
        if hex(&segment.hash()) != *hash || segment.len() as u64 != *pages {
            damages.push(format!("{name} of the route {} is not the file that was written", stored.name));
        }
        let twice = segment.pages().filter(|key| !seen.insert(*key)).count();
        if twice > 0 {
            damages.push(format!("{twice} pages of {name} are in another file of the route {} too", stored.name));
        }
    }
    let lacking = pages.difference(&seen).count();
    if lacking > 0 && stored.complete {
        damages.push(format!("the route {} lacks {lacking} pages", stored.name));
    }
    Ok(damages)
}
