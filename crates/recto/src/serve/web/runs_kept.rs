//! The runs that there are, by name.

use std::fs;
use std::path::PathBuf;

use recto_bench::run_dir;

use crate::serve::fault::Fault;
use crate::serve::state::Collection;

/// Folders are looked into so deep.
const DEPTH: usize = 4;
/// So many folders are looked into.
const MOST: usize = 5_000;
/// A run on disk.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct OnDisk {
    /// Its folder below those that are served, which is how addresses name it.
    pub(super) name: String,
    pub(super) dir: PathBuf,
}

/// The folders that are served: what stands before the names of runs, and where they are.
pub(super) fn roots(collection: &Collection) -> Vec<(&'static str, PathBuf)> {
    let runs = collection.runs.clone().map(|dir| ("", dir));
    let people = collection.desk.as_ref().map(|desk| ("people/", desk.run_of("")));
    let mut roots: Vec<_> = runs.into_iter().chain(people).collect();
    if let [(_, runs), (_, people)] = roots.as_slice()
        && fs::canonicalize(people).ok() == fs::canonicalize(runs).ok()
    {
        roots.truncate(1);
    }
    roots
}

/// Every folder below the roots, with its name.
pub(super) fn folders(roots: &[(&'static str, PathBuf)]) -> Vec<OnDisk> {
    let mut open: Vec<(OnDisk, usize)> =
        roots.iter().map(|(name, dir)| (OnDisk { name: (*name).into(), dir: dir.clone() }, 0)).collect();
    let mut all = Vec::new();
    while let Some((folder, depth)) = open.pop().filter(|_| all.len() < MOST) {
        if depth < DEPTH {
            let entries = fs::read_dir(&folder.dir).into_iter().flatten().flatten();
            // Links are not followed: they could lead anywhere.
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            open.extend(below.filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let name = match folder.name.as_str() {
                    "" => name,
                    prefix if prefix.ends_with('/') => format!("{prefix}{name}"),
                    parent => format!("{parent}/{name}"),
                };
                Some((OnDisk { name, dir: entry.path() }, depth + 1))
            }));
        }
        all.push(folder);
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// Every run below the roots, by name.
pub(super) fn found(roots: &[(&'static str, PathBuf)]) -> Vec<OnDisk> {
    let is_run = |folder: &OnDisk| folder.dir.join("config.json").is_file() && run_dir::results(&folder.dir).is_file();
    folders(roots).into_iter().filter(is_run).collect()
}

/// The run of a name.
///
/// # Errors
/// 404 for one that there is not.
pub(super) fn named(roots: &[(&'static str, PathBuf)], name: &str) -> Result<OnDisk, Fault> {
    found(roots).into_iter().find(|run| run.name == name).ok_or_else(|| Fault::not_found("run"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_below_their_roots_and_nowhere_else() {
        let desk = tempfile::tempdir().unwrap();
        let run = |at: &str| {
            let dir = desk.path().join(at);
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("config.json"), "{}").unwrap();
            fs::write(dir.join("results.jsonl"), "").unwrap();
        };
        ["runs/b", "runs/deep/er/a", "runs/deep/er/too/deep/a", "people/ann", "secret"].iter().for_each(|at| run(at));
        fs::create_dir_all(desk.path().join("runs/none")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(desk.path().join("secret"), desk.path().join("runs/link")).unwrap();
        let roots = [("", desk.path().join("runs")), ("people/", desk.path().join("people"))];
        let names: Vec<String> = found(&roots).into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["b", "deep/er/a", "people/ann"]);
        for name in ["../secret", "link", "none", "", "people", "people/../../secret"] {
            assert!(named(&roots, name).is_err(), "{name}");
        }
    }
}
