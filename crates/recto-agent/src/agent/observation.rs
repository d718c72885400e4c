//! What a planner is told of a call.

use recto_page::PageId;
use serde::{Deserialize, Serialize};

use crate::crop::CropRegion;
use crate::fence::Fence;

/// What a planner is told of a call.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Observation {
    /// False if it could not be carried out.
    pub ok: bool,
    /// What is told, in order.
    pub told: Vec<Told>,
    /// Pages that it found, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<PageId>,
    /// Pages whose text or picture it gave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<PageId>,
    /// Pictures that it shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<Shot>,
}

/// A part of what is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// recto says it.
    Recto(String),
    /// Documents say it, so it is of unknown origin.
    Pages(String),
}

/// A picture.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shot {
    /// As the planner calls it.
    pub name: String,
    /// The page.
    pub page: PageId,
    /// Which part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<CropRegion>,
    /// In dots per inch.
    pub dpi: u32,
}

impl Observation {
    /// recto says this.
    pub(super) fn says(text: impl Into<String>) -> Self {
        Self { ok: true, ..Self::default() }.and(Told::Recto(text.into()))
    }

    /// It could not be carried out.
    pub(super) fn refused(why: impl Into<String>) -> Self {
        Self { ok: false, ..Self::says(why) }
    }

    #[must_use]
    pub(super) fn and(mut self, told: Told) -> Self {
        self.told.push(told);
        self
    }

    #[must_use]
    pub(super) fn quoting(self, text: impl Into<String>) -> Self {
        self.and(Told::Pages(text.into()))
    }

    /// In words, with what documents say inside the fence, each part cut to so many characters.
    pub fn in_words(&self, fence: &Fence, most: usize) -> String {
        let part = |told: &Told| match told {
            Told::Recto(text) => text.clone(),
            Told::Pages(text) if text.chars().count() > most => {
                let cut: String = text.chars().take(most).collect();
                fence.around(&format!("{cut} […]"))
            }
            Told::Pages(text) => fence.around(text),
        };
        self.told.iter().map(part).collect::<Vec<_>>().join("\n")
    }

    /// A search that found nothing.
    pub(super) fn is_empty_search(&self) -> bool {
        self.ok && self.found.is_empty() && self.seen.is_empty() && self.shown.is_empty()
    }
}
