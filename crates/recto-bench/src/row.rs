//! What a system said about an item: one line of `results.jsonl`. Not whether it was right.

use recto_page::{PageId, Region};
use serde::{Deserialize, Serialize};

/// One system's outcome for one item.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(expecting = "a row, an object with id and outcome")]
pub struct Row {
    /// The item's id.
    pub id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The answer; `None` from a system that only ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<AnswerText>,
    /// How sure the system is, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Pages given as evidence, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageId>,
    /// Places on them that are the evidence, as far as the system says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<CitedRegion>,
    /// Pages found, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<RankedPage>,
    /// Where the pages of `ranking` stand, if it holds only the judged ones of a longer ranking; else empty.
    #[serde(skip)]
    pub places: Vec<Places>,
    /// What was searched on the way, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<Search>,
    /// What it took.
    #[serde(default)]
    pub usage: Usage,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// A place on a page that is given as evidence.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CitedRegion {
    /// The page.
    #[serde(flatten)]
    pub page: PageId,
    /// Where on it.
    pub region: Region,
}

/// How an item ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There is an answer or a ranking.
    #[default]
    Done,
    /// The system says that the documents do not hold the answer.
    Declined,
    /// The system gave nothing, see [`Row::fault`].
    Failed,
    /// The results have no row for the item.
    Missing,
}

/// An answer as a system gave it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "an answer is a text or a list of texts")]
pub enum AnswerText {
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

impl AnswerText {
    /// The entries; a plain text is one.
    pub fn entries(&self) -> &[String] {
        match self {
            Self::Text(text) => std::slice::from_ref(text),
            Self::List(entries) => entries,
        }
    }
}

/// A page with its score.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RankedPage {
    /// The page.
    #[serde(flatten)]
    pub page: PageId,
    /// Comparable within one ranking only.
    pub score: f64,
}

/// How many pages stand above a page, by the order of equal scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Places {
    /// By page.
    pub page: usize,
    /// As trec_eval orders them.
    pub trec: usize,
    /// As the file has them.
    pub file: usize,
}

/// One search on the way to an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Search {
    /// What was searched for.
    pub query: String,
    /// What came back, best first.
    pub pages: Vec<PageId>,
}

/// What an item took. Times are kept out of `results.jsonl`, so that equal runs have equal bytes.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Steps of an agent: its effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<u32>,
    /// Calls of a language model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Tokens read by models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written by models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Pages whose text or picture was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
}

/// Why an item failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Whether trying again can help.
    pub class: FaultClass,
    /// What happened.
    pub why: String,
}

/// Whether trying again can help.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultClass {
    /// The world: a time-out, an overload, a broken connection.
    Transient,
    /// A limit of the run was reached.
    Limit,
    /// The item or the configuration; it will fail again.
    Permanent,
    /// A fault of the program.
    Internal,
}

impl Row {
    /// What stands for a row that is not there.
    pub fn missing(id: impl Into<String>) -> Self {
        Self { id: id.into(), outcome: Outcome::Missing, ..Self::default() }
    }
}
