//! Where a glyph stands on the page, from the matrices of the PDF.

use hayro::kurbo::{Affine, Point, Rect, Vec2};

use super::glyphs::EM;
use crate::glyph::Glyph;

/// Coordinates beyond this many points are taken for garbage.
const FARTHEST: f64 = 1e6;

/// A glyph counts as hidden if its middle is more than this many ems outside the clip.
const CLIP_SLACK: f64 = 0.3;

/// Where a glyph stands on the page: a strip along its baseline.
pub(super) struct Place {
    origin: Point,
    along: Vec2,
    length: f64,
    unit: Vec2,
    size: f64,
    ascent: f64,
    descent: f64,
    pub(super) mirrored: bool,
}

impl Place {
    /// `advance` and `height` are in glyph space, `ascent` and `descent` in ems, both positive.
    pub(super) fn horizontal(to_page: Affine, advance: f64, height: f64, ascent: f64, descent: f64) -> Self {
        let [a, b, c, d, ..] = to_page.as_coeffs();
        let (unit, determinant) = (a.hypot(b), a * d - b * c);
        let size = if unit > 0.0 { determinant.abs() / unit * height } else { 0.0 };
        // A glyph without a width still needs a direction.
        let along = Vec2::new(a, b) * if advance > 0.0 { advance } else { 1.0 };
        let strip = Self::strip(to_page * Point::ORIGIN, along, size);
        // The page's y axis points down, so usual text has a negative determinant.
        Self { ascent: ascent * size, descent: descent * size, mirrored: determinant > 0.0, ..strip }
    }

    /// Glyphs written downwards: their line runs through their middles.
    pub(super) fn vertical(to_page: Affine) -> Self {
        let [.., c, d, _, _] = to_page.as_coeffs();
        let along = Vec2::new(c, d) * -EM;
        Self::strip(to_page * Point::new(EM / 2.0, 0.88 * EM), along, along.hypot())
    }

    /// A strip with its line in the middle.
    fn strip(origin: Point, along: Vec2, size: f64) -> Self {
        let length = along.hypot();
        let unit = along / length.max(f64::MIN_POSITIVE);
        Self { origin, along, length, unit, size, ascent: size / 2.0, descent: size / 2.0, mirrored: false }
    }

    pub(super) fn is_finite(&self) -> bool {
        let near = |v: f64| v.abs() < FARTHEST;
        near(self.origin.x) && near(self.origin.y) && near(self.along.x) && near(self.along.y) && near(self.size)
    }

    /// True if the middle of the glyph is in the window, give or take a bit.
    pub(super) fn is_inside(&self, window: &Rect) -> bool {
        let up = Vec2::new(self.unit.y, -self.unit.x);
        let up = if self.mirrored { -up } else { up };
        let middle = self.origin + self.along / 2.0 + up * (self.ascent - self.descent) / 2.0;
        let slack = CLIP_SLACK * self.size;
        window.width() > 0.0 && window.height() > 0.0 && window.inflate(slack, slack).contains(middle)
    }

    /// Adds the character that is number `i` of `count` in this glyph.
    pub(super) fn emit(&self, char: char, i: usize, count: usize, glyphs: &mut Vec<Glyph>) {
        if self.length <= 0.0 || self.size <= 0.0 {
            return;
        }
        let start = self.origin + self.along / count as f64 * i as f64;
        glyphs.push(Glyph {
            char,
            x: start.x as f32,
            y: start.y as f32,
            direction: [self.unit.x as f32, self.unit.y as f32],
            advance: (self.length / count as f64) as f32,
            size: self.size as f32,
            ascent: self.ascent as f32,
            descent: self.descent as f32,
            mirrored: self.mirrored,
        });
    }
}
