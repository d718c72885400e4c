//! Pictures of pages: a page or a part of it, at the resolution asked for or the highest that is affordable.

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::peniko::ImageAlphaType;
use hayro::vello_cpu::{Pixels, Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use recto_page::{PageImage, Region};

use super::geometry::Geometry;
use crate::pixel_grid::affordable;

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

fn rgb(pixmap: Pixmap) -> Vec<u8> {
    match pixmap.try_take_rgb8(ImageAlphaType::Alpha) {
        Pixels::Rgb8(data) => data,
        Pixels::Rgba8(data) => data.chunks_exact(4).flat_map(|p| p.iter().take(3)).copied().collect(),
    }
}
