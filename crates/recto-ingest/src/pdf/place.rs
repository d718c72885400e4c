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

/// What glyphs of a run have in common as long as only their places differ.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    run_to_page: Affine,
    /// The matrix of the glyph within its run, without the place.
    own: [f64; 4],
    /// Where a step along the baseline leads on the page.
    along: Vec2,
    size: f64,
    ascent: f64,
    descent: f64,
    mirrored: bool,
}

impl Pen {
    /// That of a glyph with the matrix `in_run`. `height` is in glyph space, `ascent` and `descent` are in ems, both
    /// positive.
    pub(super) fn new(run_to_page: Affine, in_run: Affine, height: f64, ascent: f64, descent: f64) -> Self {
        let [a, b, c, d, ..] = (run_to_page * in_run).as_coeffs();
        let (along, own) = (Vec2::new(a, b), linear(in_run));
        let (unit, determinant) = (length(along), a * d - b * c);
        let size = if unit > 0.0 { determinant.abs() / unit * height } else { 0.0 };
        // The page's y axis points down, so usual text has a negative determinant.
        Self {
            run_to_page,
            own,
            along,
            size,
            ascent: ascent * size,
            descent: descent * size,
            mirrored: determinant > 0.0,
        }
    }

    /// True if it is that of a glyph with the matrix `in_run` as well.
    pub(super) fn fits(&self, in_run: Affine) -> bool {
        self.own == linear(in_run)
    }
}

impl Place {
    /// The place of a glyph with a matrix that the pen fits. `advance` is in glyph space.
    pub(super) fn horizontal(pen: &Pen, in_run: Affine, advance: f64) -> Self {
        // A glyph without a width still needs a direction.
        let along = pen.along * if advance > 0.0 { advance } else { 1.0 };
        let strip = Self::strip(pen.run_to_page * in_run.translation().to_point(), along, pen.size);
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

fn linear(matrix: Affine) -> [f64; 4] {
    let [a, b, c, d, _, _] = matrix.as_coeffs();
    [a, b, c, d]
}

/// As [`Vec2::hypot`], which is a call; nearly all text stands upright.
fn length(v: Vec2) -> f64 {
    if v.y == 0.0 { v.x.abs() } else { v.hypot() }
}
