//! TIFF pictures of grey with transparency, which the image library takes for something unknown. Of others it reads none.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer};
use tiff::ColorType;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

/// Size in pixels as stored, and how the picture is to be turned; `None` if it is of another kind.
pub(crate) fn head(bytes: &[u8]) -> Option<((u32, u32), Orientation)> {
    let mut decoder = decoder(bytes)?;
    let turned = decoder.find_tag_unsigned::<u8>(Tag::Orientation).ok().flatten();
    Some((decoder.dimensions().ok()?, turned.and_then(Orientation::from_exif).unwrap_or(Orientation::NoTransforms)))
}

/// The picture, as displayed, in no more memory than this.
pub(crate) fn decode(bytes: &[u8], most_bytes: u64) -> Option<DynamicImage> {
    let ((width, height), orientation) = head(bytes)?;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = usize::try_from(most_bytes).unwrap_or(usize::MAX);
    let mut image = match decoder(bytes)?.with_limits(limits).read_image().ok()? {
        DecodingResult::U8(samples) => DynamicImage::ImageLumaA8(ImageBuffer::from_raw(width, height, samples)?),
        DecodingResult::U16(samples) => DynamicImage::ImageLumaA16(ImageBuffer::from_raw(width, height, samples)?),
        _ => return None,
    };
    image.apply_orientation(orientation);
    Some(image)
}

fn decoder(bytes: &[u8]) -> Option<Decoder<Cursor<&[u8]>>> {
    let mut decoder = Decoder::new(Cursor::new(bytes)).ok()?;
    let kind = decoder.colortype().ok()?;
    matches!(kind, ColorType::Multiband { bit_depth: 8 | 16, num_samples: 2 }).then_some(decoder)
}
