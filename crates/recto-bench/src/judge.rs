//! Judges: who decides whether an answer means what the gold says, where no rule can.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What judges said about one row, by the judge's id (prompt and model).
pub type Verdicts = BTreeMap<String, Verdict>;

/// What a judge said.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// 0 to 1.
    pub score: f64,
    /// The judge's own word: `correct`, `partial`, `incorrect`, `true`.
    pub label: String,
    /// Why, in the judge's words.
    #[serde(default)]
    pub reason: String,
}
