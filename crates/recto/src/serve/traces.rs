//! Episodes that were kept: those that were played here, in the index's `episodes/`, and those in the folder of runs. Read
//! when they are asked for; a list reads only as many as it shows.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use recto_agent::handle::{CropHandle, ImageHandle, PageHandle};
use recto_agent::trajectory::Trajectory;
use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::fault::Fault;
use super::state::Collection;

/// Episodes that were played here and are kept.
const KEPT: usize = 200;

/// An episode, and the pages that its handles stand for.
pub(crate) struct Trace {
    pub(crate) trajectory: Trajectory,
    pub(crate) pages: BTreeMap<PageHandle, PageId>,
}

/// A folder with an episode.
pub(crate) struct Folder {
    pub(crate) id: String,
    path: PathBuf,
    /// When it was written, in seconds since 1970.
    pub(crate) written: f64,
}

/// A line of the mapping that `recto episode` writes beside the trajectory.
#[derive(Deserialize)]
struct Mapped {
    page_handle: PageHandle,
    doc: DocId,
    page: PageNumber,
}

/// Where a new episode of this id is kept; the oldest go.
pub(crate) fn place(collection: &Collection, id: &str) -> PathBuf {
    let own = own(collection);
    let kept = folders_in(&own);
    for folder in kept.iter().skip(KEPT.saturating_sub(1)) {
        fs::remove_dir_all(&folder.path).ok();
    }
    own.join(id)
}

/// All episodes, the newest first.
pub(crate) fn all(collection: &Collection) -> Vec<Folder> {
    let mut folders = folders_in(&own(collection));
    folders.extend(collection.runs.as_deref().map(folders_in).unwrap_or_default());
    folders.sort_by(|a, b| b.written.total_cmp(&a.written).then_with(|| a.id.cmp(&b.id)));
    folders
}

/// Reads an episode.
///
/// # Errors
/// 404 if there is none of this id; when it can't be read.
pub(crate) fn open(collection: &Collection, id: &str) -> anyhow::Result<Trace> {
    let none = || Fault::not_found("episode");
    if !is_plain(id) {
        return Err(none().into());
    }
    let roots = std::iter::once(own(collection)).chain(collection.runs.clone());
    let folder = roots.map(|root| root.join(id)).find(|folder| file(folder).is_file()).ok_or_else(none)?;
    Folder { id: id.into(), path: folder, written: 0.0 }.read()
}

/// True for the name of a folder that leads nowhere else.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
        && !name.contains('\\')
}

impl Folder {
    /// Reads the episode.
    pub(crate) fn read(&self) -> anyhow::Result<Trace> {
        let path = file(&self.path);
        let context = || format!("episode {}", self.id);
        let mut line = String::new();
        BufReader::new(fs::File::open(&path).with_context(context)?).read_line(&mut line).with_context(context)?;
        let trajectory = serde_json::from_str(&line).with_context(context)?;
        Ok(Trace { pages: self.pages(&used(&trajectory)), trajectory })
    }

    /// The pages of these handles.
    fn pages(&self, used: &std::collections::BTreeSet<PageHandle>) -> BTreeMap<PageHandle, PageId> {
        let Ok(file) = fs::File::open(self.path.join("page_handle_mapping.internal.jsonl")) else {
            return BTreeMap::new();
        };
        let lines = BufReader::new(file).lines().map_while(Result::ok);
        let mapped = lines.filter_map(|line| serde_json::from_str::<Mapped>(&line).ok());
        let used = mapped.filter(|mapped| used.contains(&mapped.page_handle));
        used.map(|mapped| (mapped.page_handle, PageId::new(mapped.doc, mapped.page))).collect()
    }
}

fn own(collection: &Collection) -> PathBuf {
    collection.library.dir().root().join("episodes")
}

fn file(folder: &Path) -> PathBuf {
    folder.join("trajectory.jsonl")
}

fn folders_in(root: &Path) -> Vec<Folder> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let folder = |entry: fs::DirEntry| {
        let written = file(&entry.path()).metadata().ok()?.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let written = written.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        Some(Folder { id: entry.file_name().into_string().ok()?, path: entry.path(), written })
    };
    let mut folders: Vec<Folder> = entries.filter_map(folder).collect();
    folders.sort_by(|a, b| b.written.total_cmp(&a.written).then_with(|| a.id.cmp(&b.id)));
    folders
}

/// Every handle that stands in an episode.
fn used(trajectory: &Trajectory) -> std::collections::BTreeSet<PageHandle> {
    let mut used = std::collections::BTreeSet::new();
    for answer in &trajectory.submission.ranked_answers {
        used.insert(answer.page_handle);
        used.extend(answer.evidence_page_handles.iter().copied());
    }
    let rows = trajectory.steps.iter().filter_map(|step| step.call.as_ref()).chain(&trajectory.shown_first);
    for row in rows {
        used.extend(row.artifacts.iter().map(|image| page_of(*image)));
        if let recto_agent::observation::Observation::Found { results, .. } = &row.observation {
            used.extend(results.iter().map(|hit| hit.page_handle));
        }
        if let recto_agent::observation::Observation::PageText { page_handle, .. } = &row.observation {
            used.insert(*page_handle);
        }
    }
    used
}

/// The page that a picture is of.
pub(crate) fn page_of(image: ImageHandle) -> PageHandle {
    match image {
        ImageHandle::Page(page) | ImageHandle::Crop(CropHandle { page, .. }) => page,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for name in ["a", "0123abc", "run 1", "水"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", ".", "..", "a/b", "/a", "a/..", "../a", "a\\b", "./a", "a/"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
