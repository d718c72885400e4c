//! Where a glyph stands on the page, from the matrices of the PDF.

use hayro::kurbo::{Affine, Point, Rect, Vec2};

use super::glyphs::EM;
use crate::glyph::Glyph;

/// Coordinates beyond this many points are taken for garbage.
const FARTHEST: f64 = 1e6;

/// A glyph counts as hidden if its middle is more than this many ems outside the clip.
const CLIP_SLACK: f64 = 0.3;

/// Where the line of vertical writing begins, in glyph space: in the middle of the glyph, at its top.
const TOP: Vec2 = Vec2::new(EM / 2.0, 0.88 * EM);

/// What glyphs of a run have in common as long as only their places differ.
pub(super) struct Pen {
    run_to_page: Affine,
    /// The matrix of a glyph within its run, without the place.
    own: [f64; 4],
    /// From the place of a glyph within its run to where its line begins.
    start: Vec2,
    /// Where a step of glyph space along the line leads on the page, and how far.
    along: Vec2,
    step: f64,
    /// From the line to the middle of what is drawn.
    to_middle: Vec2,
    size: f64,
    /// A glyph, but for its character, place and advance.
    glyph: Glyph,
}

impl Pen {
    /// Writes along the baseline, as a glyph with the matrix `in_run` is written. `height` is in glyph space, `ascent` and
    /// `descent` are in ems, both positive. `upright` is false if the matrix does not tell which way up glyphs are.
    pub(super) fn horizontal(
        run_to_page: Affine,
        in_run: Affine,
        height: f64,
        (ascent, descent): (f64, f64),
        upright: bool,
    ) -> Self {
        let [a, b, c, d, ..] = (run_to_page * in_run).as_coeffs();
        let (along, determinant) = (Vec2::new(a, b), a * d - b * c);
        let step = length(along);
        let size = if step > 0.0 { determinant.abs() / step * height } else { 0.0 };
        // The page's y axis points down, so usual text has a negative determinant.
        let mirrored = upright && determinant > 0.0;
        Self::new(run_to_page, in_run, Vec2::ZERO, along, size, (ascent, descent), mirrored)
    }

    /// Writes downwards, on a line through the middles of the glyphs.
    pub(super) fn vertical(run_to_page: Affine, in_run: Affine) -> Self {
        let [.., c, d, _, _] = (run_to_page * in_run).as_coeffs();
        let down = Vec2::new(-c, -d);
        Self::new(run_to_page, in_run, TOP, down, length(down) * EM, (0.5, 0.5), false)
    }

    fn new(
        run_to_page: Affine,
        in_run: Affine,
        start: Vec2,
        along: Vec2,
        size: f64,
        (ascent, descent): (f64, f64),
        mirrored: bool,
    ) -> Self {
        let own @ [a, b, c, d] = linear(in_run);
        let step = length(along);
        let is_level = along.y == 0.0 && along.x > 0.0;
        let unit = if is_level { Vec2::new(1.0, along.y) } else { along / step.max(f64::MIN_POSITIVE) };
        let up = if mirrored { Vec2::new(-unit.y, unit.x) } else { Vec2::new(unit.y, -unit.x) };
        let (ascent, descent) = (ascent * size, descent * size);
        let glyph = Glyph {
            char: ' ',
            x: 0.0,
            y: 0.0,
            direction: [unit.x as f32, unit.y as f32],
            advance: 0.0,
            size: size as f32,
            ascent: ascent as f32,
            descent: descent as f32,
            mirrored,
        };
        Self {
            run_to_page,
            own,
            start: Vec2::new(a * start.x + c * start.y, b * start.x + d * start.y),
            along,
            step,
            to_middle: up * (ascent - descent) / 2.0,
            size,
            glyph,
        }
    }

    /// True if it is that of a glyph with the matrix `in_run` as well.
    pub(super) fn fits(&self, in_run: Affine) -> bool {
        self.own == linear(in_run)
    }

    /// The place of a glyph with a matrix that the pen fits. `advance` is in glyph space.
    pub(super) fn place(&self, in_run: Affine, advance: f64) -> Place<'_> {
        // A glyph without a width still needs a direction.
        let steps = if advance > 0.0 { advance } else { 1.0 };
        let origin = self.run_to_page * (in_run.translation() + self.start).to_point();
        Place { pen: self, origin, along: self.along * steps, length: self.step * steps }
    }
}

/// Where a glyph stands on the page: a strip along its line.
pub(super) struct Place<'p> {
    pen: &'p Pen,
    origin: Point,
    along: Vec2,
    length: f64,
}

impl Place<'_> {
    pub(super) fn is_finite(&self) -> bool {
        let near = |v: f64| v.abs() < FARTHEST;
        near(self.origin.x) && near(self.origin.y) && near(self.along.x) && near(self.along.y) && near(self.pen.size)
    }

    /// True if the middle of the glyph is in the window, give or take a bit.
    pub(super) fn is_inside(&self, window: &Rect) -> bool {
        let middle = self.origin + self.along / 2.0 + self.pen.to_middle;
        let slack = CLIP_SLACK * self.pen.size;
        window.width() > 0.0 && window.height() > 0.0 && window.inflate(slack, slack).contains(middle)
    }

    /// Adds the character that is number `i` of `count` in this glyph.
    pub(super) fn emit(&self, char: char, i: usize, count: usize, glyphs: &mut Vec<Glyph>) {
        if self.length <= 0.0 || self.pen.size <= 0.0 {
            return;
        }
        // Nearly all glyphs are one character, and divisions take long.
        let (along, length) = match count {
            1 => (self.along, self.length),
            _ => (self.along / count as f64, self.length / count as f64),
        };
        let start = self.origin + along * i as f64;
        let (x, y, advance) = (start.x as f32, start.y as f32, length as f32);
        glyphs.push(Glyph { char, x, y, advance, ..self.pen.glyph });
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
