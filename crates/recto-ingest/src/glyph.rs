//! A character with its place on the page, and how two of them stand to each other. Not how it looks.

use crate::bidi;

/// A gap of this many ems ends a segment.
const BREAK: f32 = 0.8;

/// A glyph may start this many ems before the end of the one before it.
const OVERLAP: f32 = 0.6;

/// Glyphs of a segment may stand this many ems above or below each other: accents, exponents.
const RISE: f32 = 0.5;

/// A character at its place, in points from the top left of the page as displayed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Glyph {
    /// The character; U+FFFD if it is not known.
    pub(crate) char: char,
    /// Start of the glyph on its baseline.
    pub(crate) x: f32,
    /// Start of the glyph on its baseline.
    pub(crate) y: f32,
    /// Unit vector along the baseline.
    pub(crate) direction: [f32; 2],
    /// Length along the baseline.
    pub(crate) advance: f32,
    /// Font size.
    pub(crate) size: f32,
    /// How far the font reaches above the baseline.
    pub(crate) ascent: f32,
    /// How far the font reaches below the baseline.
    pub(crate) descent: f32,
    /// True if the glyph is drawn as in a mirror, so that its top is to the right of its direction.
    pub(crate) mirrored: bool,
}

impl Glyph {
    /// Distance from here to `other`: along the baseline, and downwards across it.
    pub(crate) fn to(&self, other: &Self) -> (f32, f32) {
        let ([ux, uy], dx, dy) = (self.direction, other.x - self.x, other.y - self.y);
        (dx * ux + dy * uy, (dy * ux - dx * uy) * self.down())
    }

    /// 1 if downwards is to the right of the direction, as in usual text, else -1.
    fn down(&self) -> f32 {
        if self.mirrored { -1.0 } else { 1.0 }
    }

    /// Free space between the two, wherever the other stands; negative if they overlap.
    pub(crate) fn gap(&self, next: &Self) -> f32 {
        let (along, _) = self.to(next);
        more(along - self.advance, -along - next.advance)
    }

    /// True if `next` goes on with the text that this glyph is part of.
    pub(crate) fn is_followed_by(&self, next: &Self) -> bool {
        let size = more(self.size, next.size);
        let (along, across) = self.to(next);
        let fits = |gap: f32| -OVERLAP * size <= gap && gap < BREAK * size;
        let turned = || self.direction[0] * next.direction[0] + self.direction[1] * next.direction[1] < 0.99;
        let goes_left = || bidi::is_rtl(self.char) || bidi::is_rtl(next.char);
        self.mirrored == next.mirrored
            && across.abs() < RISE * size
            && (fits(along - self.advance) || fits(-along - next.advance) && goes_left())
            && !turned()
    }

    /// `[left, top, right, bottom]` of the glyph's box.
    pub(crate) fn rect(&self) -> [f32; 4] {
        if self.direction == [1.0, 0.0] && !self.mirrored {
            return [self.x, self.y - self.ascent, self.x + self.advance, self.y + self.descent];
        }
        let ([ux, uy], down) = (self.direction, self.down());
        let sides = |start: f32, along: f32| (start.min(start + along), start.max(start + along));
        let ((left, right), (top, bottom)) = (sides(self.x, self.advance * ux), sides(self.y, self.advance * uy));
        let reach = |across: f32| {
            let (up, low) = (self.ascent * down * across, -self.descent * down * across);
            (up.min(low), up.max(low))
        };
        let ((least_x, most_x), (least_y, most_y)) = (reach(uy), reach(ux));
        [left + least_x, top - most_y, right + most_x, bottom - least_y]
    }

    #[cfg(test)]
    pub(crate) fn sample(char: char) -> Self {
        Self {
            char,
            x: 0.0,
            y: 0.0,
            direction: [1.0, 0.0],
            advance: 5.0,
            size: 10.0,
            ascent: 8.0,
            descent: 2.0,
            mirrored: false,
        }
    }
}

/// The box around nothing.
pub(crate) const NOWHERE: [f32; 4] = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// The box around two boxes.
pub(crate) fn union(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [less(a[0], b[0]), less(a[1], b[1]), more(a[2], b[2]), more(a[3], b[3])]
}

/// As [`f32::min`], of which half the time goes into what is no number; coordinates of glyphs are.
pub(crate) fn less(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// As [`f32::max`], likewise.
pub(crate) fn more(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
