//! Drawing on a page picture, and writing it as PNG.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::Context;
use recto_page::{PageImage, Region, TextLayer};

type Rgb = [u8; 3];

const WORD: Rgb = [70, 130, 220];
const BLOCK: Rgb = [220, 60, 60];
const ORDER: Rgb = [40, 160, 80];
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

/// Draws what is known of the page: words, blocks, and the order in which the blocks are read.
pub(crate) fn overlay(image: &mut PageImage, layer: &TextLayer) {
    for word in &layer.words {
        outline(image, word.region, WORD, 1);
    }
    for block in &layer.blocks {
        outline(image, block.region, BLOCK, 2);
    }
    for pair in layer.blocks.windows(2) {
        if let [from, to] = pair {
            line(image, from.region.center(), to.region.center(), ORDER);
        }
    }
}

pub(crate) fn write_png(image: &PageImage, path: &Path) -> anyhow::Result<()> {
    let context = || format!("{}", path.display());
    let file = BufWriter::new(File::create(path).with_context(context)?);
    let mut encoder = png::Encoder::new(file, image.width, image.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().with_context(context)?;
    writer.write_image_data(&image.rgb).with_context(context)?;
    writer.finish().with_context(context)
}

fn outline(image: &mut PageImage, region: Region, colour: Rgb, width: u32) {
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

fn line(image: &mut PageImage, from: (f32, f32), to: (f32, f32), colour: Rgb) {
    let (width, height) = (image.width as f32, image.height as f32);
    let (dx, dy) = ((to.0 - from.0) * width, (to.1 - from.1) * height);
    let steps = dx.abs().max(dy.abs()).ceil().max(1.0);
    for step in 0..=steps as u32 {
        let part = step as f32 / steps;
        let (x, y) = (from.0 * width + dx * part, from.1 * height + dy * part);
        for offset in 0..2 {
            set(image, x as u32 + offset, y as u32, colour);
        }
    }
}

fn pixels(image: &PageImage, region: Region) -> [u32; 4] {
    let x = |v: f32| (v * image.width as f32).round() as u32;
    let y = |v: f32| (v * image.height as f32).round() as u32;
    [x(region.left()), y(region.top()), x(region.right()), y(region.bottom())]
}

fn set(image: &mut PageImage, x: u32, y: u32, colour: Rgb) {
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
