//! A page as recto knows it: its size, its text and where that came from, its links and what went wrong.

use serde::{Deserialize, Serialize};

use crate::{PageId, PageNumber, Problem, Region, Result, TextLayer};

/// Everything that is kept of one page. Its picture is rendered on demand (see [`crate::PageImages`]).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Page {
    /// The physical page, counted from 1.
    #[serde(rename = "page")]
    pub number: PageNumber,
    /// The number printed on the page as the file declares it (`iii`, `A-4`), if it declares one.
    pub label: Option<String>,
    /// Size as displayed.
    pub size: PageSize,
    /// Where the text that search and answers use came from.
    pub text_source: TextSource,
    /// What the file says is written on the page.
    pub text_layer: TextLayer,
    /// Text that came beside the file (batch records); used where the file itself has none.
    pub given_text: Option<String>,
    /// Link areas of the page.
    pub links: Vec<Link>,
    /// What went wrong on this page.
    pub problems: Vec<Problem>,
}

impl Page {
    /// A page of which nothing but its number and size is known yet.
    pub fn empty(number: PageNumber, size: PageSize) -> Self {
        Self {
            number,
            label: None,
            size,
            text_source: TextSource::None,
            text_layer: TextLayer::default(),
            given_text: None,
            links: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The page's text: that of its text layer, else the text given beside the file, else empty.
    pub fn text(&self) -> String {
        match &self.given_text {
            Some(text) if self.text_layer.is_empty() => text.clone(),
            _ => self.text_layer.text(),
        }
    }
}

/// Width and height in points (1/72 inch) of the page as displayed, after `/Rotate`, CropBox and UserUnit.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PageSize {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
}

/// Where the text of a page came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSource {
    /// The file's own text layer.
    Layer,
    /// Text given beside the file.
    Given,
    /// The page has no text that could be read.
    None,
}

impl TextSource {
    /// The name used in files and output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Layer => "layer",
            Self::Given => "given",
            Self::None => "none",
        }
    }
}

/// An area of the page that leads somewhere.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Link {
    /// The area that reacts.
    pub region: Region,
    /// Where it leads.
    pub target: LinkTarget,
}

/// Where a link leads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkTarget {
    /// An address outside the document, as text: it is shown, never followed.
    Uri(String),
    /// A page of the same document.
    Page(PageNumber),
}

/// Whoever can give the record of a page: the catalog, or a fake in tests.
pub trait Pages {
    /// The record of `id`; `None` if the corpus has no such page.
    ///
    /// # Errors
    /// When the store can't be read.
    fn page(&self, id: &PageId) -> Result<Option<Page>>;

    /// How many pages the document has; `None` if the corpus has no such document.
    ///
    /// # Errors
    /// When the store can't be read.
    fn n_pages(&self, doc: &crate::DocId) -> Result<Option<u32>>;
}
