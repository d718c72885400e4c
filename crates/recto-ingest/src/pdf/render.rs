//! Pictures of pages: a page or a part of it, at the resolution asked for or the highest that is affordable.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::peniko::ImageAlphaType;
use hayro::vello_cpu::{Pixels, Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use recto_page::{PageImage, PageSize, Region};

use super::geometry::Geometry;

/// The renderer measures pictures in 16 bits.
const MAX_SIDE: u32 = u16::MAX as u32;

/// What falls short of a whole pixel by less than this does not count, as in MuPDF.
const PIXEL_SLACK: f32 = 0.001;

/// Draws `region` on white, at `dpi` or the highest lower dpi that keeps to `max_pixels`; `None` if even one dot per
/// inch is too much (or `dpi` is 0).
///
/// A region is cut from the same pixel grid as the whole page: it equals a crop of the whole picture.
pub(crate) fn render<'a>(
    page: &'a Page<'a>,
    cache: &RenderCache<'a>,
    settings: &InterpreterSettings,
    region: Region,
    dpi: u32,
    max_pixels: u64,
) -> Option<PageImage> {
    let geometry = Geometry::of(page);
    let (dpi, window) = affordable(geometry.size(), region, dpi, max_pixels)?;
    let (width, height) = (u16::try_from(window.width).ok()?, u16::try_from(window.height).ok()?);
    let transform = Affine::translate((-f64::from(window.left), -f64::from(window.top)))
        * Affine::scale(f64::from(dpi) / 72.0)
        * geometry.to_display();

    let mut context = RenderContext::new(width, height);
    render_into(page, cache, settings, &RenderSettings::default(), &mut context, transform);
    context.flush();
    let mut pixmap = Pixmap::new(width, height);
    let on_white = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..Default::default() };
    context.render_with(&mut pixmap, &mut Resources::default(), on_white);
    Some(PageImage { width: window.width, height: window.height, dpi, rgb: rgb(pixmap) })
}

/// A rectangle of the whole page's pixel grid.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Window {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
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
fn affordable(size: PageSize, region: Region, dpi: u32, max_pixels: u64) -> Option<(u32, Window)> {
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
fn pixels(points: f32, dpi: u32) -> u32 {
    let exact = points * (f64::from(dpi) / 72.0) as f32;
    ((exact - PIXEL_SLACK).ceil() as u32).max(1)
}

/// First pixel and number of pixels that the fractions `from..to` of a side touch.
fn span(from: f32, to: f32, side: u32) -> (u32, u32) {
    let slack = f64::from(PIXEL_SLACK);
    let at = |fraction: f32| f64::from(fraction) * f64::from(side);
    let first = ((at(from) + slack).floor() as u32).min(side - 1);
    let end = ((at(to) - slack).ceil() as u32).clamp(first + 1, side);
    (first, end - first)
}

fn rgb(pixmap: Pixmap) -> Vec<u8> {
    match pixmap.try_take_rgb8(ImageAlphaType::Alpha) {
        Pixels::Rgb8(data) => data,
        Pixels::Rgba8(data) => data.chunks_exact(4).flat_map(|p| p.iter().take(3)).copied().collect(),
    }
}
