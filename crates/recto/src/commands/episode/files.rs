//! The folder of an episode: where it stands, what came of it, and the pictures that were shown.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use recto_agent::episode::Episode;
use recto_agent::handle::{ImageHandle, page_name};
use recto_agent::planner::Shown;
use recto_agent::prediction;
use recto_agent::trajectory::{Trajectory, atif};
use recto_page::IndexDir;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::exit::usage;
use crate::picture;
use crate::tools::CorpusTools;

/// An episode's folder.
pub(super) struct Files {
    folder: PathBuf,
    /// True if the user named the folder: what comes out is kept there. Else it holds pictures while they are needed.
    kept: bool,
    fingerprint: String,
}

/// Where an episode stands.
#[derive(Serialize, Deserialize)]
struct Stored {
    fingerprint: String,
    episode: Episode,
}

impl Files {
    /// The folder that the user names, else one in the index's cache.
    pub(super) fn open(named: Option<&Path>, dir: &IndexDir, fingerprint: &str) -> anyhow::Result<Self> {
        let short = fingerprint.get(..12).unwrap_or_default();
        let folder = named.map_or_else(|| dir.cache().join("episodes").join(short), Path::to_owned);
        if named.is_some() {
            fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        Ok(Self { folder, kept: named.is_some(), fingerprint: fingerprint.into() })
    }

    /// The episode that was begun here, if it is to go on.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) if it is another one.
    pub(super) fn stored(&self) -> anyhow::Result<Option<Episode>> {
        let path = self.state();
        if !self.kept || !path.exists() {
            return Ok(None);
        }
        let context = || path.display().to_string();
        let stored: Stored = serde_json::from_slice(&fs::read(&path).with_context(context)?).with_context(context)?;
        if stored.fingerprint != self.fingerprint {
            let folder = self.folder.display();
            return Err(usage(format!(
                "{folder} holds another episode: task, rules, planner, prompts or index differ; give another --out"
            )));
        }
        Ok(Some(stored.episode))
    }

    /// Keeps an episode after a step. One that could not reach its planner is not kept: the same step is tried again.
    pub(super) fn store(&self, episode: &Episode) -> anyhow::Result<()> {
        if !self.kept || episode.end.as_ref().is_some_and(|end| end.status.is_recoverable()) {
            return Ok(());
        }
        let stored = json!({"fingerprint": self.fingerprint, "episode": episode});
        replace(&self.state(), &stored.to_string())
    }

    /// Writes everything that came of an episode, where the user wants it.
    pub(super) fn write(
        &self,
        episode: &Episode,
        trajectory: &Trajectory,
        tools: &CorpusTools<'_>,
    ) -> anyhow::Result<()> {
        if !self.kept {
            return Ok(());
        }
        self.write_row(&json!(prediction::row(episode, &trajectory.id, &self.fingerprint)))?;
        let line = |(handle, page): (_, &recto_page::PageId)| {
            json!({"page_handle": handle, "page_id": page_name(page), "doc": page.doc, "page": page.page}).to_string()
                + "\n"
        };
        let mapping: String = tools.space.iter().map(line).collect();
        replace(&self.folder.join("page_handle_mapping.internal.jsonl"), &mapping)?;
        replace(&self.folder.join("trajectory.jsonl"), &format!("{}\n", serde_json::to_string(trajectory)?))?;
        let image = |handle: ImageHandle| {
            let path = image_path(handle);
            self.folder.join(&path).exists().then_some(path)
        };
        replace(&self.folder.join("trajectory.atif.json"), &serde_json::to_string_pretty(&atif(trajectory, &image))?)
    }

    /// Writes the one prediction.
    pub(super) fn write_row(&self, row: &Value) -> anyhow::Result<()> {
        if !self.kept {
            return Ok(());
        }
        replace(&self.folder.join("predictions.jsonl"), &format!("{row}\n"))
    }

    /// Saves a picture and gives its path.
    pub(super) fn picture(&self, shown: &Shown) -> anyhow::Result<String> {
        let path = std::path::absolute(self.folder.join(image_path(shown.handle)))?;
        if !path.exists() {
            let folder = self.folder.join("images");
            fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
            picture::write_png(&shown.image, &path)?;
        }
        Ok(path.display().to_string())
    }

    fn state(&self) -> PathBuf {
        self.folder.join("episode.json")
    }
}

/// Adds a line of JSON to a file unless it is there: what is run again after its end tells the same again. A line that
/// was broken off before stays by itself.
pub(crate) fn append(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let context = || path.display().to_string();
    let line = serde_json::to_string(value)?;
    let mut before = "";
    if path.is_file() {
        for known in BufReader::new(File::open(path).with_context(context)?).split(b'\n') {
            if known.with_context(context)? == line.as_bytes() {
                return Ok(());
            }
        }
        before = if ends_its_line(path).with_context(context)? { "" } else { "\n" };
    }
    writeln!(appendable(path)?, "{before}{line}").with_context(context)
}

/// Whether lines can be added to a file, to be known before the work that is to be kept there. A pipe is opened once, when
/// there is something to say: who reads it may go when it is closed.
///
/// # Errors
/// When it can't be made or written.
pub(crate) fn check_appendable(path: &Path) -> anyhow::Result<()> {
    let is_special = path.exists() && !path.is_file() && !path.is_dir();
    if is_special { Ok(()) } else { appendable(path).map(drop) }
}

fn appendable(path: &Path) -> anyhow::Result<File> {
    let context = || path.display().to_string();
    path.parent().map_or(Ok(()), fs::create_dir_all).with_context(context)?;
    OpenOptions::new().create(true).append(true).open(path).with_context(context)
}

fn ends_its_line(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == *b"\n")
}

fn image_path(handle: ImageHandle) -> String {
    format!("images/{handle}.png")
}

/// Writes a file so that it is whole or as before.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(|| folder.display().to_string())?;
    file.write_all(text.as_bytes())?;
    file.persist(path).with_context(|| path.display().to_string())?;
    Ok(())
}
