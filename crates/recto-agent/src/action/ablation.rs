//! What is taken away from an episode, or given to it, to see what it is worth.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Tool;

/// A change of the rules, by VisDocAgentBench.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ablation {
    /// No tool at all: 30 pages of one search are judged and put in order (see [`crate::rerank`]).
    NoIterativeSearch,
    /// No parts of pages.
    NoCrop,
    /// No text of pages.
    NoTextAccess,
    /// No pictures of whole pages, and so no parts of them either.
    NoPageInspection,
    /// The pages on the way to the answer are shown before the first step.
    SupportProvided,
}

impl Ablation {
    /// Every ablation.
    pub const ALL: [Self; 5] =
        [Self::NoIterativeSearch, Self::NoCrop, Self::NoTextAccess, Self::NoPageInspection, Self::SupportProvided];

    /// The name used in files and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoIterativeSearch => "no-iterative-search",
            Self::NoCrop => "no-crop",
            Self::NoTextAccess => "no-text-access",
            Self::NoPageInspection => "no-page-inspection",
            Self::SupportProvided => "support-provided",
        }
    }

    /// The tools that it takes away, of both routes.
    pub const fn removes(self) -> &'static [Tool] {
        match self {
            Self::NoIterativeSearch => &Tool::ALL,
            Self::NoCrop => &[Tool::CropPages],
            Self::NoTextAccess => &[Tool::OcrImage, Tool::GetPageOcr],
            Self::NoPageInspection => &[Tool::InspectPages, Tool::CropPages],
            Self::SupportProvided => &[],
        }
    }
}

impl FromStr for Ablation {
    type Err = String;

    /// The error lists what is known.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::as_str).join(", ");
        Self::ALL.into_iter().find(|ablation| ablation.as_str() == text).ok_or_else(known)
    }
}
