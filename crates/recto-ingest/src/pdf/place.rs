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
        let along = Vec2::new(a, b) * advance.max(0.0);
        // A glyph without a width still needs a direction.
        let along = if along.hypot() > 0.0 { along } else { Vec2::new(a, b) };
        // The page's y axis points down, so usual text has a negative determinant.
        let mirrored = determinant > 0.0;
        Self { origin: to_page * Point::ORIGIN, along, size, ascent: ascent * size, descent: descent * size, mirrored }
    }

    /// Glyphs written downwards: their line runs through their middles.
    pub(super) fn vertical(to_page: Affine) -> Self {
        let [.., c, d, _, _] = to_page.as_coeffs();
        let along = Vec2::new(c, d) * -EM;
        let size = along.hypot();
        let origin = to_page * Point::new(EM / 2.0, 0.88 * EM);
        Self { origin, along, size, ascent: size / 2.0, descent: size / 2.0, mirrored: false }
    }

    pub(super) fn is_finite(&self) -> bool {
        let near = |v: f64| v.abs() < FARTHEST;
        near(self.origin.x) && near(self.origin.y) && near(self.along.x) && near(self.along.y) && near(self.size)
    }

    /// True if the middle of the glyph is in the window, give or take a bit.
    pub(super) fn is_inside(&self, window: &Rect) -> bool {
        let up = Vec2::new(self.along.y, -self.along.x) / self.along.hypot().max(f64::MIN_POSITIVE);
        let up = if self.mirrored { -up } else { up };
        let middle = self.origin + self.along / 2.0 + up * (self.ascent - self.descent) / 2.0;
        let slack = CLIP_SLACK * self.size;
        window.width() > 0.0 && window.height() > 0.0 && window.inflate(slack, slack).contains(middle)
    }

    /// Adds the character that is number `i` of `count` in this glyph.
    pub(super) fn emit(&self, char: char, i: usize, count: usize, glyphs: &mut Vec<Glyph>) {
        let length = self.along.hypot();
        if length <= 0.0 || self.size <= 0.0 {
            return;
        }
        let (step, unit) = (self.along / count as f64, self.along / length);
        let start = self.origin + step * i as f64;
        glyphs.push(Glyph {
            char,
            x: start.x as f32,
            y: start.y as f32,
            direction: [unit.x as f32, unit.y as f32],
            advance: (length / count as f64) as f32,
            size: self.size as f32,
            ascent: self.ascent as f32,
            descent: self.descent as f32,
            mirrored: self.mirrored,
        });
    }
}
