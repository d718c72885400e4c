//! What a document says, before it is laid out: sections that start on a new page, made of headings, text and tables.

use std::collections::{BTreeMap, BTreeSet};

use recto_page::{Problem, ProblemCode, Stage};

/// Text that a document may have, in bytes; rows, cells and sections count extra. Some thousand pages.
pub(crate) const MOST: usize = 24 << 20;

/// What a line or a cell costs beside its text.
pub(crate) const LINE: usize = 16;
/// What a section costs beside its parts.
const SECTION: usize = 256;

/// A document to be laid out. What goes beyond the budget is left out.
#[derive(Debug)]
pub(crate) struct Draft {
    /// The title that the file declares.
    pub(crate) title: Option<String>,
    /// In reading order.
    pub(crate) sections: Vec<Section>,
    /// Picture files by their names.
    pub(crate) pictures: BTreeMap<String, Vec<u8>>,
    left: usize,
}

/// A part of a document that starts on a new page.
#[derive(Debug)]
pub(crate) struct Section {
    /// What its pages are like.
    pub(crate) shape: Shape,
    /// In reading order.
    pub(crate) parts: Vec<Part>,
}

/// What the pages of a section are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Shape {
    /// A4, as many as are needed.
    #[default]
    Flow,
    /// One page of the original: a single page, longer than A4 if need be.
    Whole,
    /// A slide: a single page, wide, longer if need be.
    Slide,
    /// Wide tables make wide pages.
    Sheet,
}

/// A piece of a section.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Part {
    /// A heading of a level from 1 on: an entry of the outline.
    Heading(u8, String),
    /// A bold line that is no heading.
    Label(String),
    /// A paragraph; line breaks in it are kept.
    Text(String),
    /// An item of a list at a depth from 0 on, with its bullet or number.
    Item(u8, String),
    /// A table.
    Table(Table),
    /// A picture, by its name among those of the draft.
    Picture(String),
}

/// Rows of cells; rows may differ in length.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Table {
    /// The rows from top to bottom.
    pub(crate) rows: Vec<Vec<String>>,
    /// True if the first row names the columns: it is repeated on each page.
    pub(crate) has_head: bool,
}

impl Default for Draft {
    fn default() -> Self {
        Self { title: None, sections: Vec::new(), pictures: BTreeMap::new(), left: MOST }
    }
}

impl Draft {
    /// Starts a section; further parts go there.
    pub(crate) fn start(&mut self, shape: Shape) {
        if self.spend(SECTION) {
            self.sections.push(Section { shape, parts: Vec::new() });
        }
    }

    /// Adds a part to the last section, which is started if there is none. A part without text is left out.
    pub(crate) fn push(&mut self, mut part: Part) {
        if self.sections.is_empty() {
            self.start(Shape::Flow);
        }
        let before = self.left;
        // A heading is an entry of the outline too.
        let weight = if matches!(part, Part::Heading(..)) { 8 } else { 1 };
        let fits = match &mut part {
            Part::Heading(_, text) | Part::Label(text) | Part::Text(text) | Part::Item(_, text) => {
                text.truncate(text.trim_end().len());
                let lines = weight + text.matches('\n').count();
                if !text.is_empty() && !self.spend(text.len() + LINE * lines) {
                    // Its beginning is better than nothing.
                    text.truncate(text.floor_char_boundary(before / LINE));
                }
                true
            }
            Part::Picture(_) => self.spend(SECTION),
            Part::Table(table) => {
                let fitting = table.rows.iter().take_while(|row| self.spend(cost(row))).count();
                table.rows.truncate(fitting);
                true
            }
        };
        if let Some(section) = self.sections.last_mut()
            && fits
            && !part.is_empty()
        {
            section.parts.push(part);
        }
    }

    /// Notes that what follows of the document is left out.
    pub(crate) fn cut(&mut self) {
        self.left = 0;
    }

    /// The names of pictures that the parts want.
    pub(crate) fn wanted(&self) -> BTreeSet<String> {
        let parts = self.sections.iter().flat_map(|section| &section.parts);
        parts.filter_map(|part| if let Part::Picture(name) = part { Some(name.clone()) } else { None }).collect()
    }

    /// True if part of the document was left out.
    pub(crate) fn is_cut(&self) -> bool {
        self.left == 0
    }

    /// What of the document is not in the draft.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let detail =
            format!("it holds more than {} MiB of text, or more cells or lines; the rest was left out", MOST >> 20);
        let cut = Problem::of_document(ProblemCode::TextTooLong, Stage::Open, detail);
        self.is_cut().then_some(cut).into_iter().collect()
    }

    fn spend(&mut self, cost: usize) -> bool {
        let fits = cost < self.left;
        self.left = if fits { self.left - cost } else { 0 };
        fits
    }
}

impl Part {
    fn is_empty(&self) -> bool {
        match self {
            Self::Heading(_, text) | Self::Label(text) | Self::Text(text) | Self::Item(_, text) => text.is_empty(),
            Self::Picture(_) => false,
            Self::Table(table) => table.rows.iter().flatten().all(|cell| cell.trim().is_empty()),
        }
    }
}

/// What a row costs of the budget.
pub(crate) fn cost(row: &[String]) -> usize {
    LINE + row.iter().map(|cell| LINE + cell.len()).sum::<usize>()
}
