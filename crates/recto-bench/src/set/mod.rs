//! Published benchmarks, read from the files of their owners, unmodified. One file a benchmark; each says from what its
//! form was learnt and what of it is not known.

mod chance;
mod file;
pub(crate) mod mmlongbench;
pub(crate) mod own;
pub(crate) mod trec;

use std::path::Path;

use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;

pub(crate) use file::{Line, lines};

/// A benchmark that can be read.
pub struct SetDefinition {
    /// Its name.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// What must be at the path.
    pub files: &'static str,
    /// Where its owners publish it.
    pub published: &'static str,
    /// Under what licence.
    pub license: &'static str,
    /// Whether a path looks like it.
    looks: fn(&Path) -> bool,
    /// Reads it.
    read: fn(&Path) -> Result<BenchmarkSet>,
}

/// Every benchmark that can be read; the first one that a path looks like is meant.
pub const SETS: &[&SetDefinition] = &[&mmlongbench::V1, &trec::QRELS, &own::OWN];

/// Reads the benchmark called `name`, or the one that the path looks like.
///
/// # Errors
/// When nobody knows the name or the form, a file is missing, or a row is not what the form promises.
pub fn open(name: Option<&str>, path: &Path) -> Result<BenchmarkSet> {
    std::fs::metadata(path).map_err(BenchError::io(path))?;
    let known = |test: &dyn Fn(&SetDefinition) -> bool| SETS.iter().find(|set| test(set));
    let set = match name {
        Some(name) => known(&|set| set.name == name),
        None => known(&|set| (set.looks)(path)),
    };
    let names: Vec<&str> = SETS.iter().map(|set| set.name).collect();
    let why = || format!("no benchmark is known that looks like this; say which it is: {}", names.join(", "));
    let set = set.ok_or_else(|| BenchError::row(path, 0, why()))?;
    let mut read = (set.read)(path)?;
    distinct(&read, path)?;
    for item in &mut read.items {
        if let Some(kind) = chance::kind(item) {
            item.slices.entry("chance".into()).or_default().insert(kind.into());
        }
    }
    Ok(read)
}

fn distinct(set: &BenchmarkSet, path: &Path) -> Result<()> {
    let mut ids = std::collections::BTreeSet::new();
    match set.items.iter().find(|item| !ids.insert(item.id.as_str())) {
        Some(twice) => Err(BenchError::row(path, 0, format!("two items have the id {:?}", twice.id))),
        None => Ok(()),
    }
}
