//! Drawing on a page picture, and writing it as PNG.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Context;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use recto_page::{PageImage, Region};

/// A colour.
pub(crate) type Rgb = [u8; 3];

/// Of JPEG, 1 to 100: small letters stay sharp.
const QUALITY: u8 = 85;

/// The colour of a marker pen.
const MARK: Rgb = [255, 235, 90];

/// Marks regions as with a marker pen: what is dark stays readable.
pub(crate) fn mark(image: &mut PageImage, regions: &[Region]) {
    for region in regions {
        let [left, top, right, bottom] = pixels(image, *region);
        for y in top..bottom {
            for x in left..right {
                multiply(image, x, y, MARK);
            }
        }
    }
}

/// True if the path stands for standard output.
pub(crate) fn is_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Writes a PNG file. It gets its name once it is whole, so that who is stopped leaves no part of a picture under it; what
/// is no ordinary file is written to as it stands.
pub(crate) fn write_png(image: &PageImage, path: &Path) -> anyhow::Result<()> {
    let bytes = png(image)?;
    let write = || -> io::Result<()> {
        if is_output(path) {
            return io::stdout().lock().write_all(&bytes);
        }
        if path.exists() && !path.is_file() {
            return fs::write(path, &bytes);
        }
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        // To be read by whoever may read new files.
        let mut new = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
        new.write_all(&bytes)?;
        new.persist(path)?;
        Ok(())
    };
    write().with_context(|| path.display().to_string())
}

/// The picture as a PNG file in memory.
pub(crate) fn png(image: &PageImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    encode_png(image, &mut bytes)?;
    Ok(bytes)
}

/// The picture as a JPEG file in memory: smaller than PNG for scans and photographs.
pub(crate) fn jpeg(image: &PageImage) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    encoder.encode(&image.rgb, image.width, image.height, ExtendedColorType::Rgb8)?;
    Ok(bytes)
}

fn encode_png(image: &PageImage, file: impl Write) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(file, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgb)?;
    writer.finish()
}

/// A frame of this width within the region.
pub(crate) fn outline(image: &mut PageImage, region: Region, colour: Rgb, width: u32) {
    let [left, top, right, bottom] = pixels(image, region);
    for inset in 0..width {
        for x in left..right {
            set(image, x, top + inset, colour);
            set(image, x, bottom.saturating_sub(1 + inset), colour);
        }
        for y in top..bottom {
            set(image, left + inset, y, colour);
            set(image, right.saturating_sub(1 + inset), y, colour);
        }
    }
}

/// The region in pixels: left, top, right, bottom.
pub(crate) fn pixels(image: &PageImage, region: Region) -> [u32; 4] {
    let x = |v: f32| (v * image.width as f32).round() as u32;
    let y = |v: f32| (v * image.height as f32).round() as u32;
    [x(region.left()), y(region.top()), x(region.right()), y(region.bottom())]
}

/// Colours a pixel, if the picture has it.
pub(crate) fn set(image: &mut PageImage, x: u32, y: u32, colour: Rgb) {
    if let Some(pixel) = pixel(image, x, y) {
        pixel.copy_from_slice(&colour);
    }
}

fn multiply(image: &mut PageImage, x: u32, y: u32, colour: Rgb) {
    if let Some(pixel) = pixel(image, x, y) {
        for (channel, factor) in pixel.iter_mut().zip(colour) {
            *channel = (u16::from(*channel) * u16::from(factor) / 255) as u8;
        }
    }
}

fn pixel(image: &mut PageImage, x: u32, y: u32) -> Option<&mut [u8]> {
    if x >= image.width || y >= image.height {
        return None;
    }
    let start = 3 * (y as usize * image.width as usize + x as usize);
    image.rgb.get_mut(start..start + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marking_changes_the_region_only_and_keeps_black() {
        let mut image = PageImage { width: 4, height: 2, dpi: 72, rgb: vec![255; 24] };
        image.rgb[..3].copy_from_slice(&[0; 3]);
        mark(&mut image, &[Region::new(0.0, 0.0, 0.5, 0.5)]);
        assert_eq!(image.rgb[..9], [0, 0, 0, 255, 235, 90, 255, 255, 255]);
        assert!(image.rgb[12..].iter().all(|v| *v == 255));
    }
}
