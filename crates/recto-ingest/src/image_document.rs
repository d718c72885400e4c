//! Image files as documents: of one page, or in the case of TIFF of several.

use std::cell::RefCell;
use std::io::Cursor;

use image::metadata::Orientation;
use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, RgbImage, imageops,
};
use recto_page::{Link, OutlineEntry, PageImage, PageNumber, PageSize, ProblemCode, Region};

use crate::document::{OpenDocument, PageText};
use crate::pixel_grid::{Window, affordable, pixels};
use crate::{Counts, IngestError, Result, grey_alpha, image_resolution, tiff_pages};

/// An image that declares no resolution is taken to have this one, so that it is shown pixel by pixel at 144 dpi.
const ASSUMED_DPI: f32 = 144.0;

/// Larger images are not decoded: A0 at 300 dpi has 140 million pixels.
const MAX_PIXELS: u64 = 160_000_000;

/// Memory that decoding may take.
const MAX_BYTES: u64 = 1 << 30;

/// An opened PNG, JPEG, TIFF or WebP file. It is decoded each time it is drawn.
pub struct ImageDocument {
    /// In a TIFF file the head points to the page that was last drawn.
    bytes: RefCell<Vec<u8>>,
    format: ImageFormat,
    /// The pages; none in place of one whose head is damaged.
    pages: Vec<Option<Picture>>,
}

/// A page of an image file.
#[derive(Clone, Copy)]
struct Picture {
    /// Where a TIFF file describes it.
    offset: Option<u64>,
    /// As displayed, after the orientation that the file declares.
    pixels: (u32, u32),
    size: PageSize,
}

impl ImageDocument {
    /// True if the bytes start like an image file that can be read.
    pub fn recognises(bytes: &[u8]) -> bool {
        format_of(bytes).is_some()
    }

    /// Reads an image file's head. The page's size in points follows from the resolution that the file declares, or
    /// from 144 dpi.
    ///
    /// # Errors
    /// [`IngestError::Open`] with the code `empty_file`, `unsupported_format` or `damaged`.
    pub fn open(mut bytes: Vec<u8>) -> Result<Self> {
        if bytes.is_empty() {
            return refuse(ProblemCode::EmptyFile, "the file has no bytes");
        }
        let Some(format) = format_of(&bytes) else {
            return refuse(ProblemCode::UnsupportedFormat, "the file is no PNG, JPEG, TIFF or WebP image");
        };
        let offsets = if format == ImageFormat::Tiff { tiff_pages::offsets(&bytes) } else { Vec::new() };
        let mut pages = vec![Some(picture(&bytes, format, offsets.first().copied())?)];
        for offset in offsets.into_iter().skip(1) {
            tiff_pages::turn_to(&mut bytes, offset);
            pages.push(picture(&bytes, format, Some(offset)).ok());
        }
        Ok(Self { bytes: RefCell::new(bytes), format, pages })
    }

    fn picture(&self, page: PageNumber) -> Result<Picture> {
        let picture = self.pages.get(page.index()).ok_or(IngestError::NoPage(page))?;
        picture.ok_or_else(|| IngestError::NotDrawn { page, why: "the image's head is damaged".into() })
    }

    fn decode(&self, picture: Picture) -> std::result::Result<RgbImage, String> {
        let (width, height) = picture.pixels;
        if u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(format!("{width} x {height} pixels are more than the limit of {MAX_PIXELS}"));
        }
        let mut bytes = self.bytes.borrow_mut();
        if let Some(offset) = picture.offset {
            tiff_pages::turn_to(&mut bytes, offset);
        }
        let decoded = decode(&bytes, self.format).map_err(|error| error.to_string())?;
        Ok(on_white(decoded))
    }
}

impl OpenDocument for ImageDocument {
    fn n_pages(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    fn title(&self) -> Option<String> {
        None
    }

    fn outline(&self) -> Vec<OutlineEntry> {
        Vec::new()
    }

    fn label(&self, _page: PageNumber) -> Option<String> {
        None
    }

    fn size(&self, page: PageNumber) -> Result<PageSize> {
        Ok(self.picture(page)?.size)
    }

    fn text(&self, page: PageNumber) -> Result<PageText> {
        self.picture(page)?;
        Ok(PageText {
            pictures: vec![Region::FULL],
            picture_share: 1.0,
            counts: Counts { draws: true, ..Default::default() },
            ..Default::default()
        })
    }

    fn links(&self, _page: PageNumber) -> Vec<Link> {
        Vec::new()
    }

    fn render(&self, page: PageNumber, region: Region, dpi: u32, max_pixels: u64) -> Result<PageImage> {
        let picture = self.picture(page)?;
        let not_drawn = |why: String| IngestError::NotDrawn { page, why };
        let (dpi, window) = affordable(picture.size, region, dpi, max_pixels)
            .ok_or_else(|| not_drawn("it does not fit the pixel budget even at 1 dpi".into()))?;
        let image = self.decode(picture).map_err(not_drawn)?;
        let grid = (pixels(picture.size.width, dpi), pixels(picture.size.height, dpi));
        let rgb = scaled(&image, grid, window).into_raw();
        Ok(PageImage { width: window.width, height: window.height, dpi, rgb })
    }
}

/// The pixels of an image file as displayed, on white; `None` if it can't be read or has more than `most` pixels.
pub(crate) fn rgb(bytes: &[u8], most: u64) -> Option<RgbImage> {
    let format = format_of(bytes)?;
    let ((width, height), _) = head(bytes, format).ok()?;
    let fits = width > 0 && height > 0 && u64::from(width) * u64::from(height) <= most;
    if fits { decode(bytes, format).ok().map(on_white) } else { None }
}

fn format_of(bytes: &[u8]) -> Option<ImageFormat> {
    let supported = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Tiff, ImageFormat::WebP];
    image::guess_format(bytes).ok().filter(|format| supported.contains(format))
}

/// The first page that the head points to.
fn picture(bytes: &[u8], format: ImageFormat, offset: Option<u64>) -> Result<Picture> {
    let (pixels, turned) = match head(bytes, format) {
        Ok(head) => head,
        Err(ImageError::Unsupported(_)) => {
            return refuse(ProblemCode::UnsupportedFormat, "recto does not read images of this kind");
        }
        Err(_) => return refuse(ProblemCode::Damaged, "the image's head is damaged"),
    };
    if pixels.0 == 0 || pixels.1 == 0 {
        return refuse(ProblemCode::NoPages, "the image has no pixel");
    }
    let (x, y) = image_resolution::declared(bytes).unwrap_or((ASSUMED_DPI, ASSUMED_DPI));
    let (x, y) = if turned { (y, x) } else { (x, y) };
    let size = PageSize { width: pixels.0 as f32 * 72.0 / x, height: pixels.1 as f32 * 72.0 / y };
    Ok(Picture { offset, pixels, size })
}

/// Size in pixels as displayed, and whether the image lies on its side in the file.
fn head(bytes: &[u8], format: ImageFormat) -> image::ImageResult<((u32, u32), bool)> {
    let ((width, height), orientation) = match ImageReader::with_format(Cursor::new(bytes), format).into_decoder() {
        Ok(mut decoder) => (decoder.dimensions(), decoder.orientation()?),
        Err(error) => grey_alpha::head(bytes).ok_or(error)?,
    };
    let turned = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    Ok((if turned { (height, width) } else { (width, height) }, turned))
}

fn decode(bytes: &[u8], format: ImageFormat) -> image::ImageResult<DynamicImage> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    let mut decoder = match reader.into_decoder() {
        Ok(decoder) => decoder,
        Err(error) => return grey_alpha::decode(bytes, MAX_BYTES).ok_or(error),
    };
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    Ok(image)
}

fn on_white(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let image = image.into_rgba8();
    RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let [r, g, b, a] = image.get_pixel(x, y).0.map(u16::from);
        image::Rgb([r, g, b].map(|v| ((v * a + 255 * (255 - a) + 127) / 255) as u8))
    })
}

/// The part `window` of the image stretched to `grid` pixels.
fn scaled(image: &RgbImage, grid: (u32, u32), window: Window) -> RgbImage {
    let span = |from: u32, length: u32, grid: u32, side: u32| {
        let at = |pixel: u32| u64::from(pixel) * u64::from(side);
        let first = at(from) / u64::from(grid);
        let end = at(from + length).div_ceil(u64::from(grid));
        (first as u32, (end - first) as u32)
    };
    let (left, width) = span(window.left, window.width, grid.0, image.width());
    let (top, height) = span(window.top, window.height, grid.1, image.height());
    let part = image.view(left, top, width, height);
    if (width, height) == (window.width, window.height) {
        return part.to_image();
    }
    imageops::thumbnail(&*part, window.width, window.height)
}

fn refuse<T>(code: ProblemCode, detail: &str) -> Result<T> {
    Err(IngestError::Open { code, detail: detail.into() })
}

#[cfg(test)]
mod tests {
    use image::{ExtendedColorType, ImageEncoder};

    use super::*;

    fn png(pixels: &[u8], width: u32, height: u32, color: ExtendedColorType) -> Vec<u8> {
        let mut bytes = Vec::new();
        image::codecs::png::PngEncoder::new(&mut bytes).write_image(pixels, width, height, color).unwrap();
        bytes
    }

    fn draw(bytes: Vec<u8>, region: Region, dpi: u32) -> PageImage {
        ImageDocument::open(bytes).unwrap().render(PageNumber::FIRST, region, dpi, 1_000_000).unwrap()
    }

    #[test]
    fn pixels_of_every_kind_become_rgb_on_white() {
        let table: [(&[u8], ExtendedColorType, [u8; 3]); 6] = [
            (&[10, 20, 30], ExtendedColorType::Rgb8, [10, 20, 30]),
            (&[7], ExtendedColorType::L8, [7, 7, 7]),
            (&[0, 0, 0, 0], ExtendedColorType::Rgba8, [255, 255, 255]),
            (&[0, 100, 200, 128], ExtendedColorType::Rgba8, [127, 177, 227]),
            (&[0, 255], ExtendedColorType::La8, [0, 0, 0]),
            (&[0x80, 0x80, 0, 0, 0xFF, 0xFF], ExtendedColorType::Rgb16, [128, 0, 255]),
        ];
        for (pixel, color, want) in table {
            let image = draw(png(pixel, 1, 1, color), Region::FULL, 144);
            assert_eq!((image.width, image.height, image.rgb.as_slice()), (1, 1, &want[..]), "{color:?}");
        }
    }

    #[test]
    fn a_region_is_cut_out_and_the_budget_kept() {
        let pixels: Vec<u8> = (0..100).collect();
        let bytes = png(&pixels, 10, 10, ExtendedColorType::L8);
        let part = draw(bytes.clone(), Region::new(0.5, 0.2, 0.7, 0.3), 144);
        assert_eq!((part.width, part.height, part.rgb), (2, 1, vec![25, 25, 25, 26, 26, 26]));
        let document = ImageDocument::open(bytes).unwrap();
        let small = document.render(PageNumber::FIRST, Region::FULL, 144, 25).unwrap();
        assert_eq!((small.width, small.height, small.dpi), (5, 5, 72));
    }

    #[test]
    fn size_follows_resolution_and_orientation() {
        let mut jpeg = Vec::new();
        let mut encoder = image::codecs::jpeg::JpegEncoder::new(&mut jpeg);
        encoder.set_pixel_density(image::codecs::jpeg::PixelDensity::dpi(300));
        let turned = b"MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
        encoder.set_exif_metadata(turned).unwrap();
        encoder.write_image(&[90; 600 * 300], 600, 300, ExtendedColorType::L8).unwrap();
        let document = ImageDocument::open(jpeg).unwrap();
        assert_eq!(document.size(PageNumber::FIRST).unwrap(), PageSize { width: 72.0, height: 144.0 });
        let image = document.render(PageNumber::FIRST, Region::FULL, 72, 1_000_000).unwrap();
        assert_eq!((image.width, image.height), (72, 144));
        assert!(document.size(PageNumber::new(2).unwrap()).is_err());
    }

    /// A TIFF file of grey pages of 2 x 1 pixels; `kind` is their subfile type.
    fn tiff(pages: &[(u8, u8)]) -> Vec<u8> {
        let mut bytes = b"II*\0\x08\0\0\0".to_vec();
        for (index, (grey, kind)) in pages.iter().enumerate() {
            let start = bytes.len() as u32;
            let entries = [
                (254, *kind as u32),
                (256, 2),
                (257, 1),
                (258, 8),
                (262, 1),
                (273, start + 126),
                (277, 1),
                (278, 1),
                (279, 2),
            ];
            bytes.extend((entries.len() as u16 + 1).to_le_bytes());
            for (tag, value) in entries.iter().copied().chain([(296, 1)]) {
                bytes.extend([(tag as u16).to_le_bytes(), 4u16.to_le_bytes()].concat());
                bytes.extend([1u32.to_le_bytes(), value.to_le_bytes()].concat());
            }
            let next = if index + 1 < pages.len() { start + 128 } else { 0 };
            bytes.extend(next.to_le_bytes());
            bytes.extend([*grey, *grey]);
        }
        bytes
    }

    #[test]
    fn grey_with_transparency_is_shown_on_white() {
        let check = |bits: u32, samples: &[u8], want: [u8; 2]| {
            let mut bytes = b"II*\0\x08\0\0\0".to_vec();
            let entries = [
                (256, 2),
                (257, 1),
                (258, bits | bits << 16),
                (262, 1),
                (273, 8 + 2 + 10 * 12 + 4),
                (274, 3),
                (277, 2),
                (278, 1),
                (279, samples.len() as u32),
                (338, 2),
            ];
            bytes.extend((entries.len() as u16).to_le_bytes());
            for (tag, value) in entries {
                let (kind, count) = (3u16, if tag == 258 { 2u32 } else { 1 });
                bytes.extend([(tag as u16).to_le_bytes(), kind.to_le_bytes()].concat());
                bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
            }
            bytes.extend([0; 4]);
            bytes.extend(samples);
            let image = draw(bytes, Region::FULL, 144);
            assert_eq!((image.width, image.height, [image.rgb[0], image.rgb[3]]), (2, 1, want), "{bits} bits");
        };
        // The orientation 3 turns the picture by half.
        check(8, &[10, 255, 10, 0], [255, 10]);
        check(16, &[0, 0x40, 0xFF, 0xFF, 0, 0x80, 0xFF, 0xFF], [128, 64]);
    }

    #[test]
    fn every_page_of_a_tiff_file_is_a_page() {
        let grey = |document: &ImageDocument, page: u32| {
            let page = PageNumber::new(page).unwrap();
            document.render(page, Region::FULL, 144, 1_000_000).map(|image| image.rgb[0]).ok()
        };
        let document = ImageDocument::open(tiff(&[(10, 0), (20, 1), (30, 2), (40, 4)])).unwrap();
        assert_eq!(document.n_pages(), 2);
        assert_eq!([2, 1, 2, 3].map(|page| grey(&document, page)), [Some(30), Some(10), Some(30), None]);
        let mut circle = tiff(&[(10, 0), (20, 0)]);
        let end = circle.len() - 6;
        circle[end..end + 4].copy_from_slice(&8u32.to_le_bytes());
        assert_eq!(ImageDocument::open(circle).unwrap().n_pages(), 2);
        let mut damaged = tiff(&[(10, 0), (20, 0), (30, 0)]);
        damaged[8 + 128 + 2 + 12 + 8] = 0;
        let document = ImageDocument::open(damaged).unwrap();
        assert_eq!([1, 2, 3].map(|page| grey(&document, page)), [Some(10), None, Some(30)]);
    }

    #[test]
    fn bad_files_give_errors() {
        let code = |bytes: &[u8]| match ImageDocument::open(bytes.to_vec()).err() {
            Some(IngestError::Open { code, .. }) => code,
            other => panic!("an error expected, got {other:?}"),
        };
        assert_eq!(code(b""), ProblemCode::EmptyFile);
        assert_eq!(code(b"%PDF-1.7"), ProblemCode::UnsupportedFormat);
        assert_eq!(code(b"GIF89a"), ProblemCode::UnsupportedFormat);
        assert_eq!(code(b"\x89PNG\r\n\x1A\n"), ProblemCode::Damaged);
        assert_eq!(code(b"II*\0\xFF\xFF\xFF\xFF"), ProblemCode::Damaged);

        let mut cut = png(&[9; 5000], 100, 50, ExtendedColorType::L8);
        cut.truncate(60);
        let mut bomb = png(&[0], 1, 1, ExtendedColorType::L8);
        bomb[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
        let mut sum = crc(&bomb[12..29]).to_be_bytes();
        bomb[29..33].swap_with_slice(&mut sum);
        for bytes in [cut, bomb] {
            let document = ImageDocument::open(bytes).unwrap();
            let drawn = document.render(PageNumber::FIRST, Region::FULL, 72, 1_000_000);
            assert!(matches!(drawn, Err(IngestError::NotDrawn { .. })));
        }
    }

    fn crc(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
    }
}
