//! Whoever carries out what an episode asks for: the index behind it, or a fake in tests. It knows pages by handles only.

use std::sync::Arc;

use recto_page::PageImage;
use serde::{Deserialize, Serialize};

use crate::crop::{self, Crop, CropRegion};
use crate::handle::{ImageHandle, PageHandle};

/// The tools behind an episode.
pub trait Toolbox {
    /// The best pages for a text, best first, at most `top_k`.
    ///
    /// # Errors
    /// When nothing can be searched for, or the index can't be read.
    fn search(&self, query: &str, top_k: usize) -> Result<Vec<Hit>, ToolError>;

    /// By which route it searches, such as `bm25`.
    fn search_route(&self) -> &str;

    /// A whole page as a picture.
    ///
    /// # Errors
    /// When it can't be drawn.
    fn page_image(&self, page: PageHandle) -> Result<Arc<PageImage>, ToolError>;

    /// The text read off a page or a part of it.
    ///
    /// # Errors
    /// When it can't be read.
    fn read_image(&self, page: PageHandle, region: Option<CropRegion>) -> Result<ReadText, ToolError>;

    /// The whole text of a page.
    ///
    /// # Errors
    /// When there is no record of it.
    fn page_text(&self, page: PageHandle) -> Result<String, ToolError>;
}

/// Why a tool gave nothing, as a sentence for the planner.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error, Serialize, Deserialize)]
#[error("{why}")]
pub struct ToolError {
    /// What happened, and what can be done.
    pub why: String,
}

/// A page that was found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hit {
    /// The page.
    pub page_handle: PageHandle,
    /// Comparable within one search only.
    pub score: f64,
}

/// Text that was read off a picture.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReadText {
    /// All of it.
    pub text: String,
    /// Its lines.
    pub blocks: Vec<TextBlock>,
    /// What read it.
    pub engine: String,
}

/// A line of text.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TextBlock {
    /// What it says.
    pub text: String,
    /// Left, top, right, bottom as fractions of the picture that was read.
    pub bbox: [f64; 4],
    /// How sure the reader is, 0 to 1; `None` where the file itself says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

/// What an episode wants done. Its pages exist, and it may see them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// Search.
    Search {
        /// The words.
        query: String,
        /// The most pages.
        top_k: usize,
    },
    /// Draw these pages.
    Inspect(Vec<PageHandle>),
    /// Draw these parts of pages.
    Crop(Vec<Crop>),
    /// Read a page, or a part of it.
    Ocr {
        /// What the planner calls it.
        target: ImageHandle,
        /// The page.
        page: PageHandle,
        /// Which part.
        region: Option<CropRegion>,
    },
    /// Give a page's text.
    PageText(PageHandle),
}

/// Width and height of a picture in pixels.
pub type Size = (u32, u32);

/// What came of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// Of a search.
    Found(Result<Vec<Hit>, ToolError>),
    /// Of drawing pages or parts, each for itself.
    Drawn(Vec<Result<Size, ToolError>>),
    /// Of reading a picture.
    Read(Result<ReadText, ToolError>),
    /// Of a page's text.
    Text(Result<String, ToolError>),
}

/// Carries out a call.
pub fn act(toolbox: &dyn Toolbox, call: &Call) -> Outcome {
    let size = |image: &PageImage| (image.width, image.height);
    match call {
        Call::Search { query, top_k } => Outcome::Found(toolbox.search(query, *top_k)),
        Call::Inspect(pages) => {
            Outcome::Drawn(pages.iter().map(|page| toolbox.page_image(*page).map(|image| size(&image))).collect())
        }
        Call::Crop(crops) => {
            Outcome::Drawn(crops.iter().map(|crop| part(toolbox, crop).map(|image| size(&image))).collect())
        }
        Call::Ocr { page, region, .. } => Outcome::Read(toolbox.read_image(*page, *region)),
        Call::PageText(page) => Outcome::Text(toolbox.page_text(*page)),
    }
}

/// The picture of a part of a page.
///
/// # Errors
/// When the page can't be drawn, or no pixel is in the region.
pub fn part(toolbox: &dyn Toolbox, of: &Crop) -> Result<PageImage, ToolError> {
    let image = toolbox.page_image(of.page)?;
    crop::cut(&image, of.region).ok_or_else(|| ToolError::new("the region holds no pixel of this small page"))
}

impl ToolError {
    /// An error that says this.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}
