//! What is asked and what is right. Not what a system said: that is a [`crate::row::Row`].

use std::collections::{BTreeMap, BTreeSet};

use recto_page::{DocId, PageId, PageNumber};
use serde::{Deserialize, Serialize};

use crate::measure::Measure;

/// A benchmark: its items, and the corpus they are asked of.
///
/// Pictures that stand alone in a benchmark (a slide, an image of a page) are documents of one page, as everywhere in
/// recto.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BenchmarkSet {
    /// Its name, such as `mmlongbench-doc`.
    pub name: String,
    /// What is asked, in the order of its file; ids are distinct.
    pub items: Vec<Item>,
    /// The documents and how many pages each has; empty if the benchmark does not say.
    pub corpus: BTreeMap<DocId, u32>,
    /// Its pages, by what its own files and the results of others call them; empty if that is the name of a document of
    /// one page.
    pub page_names: BTreeMap<String, PageId>,
    /// What its authors report.
    pub measures: Vec<Measure>,
}

impl BenchmarkSet {
    /// The items by id.
    pub fn by_id(&self) -> BTreeMap<&str, &Item> {
        self.items.iter().map(|item| (item.id.as_str(), item)).collect()
    }

    /// The page of a name from files of this benchmark; `None` if it has no such page.
    pub fn page(&self, name: &str) -> Option<PageId> {
        if self.page_names.is_empty() {
            return Some(PageId::new(DocId::new(name), PageNumber::FIRST));
        }
        self.page_names.get(name).cloned()
    }
}

/// One question or query with its gold.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Item {
    /// Distinct within the set.
    pub id: String,
    /// The question, or the query of a set without answers.
    pub question: String,
    /// The documents it is asked of; empty: the whole corpus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub docs: Vec<DocId>,
    /// What is right.
    #[serde(default)]
    pub gold: Gold,
    /// The groups it belongs to, by kind of group: `"level": {"2"}`, `"evidence_sources": {"Chart", "Table"}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub slices: BTreeMap<String, BTreeSet<String>>,
}

/// What is right.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Gold {
    /// Answers that are equally right; each is a list, a plain answer has one entry. Empty: the set has no answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Vec<String>>,
    /// The kind of answer, in the benchmark's own word (`Int`, `Str`, `short`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The documents do not hold the answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unanswerable: bool,
    /// Pages that matter and how much: 1 where the benchmark has no grades. Grades of 0 and below are judged as of no
    /// use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<GradedPage>,
    /// Pages on the way to the answer, in their order, without the answer's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<PageId>,
}

/// A page and how much it matters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct GradedPage {
    /// The page.
    #[serde(flatten)]
    pub page: PageId,
    /// 1 where the benchmark has no grades.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub grade: i32,
}

impl Gold {
    /// Pages of a grade above 0, each once, in order.
    pub fn relevant(&self) -> BTreeSet<&PageId> {
        self.pages.iter().filter(|graded| graded.grade > 0).map(|graded| &graded.page).collect()
    }
}

impl From<PageId> for GradedPage {
    /// A page that matters, where there are no grades.
    fn from(page: PageId) -> Self {
        Self { page, grade: 1 }
    }
}

fn one() -> i32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one(grade: &i32) -> bool {
    *grade == 1
}
