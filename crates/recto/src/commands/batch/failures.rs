//! Questions that failed in the last run over an output file: the next run tries them again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use recto_page::{ContentHash, IndexDir};
use serde::{Deserialize, Serialize};

/// The questions that failed, by their names, in memory and on disk.
pub(super) struct Failures {
    path: PathBuf,
    failed: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct Failure {
    query_id: String,
    why: String,
}

impl Failures {
    /// Those of the last run that are asked in this one.
    pub(super) fn load(dir: &IndexDir, output: &Path, asked: &BTreeSet<&str>) -> Self {
        let output = std::path::absolute(output).unwrap_or_else(|_| output.into());
        let hash = ContentHash::of(output.as_os_str().as_encoded_bytes());
        let path = dir.logs().join(format!("failed-{}.jsonl", hash.as_str().get(..12).unwrap_or_default()));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let failures = text.lines().filter_map(|line| serde_json::from_str::<Failure>(line).ok());
        let failures = failures.filter(|failure| asked.contains(failure.query_id.as_str()));
        Self { path, failed: failures.map(|failure| (failure.query_id, failure.why)).collect() }
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.failed.contains_key(id)
    }

    /// Notes why a question failed, at once, or that it did not.
    pub(super) fn note(&mut self, id: &str, why: Option<&str>) -> anyhow::Result<()> {
        let Some(why) = why else {
            self.failed.remove(id);
            return Ok(());
        };
        self.failed.insert(id.into(), why.into());
        let file = self.folder().and_then(|()| fs::OpenOptions::new().create(true).append(true).open(&self.path));
        file.and_then(|mut file| file.write_all(line(id, why)?.as_bytes()))
            .with_context(|| self.path.display().to_string())
    }

    /// Leaves those that failed to the end, and how many they are.
    pub(super) fn finish(self) -> usize {
        if self.failed.is_empty() {
            fs::remove_file(&self.path).ok();
            return 0;
        }
        let lines = self.failed.iter().map(|(id, why)| line(id, why));
        let write = || fs::write(&self.path, lines.collect::<std::io::Result<String>>()?);
        // A folder that can't be written was told of when the question failed.
        write().ok();
        self.failed.len()
    }

    fn folder(&self) -> std::io::Result<()> {
        self.path.parent().map_or(Ok(()), fs::create_dir_all)
    }
}

fn line(id: &str, why: &str) -> std::io::Result<String> {
    Ok(serde_json::to_string(&Failure { query_id: id.into(), why: why.into() })? + "\n")
}
