//! An opened document, whatever its format: the border behind which the PDF engine hides.

use recto_page::{Link, OutlineEntry, PageImage, PageNumber, PageSize, Problem, Region, Table, TextLayer};

use crate::Result;

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

    /// The printed number that the file declares for a page.
    fn label(&self, page: PageNumber) -> Option<String>;

    /// Size in points of a page as displayed (after `/Rotate`, CropBox and UserUnit).
    ///
    /// # Errors
    /// When there is no such page.
    fn size(&self, page: PageNumber) -> Result<PageSize>;

    /// The words of a page in reading order, and what could not be read of them.
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
    /// The words, lines and blocks.
    pub layer: TextLayer,
    /// The tables among them.
    pub tables: Vec<Table>,
    /// True if the page has words, be they hidden, or anything else is drawn on it (a shape, a picture).
    pub draws: bool,
    /// What could not be read.
    pub problems: Vec<Problem>,
}
