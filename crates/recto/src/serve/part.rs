//! Part of a long list: where it begins, how much of it, where the list goes on.

use schemars::JsonSchema;
use serde::Deserialize;

use super::extract::within;
use super::fault::Fault;

/// Which part of a list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartQuery {
    /// How many to pass over: `next_offset` of the reply before
    #[serde(default)]
    offset: u32,
    /// How many, at most
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    limit: u32,
}

/// How many there are if nothing else is said.
pub(crate) const fn hundred() -> u32 {
    100
}

/// A part of a list.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) offset: usize,
    pub(crate) limit: usize,
}

impl Part {
    /// So many after the first `offset`.
    ///
    /// # Errors
    /// 422 for none, and for more than `most`.
    pub(crate) fn new(offset: u32, limit: u32, most: u32) -> Result<Self, Fault> {
        Ok(Self { offset: offset as usize, limit: within("limit", limit, 1, most)? as usize })
    }

    /// This part.
    pub(crate) fn of<L: IntoIterator>(self, list: L) -> impl Iterator<Item = L::Item> {
        list.into_iter().skip(self.offset).take(self.limit)
    }

    /// Where a list of `total` goes on, if it does.
    pub(crate) fn next(self, total: usize) -> Option<usize> {
        Some(self.offset.saturating_add(self.limit)).filter(|next| *next < total)
    }
}

impl PartQuery {
    /// # Errors
    /// 422 for a limit that is none.
    pub(crate) fn part(&self) -> Result<Part, Fault> {
        Part::new(self.offset, self.limit, 1000)
    }
}
