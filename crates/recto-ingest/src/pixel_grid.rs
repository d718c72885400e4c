//! Which pixels show which part of a page. Sizes agree with MuPDF's to the pixel, on whole pages.

use recto_page::{PageSize, Region};

/// The renderer measures pictures in 16 bits.
const MAX_SIDE: u32 = u16::MAX as u32;

/// What falls short of a whole pixel by less than this does not count, as in MuPDF.
const SLACK: f32 = 0.001;

/// A rectangle of the whole page's pixel grid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Window {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Window {
    fn of(size: PageSize, region: Region, dpi: u32) -> Self {
        let (left, width) = span(region.left(), region.right(), pixels(size.width, dpi));
        let (top, height) = span(region.top(), region.bottom(), pixels(size.height, dpi));
        Self { left, top, width, height }
    }

    fn fits(&self, max_pixels: u64) -> bool {
        let area = u64::from(self.width) * u64::from(self.height);
        self.width <= MAX_SIDE && self.height <= MAX_SIDE && area <= max_pixels
    }
}

/// The highest dpi up to `dpi` whose picture fits, with the part of the grid that it shows.
pub(crate) fn affordable(size: PageSize, region: Region, dpi: u32, max_pixels: u64) -> Option<(u32, Window)> {
    let fits = |dpi| Window::of(size, region, dpi).fits(max_pixels);
    let (mut good, mut bad) = (0, dpi.saturating_add(1));
    let mut probe = dpi;
    while bad - good > 1 {
        if fits(probe) {
            good = probe
        } else {
            bad = probe
        }
        probe = good.midpoint(bad);
    }
    (good > 0).then(|| (good, Window::of(size, region, good)))
}

/// Pixels along a side, as MuPDF rounds them (in single precision).
pub(crate) fn pixels(points: f32, dpi: u32) -> u32 {
    let exact = points * (f64::from(dpi) / 72.0) as f32;
    ((exact - SLACK).ceil() as u32).max(1)
}

/// First pixel and number of pixels that the fractions `from..to` of a side touch.
fn span(from: f32, to: f32, side: u32) -> (u32, u32) {
    let slack = f64::from(SLACK);
    let at = |fraction: f32| f64::from(fraction) * f64::from(side);
    let first = ((at(from) + slack).floor() as u32).min(side - 1);
    let end = ((at(to) - slack).ceil() as u32).clamp(first + 1, side);
    (first, end - first)
}
