//! Scores: of an item, of a run. An item that can't be scored says why; it is never a silent zero.

use serde::{Deserialize, Serialize};

/// What a measure says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// A number; in 0..=1 unless the measure's formula says otherwise. May be NaN where the reference gives NaN.
    Value(f64),
    /// No number, and why: the item has no such gold, no judge was asked. Not counted in a mean.
    Unscored(String),
}

impl Score {
    /// The number, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::Unscored(_) => None,
        }
    }
}
