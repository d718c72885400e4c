//! Parts of page pictures: which are allowed, and which pixels they are.

use recto_page::PageImage;
use serde::{Deserialize, Serialize};

use crate::handle::PageHandle;

/// The least width and height, as a fraction of the page.
pub const MIN_SIDE: f64 = 0.01;

/// Left, top, right, bottom as fractions of the page's picture.
pub type CropRegion = [f64; 4];

/// A part of a page.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Crop {
    /// The page.
    pub page: PageHandle,
    /// Which part.
    pub region: CropRegion,
}

/// Why a region can't be cut out; `None` if it can. Sides are compared as floating-point numbers, as the reference does:
/// 0.05 to 0.06 is too thin.
pub fn fault(region: CropRegion) -> Option<&'static str> {
    let [left, top, right, bottom] = region;
    if !region.iter().all(|v| (0.0..=1.0).contains(v)) {
        return Some("coordinates are fractions of the page from 0 to 1, not pixels or percent");
    }
    let empty = right - left < MIN_SIDE || bottom - top < MIN_SIDE;
    empty.then_some("x2 must exceed x1, and y2 exceed y1, by 0.01 at least")
}

/// The pixels of a region in a picture of this size: left, top, right, bottom. Halves go to the even number, as Python
/// rounds.
pub fn pixel_box((width, height): (u32, u32), region: CropRegion) -> [u32; 4] {
    let pixel = |fraction: f64, size: u32| (fraction * f64::from(size)).round_ties_even() as u32;
    let [left, top, right, bottom] = region;
    [pixel(left, width), pixel(top, height), pixel(right, width), pixel(bottom, height)]
}

/// Cuts a region out of a page's picture; `None` if no pixel is in it.
pub fn cut(image: &PageImage, region: CropRegion) -> Option<PageImage> {
    let [left, top, right, bottom] = pixel_box((image.width, image.height), region);
    let (width, height) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
    if width == 0 || height == 0 {
        return None;
    }
    let row = |y: u32| {
        let start = 3 * (y as usize * image.width as usize);
        image.rgb.get(start + 3 * left as usize..start + 3 * right as usize)
    };
    let rgb = (top..bottom).map(row).collect::<Option<Vec<_>>>()?.concat();
    Some(PageImage { width, height, dpi: image.dpi, rgb })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden;

    fn region(value: &serde_json::Value) -> CropRegion {
        golden::numbers(value).try_into().unwrap()
    }

    #[test]
    fn golden_regions() {
        let vectors = golden::vectors("crop_valid");
        for vector in &vectors {
            let fault = fault(region(&vector["region"]));
            assert_eq!(fault.is_none(), vector["valid"].as_bool().unwrap(), "{vector}: {fault:?}");
        }
        assert_eq!(vectors.len(), 9);
    }

    #[test]
    fn golden_boxes() {
        let vectors = golden::vectors("crop_box");
        for vector in &vectors {
            let size = golden::numbers(&vector["size"]);
            let pixels = pixel_box((size[0] as u32, size[1] as u32), region(&vector["region"]));
            assert_eq!(serde_json::json!(pixels), vector["box"], "{vector}");
        }
        assert_eq!(vectors.len(), 5);
    }

    #[test]
    fn a_crop_has_its_pixels() {
        let image = PageImage { width: 4, height: 2, dpi: 72, rgb: (0..24).collect() };
        let part = cut(&image, [0.25, 0.5, 0.75, 1.0]).unwrap();
        assert_eq!((part.width, part.height, part.rgb.as_slice()), (2, 1, &[15, 16, 17, 18, 19, 20][..]));
        assert_eq!(cut(&image, [0.0, 0.0, 0.1, 1.0]), None);
        assert!(fault([f64::NAN, 0.0, 1.0, 1.0]).is_some());
    }
}
