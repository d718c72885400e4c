//! Lines and blocks: how the words of a page stand together.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Region, Turn};

/// Words that share a baseline, in reading order: a range of the text layer's words.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// Which words of the text layer.
    pub words: Range<usize>,
    /// The region around them.
    pub region: Region,
    /// Which way up they stand.
    pub turn: Turn,
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
    /// A heading, or the title of the document.
    Heading,
    /// Items with bullets or numbers.
    List,
    /// The cells of a table; the page's tables say how they stand together.
    Table,
    /// Words within a picture or drawing, such as the labels of a chart.
    Figure,
    /// The line that names a figure or table.
    Caption,
    /// What stands at the top of page after page.
    Header,
    /// What stands at the foot of page after page, such as the page number.
    Footer,
    /// A note at the foot of the page.
    Footnote,
    /// A formula set apart.
    Formula,
    /// The value of a form field, which may not be drawn on the page.
    FormField,
    /// The visible text of an annotation.
    Annotation,
}
