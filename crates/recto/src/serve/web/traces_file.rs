//! Files of traces: which there are, and what each of their lines is about, read without keeping what the steps hold.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Context;
use recto_agent::budget::Spent;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::runs_kept::folders;
use super::traces_read::Trace;
use crate::library::Shelf;
use crate::serve::fault::Fault;

/// Traces that stay read, and files of which it is known what their lines are.
const KEPT: (usize, usize) = (6, 512);
/// How a line of a trace begins, but for white space.
const BEGINS: &str = "{\"schema_version\":\"recto.";
/// A line longer than this is not read.
const LONGEST: u64 = 2 << 30;

/// What a line is about.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) at: u64,
    pub(super) bytes: u64,
    pub(super) head: Head,
}

/// The beginning and the end of a trace, without its steps.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Head {
    #[serde(default, alias = "question")]
    pub(super) task: String,
    #[serde(default)]
    pub(super) planner: String,
    #[serde(default)]
    pub(super) status: Option<String>,
    #[serde(default, rename = "steps", deserialize_with = "counted")]
    pub(super) n_steps: usize,
    #[serde(default)]
    pub(super) spent: Spent,
}

fn counted<'de, D: serde::Deserializer<'de>>(list: D) -> Result<usize, D::Error> {
    Vec::<IgnoredAny>::deserialize(list).map(|steps| steps.len())
}

/// A file of traces: its name below the folders that are served, and where it is.
#[derive(Clone, Debug)]
pub(super) struct TraceFile {
    pub(super) name: String,
    pub(super) path: PathBuf,
}

type Stamp = (u64, Option<SystemTime>);
type Lines = Arc<Vec<Line>>;

/// What was read of files, as long as they stay as they are.
#[derive(Clone, Default)]
pub(super) struct Shelves(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    lines: BTreeMap<PathBuf, (Stamp, Lines)>,
    /// The one read last is the last one.
    traces: Vec<((PathBuf, usize, Stamp), Arc<Trace>)>,
}

/// Every file of traces below the roots.
pub(super) fn found(roots: &[(&'static str, PathBuf)]) -> Vec<TraceFile> {
    let mut files = Vec::new();
    for folder in folders(roots) {
        let entries = fs::read_dir(&folder.dir).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())) {
            let (name, path) = (entry.file_name(), entry.path());
            if let Some(name) = name.to_str().filter(|name| name.ends_with(".jsonl"))
                && is_trace(&path)
            {
                let parted = if folder.name.is_empty() || folder.name.ends_with('/') { "" } else { "/" };
                files.push(TraceFile { name: format!("{}{parted}{name}", folder.name), path });
            }
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn is_trace(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(256).read_to_end(&mut begin));
    let text: String = String::from_utf8_lossy(&begin).split_whitespace().collect();
    read.is_ok() && text.starts_with(BEGINS)
}

/// The file of a name.
///
/// # Errors
/// 404 for one that there is not.
pub(super) fn named(roots: &[(&'static str, PathBuf)], name: &str) -> Result<TraceFile, Fault> {
    found(roots).into_iter().find(|file| file.name == name).ok_or_else(|| Fault::not_found("trace"))
}

impl Shelves {
    /// What the lines of a file are about. Lines that are none are passed over.
    pub(super) fn lines(&self, path: &Path) -> anyhow::Result<Lines> {
        let stamp = stamp(path)?;
        if let Some((then, lines)) = self.held(|held| held.lines.get(path).cloned())
            && then == stamp
        {
            return Ok(lines);
        }
        let lines = Arc::new(read_lines(path)?);
        self.held(|held| {
            if held.lines.len() >= KEPT.1 {
                held.lines.pop_first();
            }
            held.lines.insert(path.into(), (stamp, Arc::clone(&lines)));
        });
        Ok(lines)
    }

    /// A trace: line `number` of a file, from 1.
    pub(super) fn trace(&self, path: &Path, number: usize, shelf: Option<&Shelf<'_>>) -> anyhow::Result<Arc<Trace>> {
        let key = (path.to_owned(), number, stamp(path)?);
        if let Some(trace) =
            self.held(|held| held.traces.iter().find(|(known, _)| *known == key).map(|(_, trace)| Arc::clone(trace)))
        {
            return Ok(trace);
        }
        let lines = self.lines(path)?;
        let line = number.checked_sub(1).and_then(|place| lines.get(place)).ok_or_else(|| Fault::not_found("trace"))?;
        let trace = Arc::new(Trace::read(&bytes_of(path, line)?, path.parent(), shelf)?);
        self.held(|held| {
            if held.traces.len() >= KEPT.0 {
                held.traces.remove(0);
            }
            held.traces.push((key, Arc::clone(&trace)));
        });
        Ok(trace)
    }

    fn held<T>(&self, look: impl FnOnce(&mut Held) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn stamp(path: &Path) -> anyhow::Result<Stamp> {
    let found = fs::metadata(path).with_context(|| path.display().to_string())?;
    Ok((found.len(), found.modified().ok()))
}

fn read_lines(path: &Path) -> anyhow::Result<Vec<Line>> {
    let told = || path.display().to_string();
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).with_context(told)?);
    let (mut lines, mut at, mut line) = (Vec::new(), 0, Vec::new());
    loop {
        line.clear();
        let bytes = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line).with_context(told)? as u64;
        if bytes == 0 {
            return Ok(lines);
        }
        if let Ok(head) = serde_json::from_slice::<Head>(&line) {
            lines.push(Line { at, bytes, head });
        }
        at += bytes;
    }
}

fn bytes_of(path: &Path, line: &Line) -> anyhow::Result<Vec<u8>> {
    let told = || path.display().to_string();
    let mut file = File::open(path).with_context(told)?;
    file.seek(SeekFrom::Start(line.at)).with_context(told)?;
    let mut bytes = Vec::new();
    file.take(line.bytes).read_to_end(&mut bytes).with_context(told)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_traces_are_told_from_others_and_read_line_by_line() {
        let desk = tempfile::tempdir().unwrap();
        let line = |task: &str, n: usize| {
            let steps = vec!["{\"step\": 1}"; n].join(",");
            format!(
                "{{\"schema_version\": \"recto.trajectory/1\", \"task\": \"{task}\", \"steps\": [{steps}], \"status\": \"submitted\"}}\n"
            )
        };
        let text = format!("{}no line of it\n{}", line("one", 2), line("two", 0));
        fs::create_dir_all(desk.path().join("a")).unwrap();
        fs::write(desk.path().join("a/trajectory.jsonl"), &text).unwrap();
        fs::write(desk.path().join("a/results.jsonl"), "{\"id\": \"q\"}\n").unwrap();
        fs::write(desk.path().join("a/trajectory.json"), &text).unwrap();
        let roots = [("", desk.path().to_owned())];
        let files = found(&roots);
        assert_eq!(files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), ["a/trajectory.jsonl"]);
        let shelves = Shelves::default();
        let lines = shelves.lines(&files[0].path).unwrap();
        let told: Vec<_> = lines.iter().map(|line| (line.head.task.as_str(), line.head.n_steps)).collect();
        assert_eq!(told, [("one", 2), ("two", 0)]);
        assert_eq!(shelves.trace(&files[0].path, 2, None).unwrap().task, "two");
        assert!(shelves.trace(&files[0].path, 3, None).is_err() && shelves.trace(&files[0].path, 0, None).is_err());
        assert!(named(&roots, "../a/trajectory.jsonl").is_err());
    }
}
