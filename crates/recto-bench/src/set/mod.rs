//! Published benchmarks, read from the files of their owners, unmodified. One file a benchmark; each says from what its
//! form was learnt and what of it is not known.

mod agora;
mod batch_validation;
mod chance;
#[cfg(test)]
pub(crate) mod desk;
mod docarena;
mod evidence;
mod file;
mod finragbench;
mod loose;
mod m3docvqa;
mod madqa;
mod mc_search;
pub(crate) mod mmlongbench;
mod own;
mod parquet;
pub(crate) mod rows;
mod slidevqa;
pub(crate) mod trec;
mod vidore;
mod vidoseek;
mod visdocagentbench;

use std::path::Path;

use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;
use crate::measure;

pub use evidence::slice_by_distance;
pub(crate) use file::{Line, head, json, lines, need};

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
    /// What is measured where the user does not say: what its authors report, as far as no judge is needed.
    pub measures: &'static [&'static str],
    /// Whether a path looks like it.
    looks: fn(&Path) -> bool,
    /// Reads it; the name and the measures are filled in where it leaves them open.
    read: fn(&Path) -> Result<BenchmarkSet>,
}

/// Every benchmark that can be read; the first one that a path looks like is meant.
pub const SETS: &[&SetDefinition] = &[
    &visdocagentbench::SET,
    &madqa::SET,
    &mmlongbench::V2,
    &mmlongbench::V1,
    &finragbench::SET,
    &vidoseek::SET,
    &slidevqa::SET,
    &m3docvqa::SET,
    &vidore::BEIR,
    &vidore::QA,
    &mc_search::SET,
    &batch_validation::SET,
    &agora::SET,
    &docarena::SET,
    &trec::QRELS,
    &own::OWN,
];

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
    let why = || {
        format!(
            "no benchmark is known that looks like this; say which it is by NAME:PATH, NAME being {}",
            names.join(", ")
        )
    };
    let set = set.ok_or_else(|| BenchError::row(path, 0, why()))?;
    let mut read = (set.read)(path)?;
    distinct(&read, path)?;
    for item in &mut read.items {
        if let Some(kind) = chance::kind(item) {
            item.slices.entry("chance".into()).or_default().insert(kind.into());
        }
    }
    if read.name.is_empty() {
        read.name = set.name.into();
    }
    read.measures = measure::parsed(set.measures);
    Ok(read)
}

/// There are items, and no two have one id.
fn distinct(set: &BenchmarkSet, path: &Path) -> Result<()> {
    if set.items.is_empty() {
        return Err(BenchError::row(path, 0, "the benchmark holds no item"));
    }
    let mut ids = std::collections::BTreeSet::new();
    match set.items.iter().find(|item| !ids.insert(item.id.as_str())) {
        Some(twice) => Err(BenchError::row(path, 0, format!("two items have the id {:?}", twice.id))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::predictions;

    /// What rows are made of, wrong and right.
    const PARTS: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\n",
        "1",
        "0",
        "-1",
        "1e99",
        "null",
        "true",
        "\"a\"",
        "\"id\"",
        "\"query_id\"",
        "\"question\"",
        "\"answer\"",
        "\"pages\"",
        "\"examples\"",
        "\"evidence\"",
        "\"document\"",
        "\t",
        "PAR1",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn no_file_is_the_end_of_the_program(parts in prop::collection::vec(prop::sample::select(&PARTS[..]), 0..40)) {
            let desk = desk::desk(&[("f", &parts.concat()), ("corpus/pages.jsonl", ""), ("queries.jsonl", "")]);
            let file = desk.path().join("f");
            drop(open(None, &file));
            for set in SETS {
                drop(open(Some(set.name), &file));
            }
            drop(predictions::read(&file, &BenchmarkSet::default()));
        }
    }

    #[test]
    fn names_of_sets_are_distinct() {
        let names: std::collections::BTreeSet<_> = SETS.iter().map(|set| set.name).collect();
        assert_eq!(names.len(), SETS.len());
    }
}
