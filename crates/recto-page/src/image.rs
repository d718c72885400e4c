//! The picture of a page.

use serde::{Deserialize, Serialize};

use crate::{PageId, Region, Result};

/// Pixels of a page or a part of it: 8-bit RGB, row by row from the top, no padding (`3 * width * height` bytes).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PageImage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The resolution that was rendered, in dots per inch: less than asked for where the pixel budget required it.
    pub dpi: u32,
    /// `3 * width * height` bytes.
    pub rgb: Vec<u8>,
}

/// Whoever can draw a page: the renderer behind the index, or a fake in tests.
pub trait PageImages {
    /// Draws `region` of the page at `dpi` dots per inch.
    ///
    /// # Errors
    /// When there is no such page, or it can't be drawn.
    fn image(&self, page: &PageId, region: Region, dpi: u32) -> Result<PageImage>;
}
