//! What a planner is told of a call, in the exact shapes of VisDocAgentBench. Pages are handles: identity can't leak.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::crop::CropRegion;
use crate::fence::Fence;
use crate::handle::{CropHandle, ImageHandle, PageHandle};
use crate::toolbox::{Hit, Size, TextBlock};

/// How often each tool was used so far, by the names of the reference; a tool that failed before it began does not count.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ToolUsage(pub BTreeMap<String, u32>);

impl ToolUsage {
    /// Adds to a count.
    pub fn add(&mut self, name: &str, n: usize) {
        *self.0.entry(name.into()).or_default() += u32::try_from(n).unwrap_or(u32::MAX);
    }
}

/// What came of a call. Written without a tag: the fields tell which it is, those that others share come last.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Observation {
    /// Of a search.
    Found {
        /// True.
        ok: bool,
        /// Best first.
        results: Vec<Hit>,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// Pages are shown in the next turn.
    Inspected {
        /// True.
        ok: bool,
        /// What was asked for.
        requested_page_handles: Vec<PageHandle>,
        /// What is shown.
        loaded_pages: Vec<LoadedPage>,
        /// Always empty: all pages are shown or none.
        failed_pages: Vec<PageHandle>,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// Parts of pages are shown in the next turn.
    Cropped {
        /// True if one part at least is shown.
        ok: bool,
        /// What is shown.
        crops: Vec<CropRow>,
        /// What is not.
        failed_crops: Vec<FailedCrop>,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// A picture was read.
    Read {
        /// True.
        ok: bool,
        /// The picture.
        target_handle: ImageHandle,
        /// All of its text.
        ocr_text: String,
        /// Its lines.
        blocks: Vec<TextBlock>,
        /// What read it.
        engine: String,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// A picture could not be read.
    Unread {
        /// False.
        ok: bool,
        /// The picture.
        target_handle: ImageHandle,
        /// Why, and what can be done.
        error: String,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// The text of a page.
    PageText {
        /// True.
        ok: bool,
        /// The page.
        page_handle: PageHandle,
        /// All of its text.
        ocr_text: String,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// There is no text of a page.
    NoPageText {
        /// False.
        ok: bool,
        /// The page.
        page_handle: PageHandle,
        /// Why, and what can be done.
        error: String,
        /// Counts after it.
        usage: ToolUsage,
    },
    /// Pages that are shown before the first step.
    Initial {
        /// True.
        ok: bool,
        /// What is shown.
        loaded_pages: Vec<LoadedPage>,
        /// Always empty.
        failed_pages: Vec<PageHandle>,
    },
    /// The call was not carried out. A bad action is told, it is no error of the program.
    Rejected {
        /// False.
        ok: bool,
        /// Why, and what can be done.
        error: String,
        /// Counts, unchanged but for a search that failed.
        usage: ToolUsage,
    },
}

/// A page that is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoadedPage {
    /// The page.
    pub page_handle: PageHandle,
    /// Pixels.
    pub page_width: u32,
    /// Pixels.
    pub page_height: u32,
}

impl LoadedPage {
    /// A page of this size.
    pub const fn new(page_handle: PageHandle, (page_width, page_height): Size) -> Self {
        Self { page_handle, page_width, page_height }
    }
}

/// A part that is shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CropRow {
    /// Its place in the call, from 0.
    pub index: usize,
    /// `success`.
    pub status: String,
    /// Its name from now on.
    pub crop_handle: CropHandle,
    /// The page.
    pub source_page_handle: PageHandle,
    /// Which part of it.
    pub region: CropRegion,
    /// What the planner looks for.
    pub purpose: String,
    /// True if it did not say.
    pub purpose_missing: bool,
    /// Share of the page.
    pub area_fraction: f64,
    /// Pixels.
    pub crop_width: u32,
    /// Pixels.
    pub crop_height: u32,
}

/// A part that is not shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailedCrop {
    /// Its place in the call, from 0.
    pub index: usize,
    /// `invalid_request` or `execution_error`.
    pub status: String,
    /// Why, and what can be done.
    pub error: String,
}

impl Observation {
    /// True if the call gave what was asked for.
    pub const fn is_ok(&self) -> bool {
        match self {
            Self::Found { ok, .. }
            | Self::Inspected { ok, .. }
            | Self::Cropped { ok, .. }
            | Self::Read { ok, .. }
            | Self::Unread { ok, .. }
            | Self::PageText { ok, .. }
            | Self::NoPageText { ok, .. }
            | Self::Initial { ok, .. }
            | Self::Rejected { ok, .. } => *ok,
        }
    }

    /// What a planner is told of it: the same, with every text that was read from a page, and so is of unknown origin, inside
    /// the fence. The lines of a picture become one text, a line each with its place.
    pub fn told(&self, fence: &Fence) -> Value {
        let mut told = json!(self);
        if let Some(Value::String(text)) = told.get_mut("ocr_text") {
            *text = fence.around(text);
        }
        if let Self::Read { blocks, .. } = self {
            let line = |block: &TextBlock| {
                let [left, top, right, bottom] = block.bbox;
                format!("[{left:.3}, {top:.3}, {right:.3}, {bottom:.3}] {}", block.text)
            };
            let lines: Vec<String> = blocks.iter().map(line).collect();
            told["blocks"] = json!(fence.around(&lines.join("\n")));
        }
        told
    }
}
