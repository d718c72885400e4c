//! The folder of a run: what was run (`config.json`), what came out (`results.jsonl`) and how long it took
//! (`timings.jsonl`, apart, so that equal runs have equal results).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use recto_page::ContentHash;
use serde::{Deserialize, Serialize};

use crate::error::{BenchError, Result};
use crate::item::Item;
use crate::row::{FaultClass, Row};
use crate::runner::Timed;

/// What was run. Two runs of equal configuration give equal results, as far as their system does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunConfig {
    /// The program's version.
    pub version: String,
    /// The benchmark's name.
    pub set: String,
    /// Where its files are.
    pub set_path: PathBuf,
    /// Hash of the items that are asked.
    pub items_hash: String,
    /// The items that are asked; `None`: all of the set.
    pub ids: Option<Vec<String>>,
    /// The system, as the user names it.
    pub system: String,
    /// The index it works on, if any.
    pub index: Option<PathBuf>,
    /// Hash of what that index holds.
    pub index_hash: Option<String>,
}

/// How long an item took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Timing {
    /// The item's id.
    pub id: String,
    /// Wall time in seconds.
    pub seconds: f64,
}

/// The hash of items, for [`RunConfig::items_hash`].
pub fn hash_of(items: &[&Item]) -> String {
    let text = serde_json::to_string(items).unwrap_or_default();
    ContentHash::of(text.as_bytes()).as_str().into()
}

/// A run on its way. Rows are on their way to the disk as soon as they are there, so a killed run loses none.
#[derive(Debug)]
pub struct RunDir {
    dir: PathBuf,
    results: File,
    timings: File,
    rows: BTreeMap<String, Row>,
}

/// Whether a folder holds a run.
pub fn holds_run(dir: &Path) -> bool {
    dir.join("config.json").is_file()
}

/// The configuration of a run.
///
/// # Errors
/// When the folder holds no run, or its configuration can't be read.
pub fn config(dir: &Path) -> Result<RunConfig> {
    let file = dir.join("config.json");
    let text = fs::read_to_string(&file).map_err(BenchError::io(&file))?;
    serde_json::from_str(&text).map_err(|error| BenchError::row(&file, error.line(), error))
}

/// Where the rows of a run are.
pub fn results(dir: &Path) -> PathBuf {
    dir.join("results.jsonl")
}

/// How long the items of a run took, by id; empty if nobody noted it.
pub fn timings(dir: &Path) -> BTreeMap<String, f64> {
    let text = fs::read_to_string(dir.join("timings.jsonl")).unwrap_or_default();
    let timings = text.lines().filter_map(|line| serde_json::from_str::<Timing>(line).ok());
    timings.map(|timing| (timing.id, timing.seconds)).collect()
}

impl RunDir {
    /// Begins a run, or goes on with one of the same configuration. Rows that failed with a fault of `retry` are asked
    /// again, and so is a row that a killed run left torn.
    ///
    /// # Errors
    /// When the folder holds a run of another configuration, another process writes to it, or it can't be written.
    pub fn open(dir: &Path, config: &RunConfig, retry: &BTreeSet<FaultClass>) -> Result<Self> {
        fs::create_dir_all(dir).map_err(BenchError::io(dir))?;
        // Of the files of a run this is the one that is never replaced.
        let timings = append(&dir.join("timings.jsonl"))?;
        if let Err(TryLockError::WouldBlock) = timings.try_lock() {
            return Err(BenchError::Busy { dir: dir.into() });
        }
        let file = dir.join("config.json");
        match fs::exists(&file).map_err(BenchError::io(&file))? {
            true if self::config(dir)? != *config => return Err(BenchError::OtherRun { dir: dir.into() }),
            true => {}
            false => {
                let text = serde_json::to_string_pretty(config).unwrap_or_default() + "\n";
                write_atomically(&file, |out| out.write_all(text.as_bytes()))?;
            }
        }
        let mut rows = BTreeMap::new();
        for row in complete_rows(&results(dir))? {
            if !row.fault.as_ref().is_some_and(|fault| retry.contains(&fault.class)) {
                rows.insert(row.id.clone(), row);
            }
        }
        write_atomically(&results(dir), |out| rows.values().try_for_each(|row| write_line(out, row)))?;
        Ok(Self { dir: dir.into(), results: append(&results(dir))?, timings, rows })
    }

    /// Whether an item has its row.
    pub fn has(&self, id: &str) -> bool {
        self.rows.contains_key(id)
    }

    /// The row of an item, if it has one.
    pub fn row(&self, id: &str) -> Option<&Row> {
        self.rows.get(id)
    }

    /// Adds a row, or puts it in place of the one that its item has.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn put(&mut self, timed: Timed) -> Result<()> {
        if !self.has(&timed.row.id) {
            return self.add(timed);
        }
        let mut rows = self.rows.clone();
        let timing = Timing { id: timed.row.id.clone(), seconds: timed.time.as_secs_f64() };
        rows.insert(timed.row.id.clone(), timed.row);
        let file = results(&self.dir);
        write_atomically(&file, |out| rows.values().try_for_each(|row| write_line(out, row)))?;
        self.rows = rows;
        self.results = append(&file)?;
        write_line(&mut self.timings, &timing).map_err(BenchError::io(&self.dir))
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn add(&mut self, timed: Timed) -> Result<()> {
        let Timed { row, time } = timed;
        write_line(&mut self.results, &row).map_err(BenchError::io(results(&self.dir)))?;
        let timing = Timing { id: row.id.clone(), seconds: time.as_secs_f64() };
        write_line(&mut self.timings, &timing).map_err(BenchError::io(&self.dir))?;
        self.rows.insert(row.id.clone(), row);
        Ok(())
    }

    /// Puts the rows in the order of the items.
    ///
    /// # Errors
    /// When they can't be written.
    pub fn finish(self, items: &[&Item]) -> Result<()> {
        let rows = items.iter().filter_map(|item| self.rows.get(&item.id));
        write_atomically(&results(&self.dir), |out| rows.clone().try_for_each(|row| write_line(out, row)))
    }
}

fn append(file: &Path) -> Result<File> {
    OpenOptions::new().create(true).append(true).open(file).map_err(BenchError::io(file))
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// The rows that a run wrote; a last line without its end was torn by a kill and is none.
fn complete_rows(file: &Path) -> Result<Vec<Row>> {
    let Ok(open) = File::open(file) else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    let (mut reader, mut line) = (BufReader::new(open), String::new());
    while reader.read_line(&mut line).map_err(BenchError::io(file))? > 0 {
        if line.ends_with('\n') {
            let row = serde_json::from_str(&line).map_err(|error| BenchError::row(file, rows.len() + 1, error));
            rows.push(row?);
        }
        line.clear();
    }
    Ok(rows)
}

fn write_atomically(file: &Path, write: impl Fn(&mut BufWriter<File>) -> std::io::Result<()>) -> Result<()> {
    let new = file.with_extension("new");
    let written = File::create(&new).and_then(|open| {
        let mut out = BufWriter::new(open);
        write(&mut out)?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&new, file)
    });
    written.map_err(BenchError::io(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_writes_to_a_run() {
        let dir = tempfile::tempdir().unwrap();
        let config = RunConfig {
            version: "1".into(),
            set: "own".into(),
            set_path: "own.jsonl".into(),
            items_hash: String::new(),
            ids: None,
            system: "offline".into(),
            index: None,
            index_hash: None,
        };
        let open = || RunDir::open(dir.path(), &config, &BTreeSet::new());
        let first = open().unwrap();
        assert!(matches!(open(), Err(BenchError::Busy { .. })));
        drop(first);
        assert!(open().is_ok());
    }
}
