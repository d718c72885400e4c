//! Pictures within documents, as a PDF holds them: JPEG as it is, all else as plain pixels.

use image::imageops;
use pdf_writer::{Filter, Name, Pdf, Ref};

use crate::image_document;

/// So many pixels of pictures that are no JPEG are taken apart for a document; opening it would take too long otherwise.
const MOST_PIXELS: u64 = 40_000_000;

/// A picture keeps no more pixels than these on its longer side.
const LONGEST: u32 = 2000;

/// Pixels of an inch of a picture that stands on a page.
const DPI: f32 = 96.0;

/// A picture ready to be written.
pub(super) struct Picture {
    width: u32,
    height: u32,
    /// Samples of a pixel.
    channels: u8,
    is_jpeg: bool,
    data: Vec<u8>,
}

impl Picture {
    /// Reads a picture file; `None` if it can't be read, or goes beyond the pixels that are `left`.
    pub(super) fn read(bytes: &[u8], left: &mut u64) -> Option<Self> {
        if let Some((width, height, channels)) = jpeg_size(bytes) {
            return Some(Self { width, height, channels, is_jpeg: true, data: bytes.to_vec() });
        }
        let image = image_document::rgb(bytes, *left)?;
        *left = left.saturating_sub(u64::from(image.width()) * u64::from(image.height()));
        let longer = image.width().max(image.height());
        let scaled = |side: u32| (u64::from(side) * u64::from(LONGEST) / u64::from(longer)).max(1) as u32;
        let image = match longer > LONGEST {
            true => imageops::thumbnail(&image, scaled(image.width()), scaled(image.height())),
            false => image,
        };
        let (width, height) = image.dimensions();
        Some(Self { width, height, channels: 3, is_jpeg: false, data: image.into_raw() })
    }

    /// The pixels that pictures of a document may have.
    pub(super) const fn budget() -> u64 {
        MOST_PIXELS
    }

    /// Width and height in points within these bounds.
    pub(super) fn size(&self, room: (f32, f32)) -> (f32, f32) {
        let (width, height) = (self.width as f32 * 72.0 / DPI, self.height as f32 * 72.0 / DPI);
        let scale = (room.0 / width).min(room.1 / height).min(1.0);
        (width * scale, height * scale)
    }

    /// Writes the picture as an object.
    pub(super) fn write(&self, pdf: &mut Pdf, id: Ref) {
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        let mut object = pdf.image_xobject(id, &self.data);
        object.width(side(self.width)).height(side(self.height)).bits_per_component(8);
        let space: &[u8] = match self.channels {
            1 => b"DeviceGray",
            4 => b"DeviceCMYK",
            _ => b"DeviceRGB",
        };
        object.pair(Name(b"ColorSpace"), Name(space));
        if self.is_jpeg {
            object.filter(Filter::DctDecode);
        }
    }
}

/// Width, height and samples of a pixel of a JPEG file.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32, u8)> {
    let mut rest = bytes.strip_prefix(b"\xFF\xD8")?;
    loop {
        let [0xFF, marker, high, low, ..] = rest else { return None };
        match (marker, rest.get(4..)?) {
            // Start of a frame, but for tables that share its numbers.
            (0xC0..=0xCF, [_, h1, h0, w1, w0, channels, ..]) if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
                let (width, height) = (side(*w1, *w0), side(*h1, *h0));
                return (width > 0 && height > 0).then_some((width, height, *channels));
            }
            _ => rest = rest.get(2 + usize::from(u16::from_be_bytes([*high, *low]))..)?,
        }
    }
}
