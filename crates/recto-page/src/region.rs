//! A part of a page, in fractions of the page as it is displayed.

use serde::{Deserialize, Serialize};

/// A rectangle `[left, top, right, bottom]` in fractions 0..=1 of the page as displayed (after `/Rotate` and CropBox),
/// origin at the top left. Fractions survive any dpi. Serialised as that array.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Region {
    ltrb: [f32; 4],
}

/// Fractions are kept to this many steps, about a hundredth of a point on an A4 page: enough to mark a word, and equal
/// input gives equal text.
const STEPS: f64 = 100_000.0;

impl Region {
    /// The whole page.
    pub const FULL: Self = Self { ltrb: [0.0, 0.0, 1.0, 1.0] };

    /// A region from any two opposite corners. Values outside the page are clamped to it, swapped ones put in order,
    /// and what is not a number becomes 0.
    pub fn new(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        let clean = |v: f64| if v.is_nan() { 0.0 } else { rounded(v.clamp(0.0, 1.0) * STEPS) / STEPS };
        let [l, t, r, b] = [left, top, right, bottom].map(clean);
        Self { ltrb: [l.min(r), t.min(b), l.max(r), t.max(b)].map(|v| v as f32) }
    }

    /// Left edge.
    pub const fn left(&self) -> f32 {
        self.ltrb[0]
    }

    /// Top edge.
    pub const fn top(&self) -> f32 {
        self.ltrb[1]
    }

    /// Right edge.
    pub const fn right(&self) -> f32 {
        self.ltrb[2]
    }

    /// Bottom edge.
    pub const fn bottom(&self) -> f32 {
        self.ltrb[3]
    }

    /// `[left, top, right, bottom]`.
    pub const fn ltrb(&self) -> [f32; 4] {
        self.ltrb
    }

    /// Width as a fraction of the page's width.
    pub fn width(&self) -> f32 {
        self.right() - self.left()
    }

    /// Height as a fraction of the page's height.
    pub fn height(&self) -> f32 {
        self.bottom() - self.top()
    }

    /// True if the region covers no area.
    pub fn is_empty(&self) -> bool {
        self.width() <= 0.0 || self.height() <= 0.0
    }

    /// The smallest region around both.
    pub fn union(&self, other: &Self) -> Self {
        let (a, b) = (self.ltrb, other.ltrb);
        Self { ltrb: [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])] }
    }

    /// The smallest region around all; `None` if there are none.
    pub fn around<'r>(regions: impl IntoIterator<Item = &'r Self>) -> Option<Self> {
        regions.into_iter().copied().reduce(|a, b| a.union(&b))
    }

    /// True if the two share some area.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left() < other.right()
            && other.left() < self.right()
            && self.top() < other.bottom()
            && other.top() < self.bottom()
    }

    /// The centre, `(x, y)`.
    pub fn center(&self) -> (f32, f32) {
        ((self.left() + self.right()) / 2.0, (self.top() + self.bottom()) / 2.0)
    }
}

/// As `f64::round` of a value from 0 to [`STEPS`], which is a call where the processor may be an old one.
fn rounded(value: f64) -> f64 {
    let whole = value as u32;
    f64::from(whole + u32::from(value - f64::from(whole) >= 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_four_numbers_make_a_region_inside_the_page() {
        let table = [
            ([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]),
            ([0.3, 0.4, 0.1, 0.2], [0.1, 0.2, 0.3, 0.4]),
            ([-1.0, 0.5, 2.0, 0.5], [0.0, 0.5, 1.0, 0.5]),
            ([f64::NAN, 0.0, f64::INFINITY, 1.0], [0.0, 0.0, 1.0, 1.0]),
        ];
        for ([l, t, r, b], want) in table {
            assert_eq!(Region::new(l, t, r, b).ltrb(), want);
        }
    }
}
