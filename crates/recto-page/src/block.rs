//! Lines and blocks: how the words of a page stand together.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Region;

/// Words that share a baseline, in reading order: a range of the text layer's words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Which words of the text layer.
    pub words: Range<usize>,
    /// The region around them.
    pub region: Region,
}

/// Lines that belong together, in reading order: a range of the text layer's lines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// What the block is.
    pub kind: BlockKind,
    /// Which lines of the text layer.
    pub lines: Range<usize>,
    /// The region around them.
    pub region: Region,
}

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A paragraph, or anything that was not recognised as something else.
    Text,
    /// The value of a form field, which may not be drawn on the page.
    FormField,
    /// The visible text of an annotation.
    Annotation,
}
