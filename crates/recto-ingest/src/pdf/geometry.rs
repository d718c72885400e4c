//! Where a page's coordinates lie on the page as displayed. Not pixels: those are the renderer's (see `render`).

use hayro::hayro_syntax::object::Rect;
use hayro::hayro_syntax::object::dict::keys::USER_UNIT;
use hayro::hayro_syntax::page::{A4, Page, Rotation};
use hayro::kurbo::{self, Affine};
use recto_page::{PageSize, Region};

/// What a page without a usable MediaBox measures: US Letter, as MuPDF takes it.
const LETTER: Rect = Rect::new(0.0, 0.0, 612.0, 792.0);

/// The visible part of a page and how it is turned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    visible: Rect,
    quarter_turns: i32,
    unit: f64,
}

impl Geometry {
    /// Reads the boxes of a page. The result always has an area; nonsense is replaced as MuPDF replaces it.
    ///
    /// `UserUnit` scales the page as in MuPDF and Acrobat (pdfium ignores it).
    pub(crate) fn of(page: &Page<'_>) -> Self {
        let unit = page.raw().get::<f32>(USER_UNIT).filter(|u| *u > 0.0 && u.is_finite());
        Self {
            visible: visible_box(page),
            quarter_turns: match page.rotation() {
                Rotation::None => 0,
                Rotation::Horizontal => 1,
                Rotation::Flipped => 2,
                Rotation::FlippedHorizontal => 3,
            },
            unit: unit.map_or(1.0, f64::from),
        }
    }

    /// Size in points as displayed.
    pub(crate) fn size(&self) -> PageSize {
        let (w, h) = (self.visible.width() * self.unit, self.visible.height() * self.unit);
        let (width, height) = if self.quarter_turns % 2 == 0 { (w, h) } else { (h, w) };
        PageSize { width: width as f32, height: height as f32 }
    }

    /// From the page's own coordinates to points as displayed: origin at the top left, y downwards.
    pub(crate) fn to_display(self) -> Affine {
        let Rect { x0, y0, x1, y1 } = self.visible;
        let turned = match self.quarter_turns {
            0 => Affine::new([1.0, 0.0, 0.0, -1.0, -x0, y1]),
            1 => Affine::new([0.0, 1.0, 1.0, 0.0, -y0, -x0]),
            2 => Affine::new([-1.0, 0.0, 0.0, 1.0, x1, -y0]),
            _ => Affine::new([0.0, -1.0, -1.0, 0.0, y1, x1]),
        };
        Affine::scale(self.unit) * turned
    }

    /// The region that a rectangle in the page's own coordinates covers; `None` if nothing of it is visible.
    pub(crate) fn region(&self, rect: Rect) -> Option<Region> {
        let size = self.size();
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let r = self.to_display().transform_rect_bbox(kurbo::Rect::new(rect.x0, rect.y0, rect.x1, rect.y1));
        let region = Region::new(r.x0 / width, r.y0 / height, r.x1 / width, r.y1 / height);
        (!region.is_empty()).then_some(region)
    }
}

/// CropBox within MediaBox; Letter if there is no MediaBox, or nothing is left.
fn visible_box(page: &Page<'_>) -> Rect {
    let media = page.media_box();
    // The engine fills in A4 where no MediaBox is declared; no parsed number equals its sides.
    let declared = media.x1 != A4.x1 || media.y1 != A4.y1;
    let visible = page.crop_box().intersect(if has_area(media) { media } else { LETTER });
    if declared && has_area(visible) { visible } else { LETTER }
}

fn has_area(r: Rect) -> bool {
    [r.x0, r.y0, r.x1, r.y1].iter().all(|v| v.is_finite()) && r.width() > 0.0 && r.height() > 0.0
}
