//! The house rules that no lint knows: the manifests and the documents say the same, files are short and explain
//! themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

const MAX_FILE_LINES: usize = 800;
const MAX_ARCHITECTURE_LINES: usize = 300;

/// Who uses whom: the picture in `ARCHITECTURE.md`.
const ARROWS: [(&str, &[&str]); 8] = [
    ("recto-page", &[]),
    ("recto-model", &["recto-page"]),
    ("recto-ingest", &["recto-model", "recto-page"]),
    ("recto-search", &["recto-model", "recto-page"]),
    ("recto-agent", &["recto-model", "recto-page", "recto-search"]),
    ("recto-bench", &["recto-page"]),
    ("recto-fixture", &[]),
    ("recto", &["recto-agent", "recto-bench", "recto-ingest", "recto-model", "recto-page", "recto-search"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn text(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The Rust files of all crates, by path from the root.
fn sources() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join("crates"), &mut found);
    assert!(found.len() > 100, "only {} files", found.len());
    found
}

fn manifest(path: &str) -> Table {
    text(path).parse().unwrap()
}

/// The names in a table of dependencies.
fn names(manifest: &Table, table: &str) -> BTreeSet<String> {
    manifest
        .get(table)
        .and_then(|table| table.as_table())
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}

fn crates() -> BTreeMap<String, Table> {
    let folders = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().file_name());
    let read = |name: String| (name.clone(), manifest(&format!("crates/{name}/Cargo.toml")));
    folders.map(|name| read(name.into_string().unwrap())).collect()
}

#[test]
fn every_file_begins_with_what_it_is_and_is_short() {
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//! "), "{} does not begin with `//!`", path.display());
        let lines = text.lines().count();
        assert!(lines <= MAX_FILE_LINES, "{} has {lines} lines", path.display());
    }
}

#[test]
fn the_crates_use_each_other_as_the_picture_shows() {
    let crates = crates();
    let drawn: BTreeMap<String, BTreeSet<String>> = ARROWS
        .into_iter()
        .map(|(name, used)| (name.to_owned(), used.iter().map(|used| (*used).to_owned()).collect()))
        .collect();
    let real: BTreeMap<String, BTreeSet<String>> = crates
        .iter()
        .map(|(name, manifest)| {
            let used = names(manifest, "dependencies").into_iter().filter(|used| crates.contains_key(used));
            (name.clone(), used.collect())
        })
        .collect();
    assert_eq!(real, drawn);
    for (name, manifest) in &crates {
        assert!(!names(manifest, "build-dependencies").contains("recto-fixture"), "{name}");
        let known = names(manifest, "dependencies");
        let up = names(manifest, "dev-dependencies")
            .into_iter()
            .find(|used| crates.contains_key(used) && used != "recto-fixture" && !known.contains(used));
        assert_eq!(up, None, "{name} uses another crate in its tests");
    }
}

#[test]
fn the_architecture_is_short_and_names_what_exists() {
    let architecture = text("ARCHITECTURE.md");
    assert!(architecture.lines().count() <= MAX_ARCHITECTURE_LINES);
    for name in crates().keys() {
        assert!(architecture.contains(&format!("| `{name}` |")), "{name} is not in the table of rooms");
    }
    let quoted = architecture.split('`').skip(1).step_by(2);
    let paths: Vec<&str> = quoted.filter(|text| text.starts_with("crates/") && text.ends_with(".rs")).collect();
    assert!(paths.len() >= 10, "{paths:?}");
    for path in paths {
        assert!(root().join(path).is_file(), "ARCHITECTURE.md names {path}, which does not exist");
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = text("docs/dependencies.md");
    let words: BTreeSet<&str> = reasons.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).collect();
    let workspace = manifest("Cargo.toml");
    let mut used = names(workspace["workspace"].as_table().unwrap(), "dependencies");
    for manifest in crates().values() {
        used.extend(
            ["dependencies", "dev-dependencies", "build-dependencies"].iter().flat_map(|table| names(manifest, table)),
        );
    }
    let ours = crates();
    for name in used.iter().filter(|name| !ours.contains_key(*name)) {
        assert!(words.contains(name.as_str()), "{name} is not in docs/dependencies.md");
    }
}

#[test]
fn every_dependency_of_the_workspace_is_used() {
    let workspace = manifest("Cargo.toml");
    let crates = crates();
    let used: BTreeSet<String> = crates
        .values()
        .flat_map(|m| ["dependencies", "dev-dependencies"].map(|table| names(m, table)))
        .flatten()
        .collect();
    let declared = names(workspace["workspace"].as_table().unwrap(), "dependencies");
    let idle: Vec<&String> =
        declared.iter().filter(|name| !used.contains(*name) && !crates.contains_key(*name)).collect();
    assert!(idle.is_empty(), "nobody uses {idle:?}");
}
