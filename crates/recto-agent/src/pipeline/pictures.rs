//! Pictures of pages as models are shown them. Where they are drawn, and what keeps them, is for others to say.

use recto_model::ChatImage;
use recto_page::{PageId, PageImages, Region};

/// Gives pictures of pages as models are shown them.
pub trait Pictures {
    /// A part of a page at this resolution, in dots per inch; `None` if it can't be drawn.
    fn picture(&self, page: &PageId, region: Region, dpi: u32) -> Option<ChatImage>;
}

/// Draws each anew.
impl<I: PageImages> Pictures for I {
    fn picture(&self, page: &PageId, region: Region, dpi: u32) -> Option<ChatImage> {
        ChatImage::of(&self.image(page, region, dpi).ok()?).ok()
    }
}
