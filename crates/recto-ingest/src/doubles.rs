//! Glyphs that are drawn twice at almost the same place, as some programs do to make letters bold or cast a shadow.

use crate::glyph::Glyph;

/// Equal glyphs closer than this many ems are one.
const NEAR: f32 = 0.1;

/// So many times that distance is a block of the page wide and high: most glyphs are far enough from the edges of theirs.
const BLOCK: f32 = 16.0;

/// Keeps the first of glyphs that are drawn on top of each other.
pub(crate) fn remove(glyphs: &mut Vec<Glyph>) {
    let mut kept = Kept::new(glyphs.len());
    let shows = |glyph: &Glyph| !glyph.char.is_whitespace() && glyph.char != char::REPLACEMENT_CHARACTER;
    glyphs.retain(|glyph| !shows(glyph) || kept.add(glyph));
}

/// The glyphs that were kept, by character and block, in a table that is never more than half full: a hash map would cost
/// more than all else here.
struct Kept {
    /// The last of the places in each block, counted from 1; 0 if the block is free.
    blocks: Vec<u32>,
    places: Vec<Place>,
}

struct Place {
    /// The character and the block.
    key: u64,
    x: f32,
    y: f32,
    /// The place before it in its block, counted from 1; 0 for none.
    before: u32,
}

impl Kept {
    /// For so many glyphs at most.
    fn new(most: usize) -> Self {
        Self { blocks: vec![0; (2 * most).next_power_of_two()], places: Vec::with_capacity(most) }
    }

    /// Keeps a glyph unless it is a double of one that was kept; true if it was not.
    fn add(&mut self, glyph: &Glyph) -> bool {
        let near = NEAR * glyph.size;
        let (x, y) = (Span::of(glyph.x, near), Span::of(glyph.y, near));
        let key = key(glyph.char, x.own, y.own);
        let home = self.slot(key);
        let is_double = self.has_near(home, glyph, near)
            || (x.other.is_some() || y.other.is_some()) && self.is_near_in_others(&x, &y, glyph, near);
        if let (false, Some(last)) = (is_double, self.blocks.get_mut(home)) {
            self.places.push(Place { key, x: glyph.x, y: glyph.y, before: *last });
            *last = self.places.len() as u32;
        }
        !is_double
    }

    fn is_near_in_others(&self, x: &Span, y: &Span, glyph: &Glyph, near: f32) -> bool {
        let blocks = [(x.other, Some(y.own)), (Some(x.own), y.other), (x.other, y.other)];
        let is_near = |(x, y): (Option<i32>, Option<i32>)| {
            x.zip(y).is_some_and(|(x, y)| self.has_near(self.slot(key(glyph.char, x, y)), glyph, near))
        };
        blocks.into_iter().any(is_near)
    }

    fn has_near(&self, slot: usize, glyph: &Glyph, near: f32) -> bool {
        let mut next = self.blocks.get(slot).copied().unwrap_or(0);
        while let Some(place) = self.place(next) {
            if (place.x - glyph.x).abs() < near && (place.y - glyph.y).abs() < near {
                return true;
            }
            next = place.before;
        }
        false
    }

    /// The place of that number, counted from 1.
    fn place(&self, number: u32) -> Option<&Place> {
        self.places.get((number as usize).wrapping_sub(1))
    }

    /// Where the block is, or would be.
    fn slot(&self, key: u64) -> usize {
        let last = self.blocks.len() - 1;
        // Spread by 2^64 divided by the golden ratio; the upper bits are the better ones and go to the bottom.
        let mut slot = key.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(20) as usize & last;
        while self.blocks.get(slot).and_then(|last| self.place(*last)).is_some_and(|place| place.key != key) {
            slot = (slot + 1) & last;
        }
        slot
    }
}

/// In which column (or row) of blocks a glyph is, and which other one has places near it.
struct Span {
    own: i32,
    other: Option<i32>,
}

impl Span {
    fn of(place: f32, near: f32) -> Self {
        let place = place / (BLOCK * near);
        let own = floor(place);
        let within = place - own as f32;
        let step = i32::from(within > 1.0 - 1.0 / BLOCK) - i32::from(within < 1.0 / BLOCK);
        Self { own, other: (step != 0).then(|| own.wrapping_add(step)) }
    }
}

/// As `f32::floor`, which is a call where the processor may be an old one.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(whole as f32 > value))
}

/// 21 bits for the character and 20 each for the column and the row.
fn key(char: char, x: i32, y: i32) -> u64 {
    let low = |v: i32| u64::from(v as u32 & 0xF_FFFF);
    u64::from(u32::from(char)) << 40 | low(y) << 20 | low(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_equal_glyphs_at_one_place_are_doubles() {
        let check = |char: char, dx: f32, dy: f32, kept: usize| {
            let first = Glyph { x: 100.0, y: 100.0, ..Glyph::sample('a') };
            let mut glyphs = vec![first, Glyph { char, x: 100.0 + dx, y: 100.0 + dy, ..first }];
            remove(&mut glyphs);
            assert_eq!(glyphs.len(), kept, "{char} {dx} {dy}");
        };
        check('a', 0.0, 0.0, 1);
        check('a', 0.9, -0.9, 1);
        check('a', -0.9, 0.9, 1);
        check('a', 1.1, 0.0, 2);
        check('a', 2.5, 0.0, 2);
        check('b', 0.0, 0.0, 2);
    }
}
