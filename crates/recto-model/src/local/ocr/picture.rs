//! A picture to read: its pixels, turning and shrinking it. No text yet.

use std::borrow::Cow;

use recto_page::PageImage;

use crate::{ModelError, Result};

/// Pixels of red, green and blue.
#[derive(Clone)]
pub(crate) struct Picture<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) rgb: Cow<'a, [u8]>,
}

impl<'a> Picture<'a> {
    /// The pixels of a page's picture.
    pub(crate) fn new(image: &'a PageImage) -> Result<Self> {
        let (width, height) = (image.width as usize, image.height as usize);
        let wanted = width.checked_mul(height).and_then(|pixels| pixels.checked_mul(3));
        if wanted != Some(image.rgb.len()) {
            return Err(ModelError::BadPicture { width: image.width, height: image.height, bytes: image.rgb.len() });
        }
        Ok(Self { width, height, rgb: Cow::Borrowed(&image.rgb) })
    }

    /// The pixel at a place, or the nearest one.
    pub(crate) fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y.min(self.height.saturating_sub(1)) * self.width + x.min(self.width.saturating_sub(1))) * 3;
        self.rgb.get(at..at + 3).and_then(|bytes| bytes.try_into().ok()).unwrap_or([255; 3])
    }

    /// The pixels of a row.
    pub(crate) fn row(&self, y: usize) -> &[[u8; 3]] {
        self.rgb.as_chunks().0.get(y * self.width..(y + 1) * self.width).unwrap_or_default()
    }

    /// Turned clockwise by quarter turns.
    pub(crate) fn turned(&self, quarters: u8) -> Picture<'_> {
        let (w, h) = (self.width, self.height);
        let (width, height) = if quarters.is_multiple_of(2) { (w, h) } else { (h, w) };
        let source = |x: usize, y: usize| match quarters % 4 {
            1 => (y, h - 1 - x),
            2 => (w - 1 - x, h - 1 - y),
            3 => (w - 1 - y, x),
            _ => (x, y),
        };
        if quarters.is_multiple_of(4) {
            return Picture { width, height, rgb: Cow::Borrowed(&self.rgb) };
        }
        let mut rgb = Vec::with_capacity(self.rgb.len());
        for y in 0..height {
            for x in 0..width {
                let (x, y) = source(x, y);
                rgb.extend(self.pixel(x, y));
            }
        }
        Picture { width, height, rgb: Cow::Owned(rgb) }
    }

    /// Shrunk to a size by taking the mean of what falls into each pixel; never enlarged.
    pub(crate) fn shrunk(&self, width: usize, height: usize) -> Picture<'_> {
        let (width, height) = (width.max(1).min(self.width), height.max(1).min(self.height));
        if (width, height) == (self.width, self.height) {
            return Picture { width, height, rgb: Cow::Borrowed(&self.rgb) };
        }
        let mut rgb = Vec::with_capacity(width * height * 3);
        for y in 0..height {
            let rows = (y * self.height / height)..((y + 1) * self.height / height);
            for x in 0..width {
                let columns = (x * self.width / width)..((x + 1) * self.width / width);
                rgb.extend(self.mean(rows.clone(), columns));
            }
        }
        Picture { width, height, rgb: Cow::Owned(rgb) }
    }

    fn mean(&self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> [u8; 3] {
        let count = (rows.len() * columns.len()).max(1) as u32;
        let mut sum = [0_u32; 3];
        for y in rows {
            for pixel in self.row(y).get(columns.clone()).unwrap_or_default() {
                sum.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += u32::from(*value));
            }
        }
        sum.map(|sum| (sum / count) as u8)
    }
}

/// How bright a pixel is, 0 to 255 (ITU-R BT.601, in 256ths).
pub(crate) fn luma([r, g, b]: [u8; 3]) -> u8 {
    ((u32::from(r) * 77 + u32::from(g) * 150 + u32::from(b) * 29) >> 8) as u8
}
