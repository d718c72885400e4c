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

impl PageImage {
    /// A part of the picture, down to a pixel at least.
    #[must_use]
    pub fn crop(&self, region: Region) -> Self {
        let pixels = |from: f32, to: f32, count: u32| {
            let first = ((from * count as f32) as u32).min(count.saturating_sub(1));
            (first, ((to * count as f32).ceil() as u32).clamp(first + 1, count.max(first + 1)))
        };
        let (left, right) = pixels(region.left(), region.right(), self.width);
        let (top, bottom) = pixels(region.top(), region.bottom(), self.height);
        let row = |y: u32| {
            let start = 3 * (y as usize * self.width as usize);
            self.rgb.get(start + 3 * left as usize..start + 3 * right as usize).unwrap_or_default()
        };
        let rgb = (top..bottom).flat_map(row).copied().collect();
        Self { width: right - left, height: bottom - top, dpi: self.dpi, rgb }
    }
}

/// Whoever can draw a page: the renderer behind the index, or a fake in tests.
pub trait PageImages {
    /// Draws `region` of the page at `dpi` dots per inch.
    ///
    /// # Errors
    /// When there is no such page, or it can't be drawn.
    fn image(&self, page: &PageId, region: Region, dpi: u32) -> Result<PageImage>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_picture_has_its_pixels() {
        let image = PageImage { width: 4, height: 2, dpi: 72, rgb: (0..24).collect() };
        let check = |region: [f64; 4], (width, height): (u32, u32), first: u8| {
            let [left, top, right, bottom] = region;
            let part = image.crop(Region::new(left, top, right, bottom));
            assert_eq!((part.width, part.height, part.rgb.first()), (width, height, Some(&first)), "{region:?}");
            assert_eq!(part.rgb.len(), 3 * (width * height) as usize, "{region:?}");
        };
        check([0.0, 0.0, 1.0, 1.0], (4, 2), 0);
        check([0.5, 0.5, 1.0, 1.0], (2, 1), 18);
        check([0.3, 0.0, 0.4, 0.5], (1, 1), 3);
        check([1.0, 1.0, 1.0, 1.0], (1, 1), 21);
    }
}
