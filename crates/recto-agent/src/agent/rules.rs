//! Which agent it is, and what it may take.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::call::By;
use crate::budget::Budget;

/// An agent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// recto's own: searches by several routes, reads text, tables and pictures, counts, computes, cites quotes.
    Recto,
    /// MADQA's BM25 agent (OxRML/MADQA, baselines/bm25-mllm-agent): one search in a query language, pages as pictures only.
    Bm25,
    /// MADQA's recursive language model (baselines/recursive-lm): programs over the corpus as one text.
    Rlm,
    /// MC-Search's loop: sub-question, search by text or pictures, its first page, sub-answer.
    McSearch,
}

impl Kind {
    /// Every agent.
    pub const ALL: [Self; 4] = [Self::Recto, Self::Bm25, Self::Rlm, Self::McSearch];

    /// The name that users type.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recto => "recto",
            Self::Bm25 => "bm25",
            Self::Rlm => "rlm",
            Self::McSearch => "mc-search",
        }
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::as_str).join(", ");
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(known)
    }
}

/// The rules of a session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rules {
    /// Which agent.
    pub kind: Kind,
    /// What it may take; its last step is the answer.
    pub budget: Budget,
    /// How many pages a search gives that does not say.
    pub top_k: usize,
    /// Whether the planner sees pictures. If not, it is told in words what they show.
    pub sees: bool,
    /// Resolution of whole pages as pictures, in dots per inch.
    pub dpi: u32,
    /// How many pictures stay visible; older ones can be asked for again.
    pub window: usize,
    /// By what pages can be searched.
    pub by: Vec<By>,
}

impl Rules {
    /// The usual rules. MADQA's agent has five turns, three pages a search and 200 dpi in its authors' code.
    pub fn new(kind: Kind) -> Self {
        let (steps, top_k, dpi, window) = match kind {
            Kind::Recto => (20, 8, 144, 8),
            Kind::Bm25 => (5, 3, 200, 100),
            Kind::Rlm => (20, 0, 144, 0),
            Kind::McSearch => (10, 1, 144, 10),
        };
        let budget = Budget { steps, ..Budget::default() };
        Self { kind, budget, top_k, sees: true, dpi, window, by: vec![By::All, By::Words] }
    }
}
