//! Which benchmark is meant by `--set`.

use std::path::{Path, PathBuf};

use recto_bench::run_dir::RunConfig;
use recto_bench::{BenchmarkSet, set};

use crate::exit::usage;

/// A benchmark and where it was read from.
pub(crate) struct Source {
    pub(crate) set: BenchmarkSet,
    pub(crate) path: PathBuf,
}

/// Reads what `PATH` or `NAME:PATH` means.
pub(crate) fn open(text: &str) -> anyhow::Result<Source> {
    let named = text.split_once(':').filter(|(name, _)| set::SETS.iter().any(|known| known.name == *name));
    let (name, path) = named.map_or((None, text), |(name, path)| (Some(name), path));
    if let (None, Some((unknown, _)), false) = (name, text.split_once(':'), Path::new(path).exists()) {
        let known: Vec<&str> = set::SETS.iter().map(|known| known.name).collect();
        return Err(usage(format!("--set {text}: no file, and {unknown:?} is none of {}", known.join(", "))));
    }
    read(name, Path::new(path))
}

/// Reads the benchmark of a run.
pub(crate) fn reopen(run: &RunConfig) -> anyhow::Result<Source> {
    let name = set::SETS.iter().map(|known| known.name).find(|name| *name == run.set);
    read(name, &run.set_path)
}

fn read(name: Option<&str>, path: &Path) -> anyhow::Result<Source> {
    let path = std::path::absolute(path)?;
    Ok(Source { set: set::open(name, &path)?, path })
}
