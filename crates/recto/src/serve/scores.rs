//! Scores of runs, kept as long as their files stay as they are: to score a run may take seconds, to show one must not.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use recto_bench::Evaluation;

use crate::commands::bench::score::{Scored, scored};

/// So many runs stay scored.
const KEPT: usize = 48;

/// A run as it was read, and the state of its files then.
type Read = (Stamp, Arc<Scored>);

type Stamp = Vec<Option<(u64, Option<SystemTime>)>>;

/// Scores by folder, with what the files were like.
#[derive(Clone, Default)]
pub(crate) struct Scores(Arc<Mutex<BTreeMap<PathBuf, Read>>>);

impl Scores {
    /// A run with its scores.
    ///
    /// # Errors
    /// When it can't be read, or is of a set that can't be.
    pub(crate) fn scored(&self, dir: &Path) -> anyhow::Result<Arc<Scored>> {
        let now = stamp(dir);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((then, scored)) = kept.get(dir)
            && *then == now
        {
            return Ok(Arc::clone(scored));
        }
        kept.remove(dir);
        if kept.len() >= KEPT {
            kept.pop_first();
        }
        drop(kept);
        let fresh = Arc::new(scored(dir, None, &wanted(dir))?);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(dir.into(), (now, Arc::clone(&fresh)));
        Ok(fresh)
    }
}

fn stamp(dir: &Path) -> Stamp {
    let of = |name: &str| fs::metadata(dir.join(name)).ok().map(|found| (found.len(), found.modified().ok()));
    ["config.json", "results.jsonl", "judgements.jsonl", "scores.json"].map(of).into()
}

/// The measures by which a run was scored last; none for those of its benchmark.
fn wanted(dir: &Path) -> Vec<String> {
    let scores = fs::read(dir.join("scores.json")).ok();
    let scores: Option<Evaluation> = scores.and_then(|text| serde_json::from_slice(&text).ok());
    scores.into_iter().flat_map(|scores| scores.measures).map(|scores| scores.measure.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_scored_anew_when_its_files_change() {
        let desk = tempfile::tempdir().unwrap();
        let (dir, set) = (desk.path().join("run"), desk.path().join("set.jsonl"));
        fs::create_dir_all(&dir).unwrap();
        let item = r#"{"id": "a", "question": "How many?", "answer": "7"}"#;
        fs::write(&set, format!("{item}\n")).unwrap();
        let config = serde_json::json!({
            "version": "", "set": "set", "set_path": set, "items_hash": "", "ids": null, "system": "offline", "index": null,
            "index_hash": null,
        });
        fs::write(dir.join("config.json"), config.to_string()).unwrap();
        let results = recto_bench::run_dir::results(&dir);
        fs::write(&results, "").unwrap();
        let scores = Scores::default();
        let first = scores.scored(&dir).unwrap();
        assert!(Arc::ptr_eq(&first, &scores.scored(&dir).unwrap()));
        fs::write(&results, "{\"id\": \"a\", \"outcome\": \"done\", \"answer\": \"7\"}\n").unwrap();
        let second = scores.scored(&dir).unwrap();
        assert_eq!((first.rows.len(), second.rows.len()), (0, 1));
    }
}
