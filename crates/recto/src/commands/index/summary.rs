//! What an update did and what the index holds now.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use recto_page::catalog::Size;
use recto_page::{Catalog, IndexDir, ProblemCode};
use serde::Serialize;

use super::plan::Counts;
use crate::output::count;

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// The index directory.
    pub(crate) index: String,
    /// Documents in the index.
    pub(crate) documents: u64,
    /// Their pages.
    pub(crate) pages: u64,
    /// What became of the sources.
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// Files that were passed over, of kinds that recto does not read, by their endings.
    pub(crate) skipped: BTreeMap<String, u64>,
    /// Routes of vectors, and whether each has every page.
    pub(crate) routes: BTreeMap<String, bool>,
    /// Problems in the index, by code.
    pub(crate) problems: BTreeMap<&'static str, u64>,
    pub(crate) seconds: f64,
}

impl Summary {
    /// Reads from the index what it holds.
    pub(crate) fn describe(&mut self, dir: &IndexDir) -> anyhow::Result<()> {
        self.index = dir.root().display().to_string();
        let catalog = Catalog::open(dir)?;
        Size { documents: self.documents, pages: self.pages } = catalog.size()?;
        self.routes = catalog.routes()?.into_iter().map(|route| (route.name, route.complete)).collect();
        for (_, problem) in catalog.problems(None)? {
            *self.problems.entry(problem.code.as_str()).or_default() += 1;
        }
        Ok(())
    }

    /// True if there is neither a document nor a reason why one could not be read.
    pub(crate) fn is_empty(&self) -> bool {
        self.documents == 0 && self.problems.is_empty()
    }

    /// True if the index lacks something that the sources hold.
    pub(crate) fn has_failures(&self) -> bool {
        let lacks_vectors = self.routes.values().any(|complete| !complete);
        lacks_vectors
            || ProblemCode::ALL.iter().any(|code| code.is_failure() && self.problems.contains_key(code.as_str()))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { unchanged, read, renamed, duplicates, removed, gone } = self.counts;
        let documents = count(self.documents, "document");
        write!(f, "{documents}, {} in the index", count(self.pages, "page"))?;
        let parts = [
            (read, "read"),
            (unchanged, "unchanged"),
            (renamed, "renamed"),
            (duplicates, "duplicate"),
            (removed, "removed"),
            (gone, "without a file, which --prune removes"),
        ];
        let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        let parts = if parts.is_empty() { String::new() } else { parts.join(", ") + "; " };
        write!(f, " ({parts}{:.1} s)", self.seconds)?;
        if !self.skipped.is_empty() {
            write!(f, "\nskipped: {}", skipped(&self.skipped))?;
        }
        if !self.problems.is_empty() {
            let problems: Vec<String> = self.problems.iter().map(|(code, n)| format!("{n} {code}")).collect();
            let list = format!("recto problems --index {}", self.index);
            write!(f, "\nproblems: {} (`{list}` tells more)", problems.join(", "))?;
        }
        Ok(())
    }
}

/// Counts files by their endings.
pub(crate) fn by_ending(paths: &[PathBuf]) -> BTreeMap<String, u64> {
    let mut endings = BTreeMap::new();
    for path in paths {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        *endings.entry(ending).or_default() += 1;
    }
    endings
}

/// So many endings are named.
const NAMED: usize = 5;

/// How many files of which kinds, the most common first.
fn skipped(endings: &BTreeMap<String, u64>) -> String {
    let mut named: Vec<(&String, &u64)> = endings.iter().collect();
    named.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    let name = |(ending, n): &(&String, &u64)| match ending.as_str() {
        "" => format!("{n} without ending"),
        ending => format!("{n} .{ending}"),
    };
    let mut names: Vec<String> = named.iter().take(NAMED).map(name).collect();
    if let Some((_, rest)) = named.split_at_checked(NAMED).filter(|(_, rest)| !rest.is_empty()) {
        names.push(format!("{} others", rest.iter().map(|(_, n)| **n).sum::<u64>()));
    }
    let all = count(endings.values().sum(), "file");
    format!("{all} of kinds that recto does not read ({})", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_read_are_counted_by_kind() {
        let check = |names: &[&str], want: &str| {
            let paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            assert_eq!(skipped(&by_ending(&paths)), want);
        };
        check(&["a.gif"], "1 file of kinds that recto does not read (1 .gif)");
        check(
            &["a.gif", "b.BMP", "c.bmp", "d"],
            "4 files of kinds that recto does not read (2 .bmp, 1 without ending, 1 .gif)",
        );
        check(
            &["a.a", "b.b", "c.c", "d.d", "e.e", "f.f", "g.g", "h.h", "i.h"],
            "9 files of kinds that recto does not read (2 .h, 1 .a, 1 .b, 1 .c, 1 .d, 3 others)",
        );
    }
}
