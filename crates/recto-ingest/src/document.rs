//! An opened document, whatever its format: the border behind which the PDF engine hides.

use recto_page::{HiddenText, Link, OutlineEntry, PageImage, PageNumber, PageSize, Problem, Region, TextLayer};

use crate::layout::Marks;
use crate::{AddedText, Counts, Result};

/// An opened document. Pages are numbered `1..=n_pages`; asking for another page gives an error or nothing.
///
/// Nothing here has a time or memory limit, and hostile files can take long: call it in a worker process.
pub trait OpenDocument {
    /// Number of pages.
    fn n_pages(&self) -> u32;

    /// The title that the file declares.
    fn title(&self) -> Option<String>;

    /// The table of contents.
    fn outline(&self) -> Vec<OutlineEntry>;

    /// Problems of the document as a whole.
    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }

    /// True if its text needs no judgement, because the file holds text and the pages were made from it.
    fn has_certain_text(&self) -> bool {
        false
    }

    /// The printed number that the file declares for a page.
    fn label(&self, page: PageNumber) -> Option<String>;

    /// Size in points of a page as displayed (after `/Rotate`, CropBox and UserUnit).
    ///
    /// # Errors
    /// When there is no such page.
    fn size(&self, page: PageNumber) -> Result<PageSize>;

    /// The words of a page in the order of columns and lines, and what could not be read of them.
    ///
    /// # Errors
    /// When there is no such page.
    fn text(&self, page: PageNumber) -> Result<PageText>;

    /// The link areas of a page.
    fn links(&self, page: PageNumber) -> Vec<Link>;

    /// Draws `region` of a page at `dpi`, or at the highest lower dpi that needs no more than `max_pixels`.
    ///
    /// The picture of the whole page has the pixel size `ceil` of points × dpi / 72, as the reference renderer gives it.
    ///
    /// # Errors
    /// When there is no such page or it can't be drawn.
    fn render(&self, page: PageNumber, region: Region, dpi: u32, max_pixels: u64) -> Result<PageImage>;
}

/// What a page says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PageText {
    /// The words, lines and blocks; neither tables nor kinds of blocks are known yet.
    pub layer: TextLayer,
    /// What is drawn beside them, as far as their layout needs it.
    pub marks: Marks,
    /// Texts of form fields and notes, which may be among the words or not.
    pub added: Vec<AddedText>,
    /// What the file says and a reader can't see.
    pub hidden: Vec<HiddenText>,
    /// Pictures that may hold text which the words lack.
    pub pictures: Vec<Region>,
    /// The share of the page that pictures cover, from 0 to 1.
    pub picture_share: f32,
    /// What tells whether the words are to be trusted.
    pub counts: Counts,
    /// What could not be read.
    pub problems: Vec<Problem>,
}
