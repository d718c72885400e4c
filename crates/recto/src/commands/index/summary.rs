//! What an update did and what the index holds now.

use std::collections::BTreeMap;
use std::fmt;

use recto_page::{Catalog, DocumentState, IndexDir, ProblemCode};
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
    /// Problems in the index, by code.
    pub(crate) problems: BTreeMap<&'static str, u64>,
    pub(crate) seconds: f64,
}

impl Summary {
    /// Reads from the index what it holds.
    pub(crate) fn describe(&mut self, dir: &IndexDir) -> anyhow::Result<()> {
        self.index = dir.root().display().to_string();
        let catalog = Catalog::open(dir)?;
        for document in catalog.documents()? {
            self.documents += u64::from(document.state == DocumentState::Indexed);
        }
        self.pages = catalog.pages_by_text_source()?.values().sum();
        for (_, problem) in catalog.problems(None)? {
            *self.problems.entry(problem.code.as_str()).or_default() += 1;
        }
        Ok(())
    }

    /// True if the index lacks something that the sources hold.
    pub(crate) fn has_failures(&self) -> bool {
        ProblemCode::ALL.iter().any(|code| code.is_failure() && self.problems.contains_key(code.as_str()))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { unchanged, read, renamed, duplicates, removed } = self.counts;
        let documents = count(self.documents, "document");
        write!(f, "{documents}, {} in the index", count(self.pages, "page"))?;
        let parts = [
            (read, "read"),
            (unchanged, "unchanged"),
            (renamed, "renamed"),
            (duplicates, "duplicate"),
            (removed, "removed"),
        ];
        let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        let parts = if parts.is_empty() { String::new() } else { parts.join(", ") + "; " };
        write!(f, " ({parts}{:.1} s)", self.seconds)?;
        if !self.problems.is_empty() {
            let problems: Vec<String> = self.problems.iter().map(|(code, n)| format!("{n} {code}")).collect();
            let list = format!("recto problems --index {}", self.index);
            write!(f, "\nproblems: {} (`{list}` tells more)", problems.join(", "))?;
        }
        Ok(())
    }
}
