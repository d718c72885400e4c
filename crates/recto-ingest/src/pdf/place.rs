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

/// What glyphs have in common whose matrices differ only by where they lead.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    matrix: [f64; 4],
    size: f64,
    ascent: f64,
    descent: f64,
    mirrored: bool,
}

impl Pen {
    /// `height` is in glyph space, `ascent` and `descent` are in ems, both positive.
    pub(super) fn new(to_page: Affine, height: f64, ascent: f64, descent: f64) -> Self {
        let [a, b, c, d, ..] = to_page.as_coeffs();
        let (unit, determinant) = (length(Vec2::new(a, b)), a * d - b * c);
        let size = if unit > 0.0 { determinant.abs() / unit * height } else { 0.0 };
        // The page's y axis points down, so usual text has a negative determinant.
        Self { matrix: [a, b, c, d], size, ascent: ascent * size, descent: descent * size, mirrored: determinant > 0.0 }
    }

    /// True if it is that of a glyph with this matrix.
    pub(super) fn fits(&self, to_page: Affine) -> bool {
        let [a, b, c, d, ..] = to_page.as_coeffs();
        self.matrix == [a, b, c, d]
    }
}

impl Place {
    /// `advance` is in glyph space.
    pub(super) fn horizontal(pen: &Pen, to_page: Affine, advance: f64) -> Self {
        let [a, b, ..] = pen.matrix;
        // A glyph without a width still needs a direction.
        let along = Vec2::new(a, b) * if advance > 0.0 { advance } else { 1.0 };
        let strip = Self::strip(to_page * Point::ORIGIN, along, pen.size);
        Self { ascent: pen.ascent, descent: pen.descent, mirrored: pen.mirrored, ..strip }
    }

    /// Glyphs written downwards: their line runs through their middles.
    pub(super) fn vertical(to_page: Affine) -> Self {
        let [.., c, d, _, _] = to_page.as_coeffs();
        let along = Vec2::new(c, d) * -EM;
        Self::strip(to_page * Point::new(EM / 2.0, 0.88 * EM), along, length(along))
    }

    /// A strip with its line in the middle.
    fn strip(origin: Point, along: Vec2, size: f64) -> Self {
        let length = length(along);
        let is_level = along.y == 0.0 && along.x > f64::MIN_POSITIVE;
        let unit = if is_level { Vec2::new(1.0, along.y) } else { along / length.max(f64::MIN_POSITIVE) };
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
        // Nearly all glyphs are one character, and divisions take long.
        let (along, length) = match count {
            1 => (self.along, self.length),
            _ => (self.along / count as f64, self.length / count as f64),
        };
        let start = self.origin + along * i as f64;
        glyphs.push(Glyph {
            char,
            x: start.x as f32,
            y: start.y as f32,
            direction: [self.unit.x as f32, self.unit.y as f32],
            advance: length as f32,
            size: self.size as f32,
            ascent: self.ascent as f32,
            descent: self.descent as f32,
            mirrored: self.mirrored,
        });
    }
}

/// As [`Vec2::hypot`], which is a call; nearly all text stands upright.
fn length(v: Vec2) -> f64 {
    if v.y == 0.0 { v.x.abs() } else { v.hypot() }
}
