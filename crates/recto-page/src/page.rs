//! A page as recto knows it: its size, its text and where that came from, its links and what went wrong.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{HiddenText, OcrRecord, PageId, PageNumber, Problem, Region, Result, Table, TextLayer};

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
    /// Why it came from there.
    pub text_reason: TextReason,
    /// What the file says is written on the page, as far as a reader can see it.
    pub text_layer: TextLayer,
    /// What was read off the page's picture, if it was.
    pub ocr: Option<OcrRecord>,
    /// What the file says and a reader can't see.
    pub hidden: Vec<HiddenText>,
    /// The tables in what is read.
    pub tables: Vec<Table>,
    /// Pictures on the page that may hold text which the text layer lacks.
    pub pictures: Vec<Region>,
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
            text_reason: TextReason::Unread,
            text_layer: TextLayer::default(),
            ocr: None,
            hidden: Vec::new(),
            tables: Vec::new(),
            pictures: Vec::new(),
            given_text: None,
            links: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// What search and answers read: the text layer, what was read off the picture, both or nothing, as `text_source`
    /// says. A layer that makes no sense stays in the record and is not read.
    pub fn reading(&self) -> Cow<'_, TextLayer> {
        match (self.text_source, &self.ocr) {
            (TextSource::Ocr, Some(ocr)) => Cow::Borrowed(&ocr.layer),
            (TextSource::Mixed, Some(ocr)) => Cow::Owned(self.text_layer.clone().followed_by(&ocr.layer)),
            (TextSource::None | TextSource::Given, _) => Cow::Owned(TextLayer::default()),
            _ => Cow::Borrowed(&self.text_layer),
        }
    }

    /// The page's text: what is read from it, else the text given beside the file, else empty.
    pub fn text(&self) -> String {
        let reading = self.reading();
        match &self.given_text {
            Some(text) if reading.is_empty() => text.clone(),
            _ => reading.text(),
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
    /// The file's own text layer, which is an earlier reading of a scan.
    OcrLayer,
    /// Read off the page's picture.
    Ocr,
    /// The text layer, and what was read off pictures on the page.
    Mixed,
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
            Self::OcrLayer => "ocr_layer",
            Self::Ocr => "ocr",
            Self::Mixed => "mixed",
            Self::Given => "given",
            Self::None => "none",
        }
    }
}

/// Why the text of a page is taken from where it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextReason {
    /// The page could not be read.
    Unread,
    /// The text layer reads well.
    GoodLayer,
    /// Invisible text lies over a picture of the page: the scanner's own reading.
    ScannerLayer,
    /// Invisible text lies over a picture of the page and says something else than the picture.
    WrongScannerLayer,
    /// Little or no text over a picture.
    Scan,
    /// Little or no text, and many shapes that may be letters.
    Outlines,
    /// Too many letters without a known character.
    UnmappedGlyphs,
    /// Letters that make no words, as when their codes are shifted.
    Nonsense,
    /// Nothing is drawn on the page.
    Blank,
    /// Text came beside the file.
    Given,
}

impl TextReason {
    /// True if only the page's picture can tell what is written on it.
    pub const fn distrusts_layer(self) -> bool {
        matches!(self, Self::WrongScannerLayer | Self::Scan | Self::Outlines | Self::UnmappedGlyphs | Self::Nonsense)
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

    /// The documents of the corpus in order; none if the store does not tell.
    ///
    /// # Errors
    /// When the store can't be read.
    fn doc_ids(&self) -> Result<Vec<crate::DocId>> {
        Ok(Vec::new())
    }
}
