//! The output file of a batch: rows are appended and flushed as they come, and put in order at the end.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::queries::Query;
use crate::exit::usage;

/// An answer as the contract has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    pub(super) query_id: String,
    pub(super) answer: String,
    /// 1-based, sorted, each once.
    pub(super) pages: Vec<u32>,
}

impl Row {
    /// A clean decline.
    pub(super) fn decline(query_id: &str) -> Self {
        Self { query_id: query_id.into(), answer: recto_agent::DECLINE.into(), pages: Vec::new() }
    }
}

/// The rows that exist, in memory and on disk.
pub(super) struct Rows {
    path: PathBuf,
    file: File,
    rows: BTreeMap<String, Row>,
}

impl Rows {
    /// Opens the output for more rows. Rows of an earlier run are kept if `wanted`; torn and foreign ones are not.
    pub(super) fn open(path: &Path, wanted: impl Fn(&str) -> bool) -> anyhow::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), fs::create_dir_all).with_context(|| path.display().to_string())?;
        let path = &path.canonicalize().unwrap_or_else(|_| path.into());
        let mut rows = BTreeMap::new();
        for line in answers(path)?.lines() {
            if let Ok(row) = serde_json::from_str::<Row>(line)
                && wanted(&row.query_id)
            {
                // The last one counts: a question that failed may have been tried again.
                rows.insert(row.query_id.clone(), row);
            }
        }
        write_atomically(path, rows.values())?;
        let file = OpenOptions::new().append(true).open(path).with_context(|| path.display().to_string())?;
        Ok(Self { path: path.into(), file, rows })
    }

    pub(super) fn has(&self, query_id: &str) -> bool {
        self.rows.contains_key(query_id)
    }

    /// Adds a row; it is on its way to the disk when this returns.
    pub(super) fn add(&mut self, row: Row) -> anyhow::Result<()> {
        let mut line = serde_json::to_string(&row)?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).with_context(|| self.path.display().to_string())?;
        self.rows.insert(row.query_id.clone(), row);
        Ok(())
    }

    /// Rewrites the file in the order of the questions.
    pub(super) fn finish(self, queries: &[Query]) -> anyhow::Result<()> {
        write_atomically(&self.path, queries.iter().filter_map(|query| self.rows.get(&query.id)))
    }
}

/// The text of an output that may be there already. A file of something else is not to be overwritten.
fn answers(path: &Path) -> anyhow::Result<String> {
    match fs::metadata(path) {
        Err(_) => return Ok(String::new()),
        Ok(metadata) if !metadata.is_file() => {
            return Err(usage(format!("--output {}: it is no regular file", path.display())));
        }
        Ok(_) => {}
    }
    let text = String::from_utf8_lossy(&fs::read(path).with_context(|| path.display().to_string())?).into_owned();
    let is_row = |line: &str| serde_json::from_str::<Row>(line).is_ok();
    // The only line of a run that was killed early may be torn.
    let is_torn = text.lines().count() == 1 && text.starts_with("{\"query_id\":");
    if text.trim().is_empty() || text.lines().any(is_row) || is_torn {
        return Ok(text);
    }
    Err(usage(format!("--output {}: it holds something else than answers; name another file", path.display())))
}

fn write_atomically<'a>(path: &Path, rows: impl Iterator<Item = &'a Row>) -> anyhow::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let mut text = String::new();
    for row in rows {
        text.push_str(&serde_json::to_string(row)?);
        text.push('\n');
    }
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        fs::rename(&temporary, path)
    };
    write().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_killed_run_goes_on_and_ends_in_the_order_of_the_questions() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out/answers.jsonl");
        let row = |id: &str| Row { pages: vec![1], ..Row::decline(id) };
        let mut rows = Rows::open(&path, |_| true).unwrap();
        rows.add(row("b")).unwrap();
        rows.add(row("foreign")).unwrap();
        drop(rows);
        let torn = fs::read_to_string(&path).unwrap() + "{\"query_id\": \"a\", \"answ";
        fs::write(&path, torn).unwrap();
        let mut rows = Rows::open(&path, |id| id != "foreign").unwrap();
        assert!(rows.has("b") && !rows.has("a") && !rows.has("foreign"));
        rows.add(row("a")).unwrap();
        let query = |id: &str| Query { id: id.into(), doc: None, question: Ok("?".into()) };
        rows.finish(&[query("a"), query("b")]).unwrap();
        let ids: Vec<String> = fs::read_to_string(&path)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<Row>(line).unwrap().query_id)
            .collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(fs::read_dir(dir.path().join("out")).unwrap().count(), 1);
    }
}
