//! Glyphs that are drawn twice at almost the same place, as some programs do to make letters bold or cast a shadow.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::glyph::Glyph;

/// Equal glyphs closer than this many ems are one.
const NEAR: f32 = 0.1;

/// Keeps the first of glyphs that are drawn on top of each other.
pub(crate) fn remove(glyphs: &mut Vec<Glyph>) {
    let mut taken: HashMap<u64, [f32; 2], BuildHasherDefault<Mixer>> = HashMap::default();
    taken.reserve(glyphs.len());
    glyphs.retain(|glyph| {
        if glyph.char.is_whitespace() || glyph.char == char::REPLACEMENT_CHARACTER {
            return true;
        }
        let near = NEAR * glyph.size;
        let [x, y] = [glyph.x, glyph.y].map(|v| v / (2.0 * near));
        // Whatever is within half a cell lies in one of these four cells.
        let [left, top] = [x - 0.5, y - 0.5].map(|v| v.floor() as i32);
        let cells = [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)];
        let is_on = |place: &[f32; 2]| (place[0] - glyph.x).abs() < near && (place[1] - glyph.y).abs() < near;
        let is_double = cells.iter().any(|(x, y)| taken.get(&cell(glyph.char, *x, *y)).is_some_and(is_on));
        if !is_double {
            taken.insert(cell(glyph.char, x.floor() as i32, y.floor() as i32), [glyph.x, glyph.y]);
        }
        !is_double
    });
}

/// 20 bits each for the cell and 21 for the character.
fn cell(char: char, x: i32, y: i32) -> u64 {
    let low = |v: i32| u64::from(v as u32 & 0xF_FFFF);
    u64::from(u32::from(char)) << 40 | low(x) << 20 | low(y)
}

/// A hash for cells: the default one would cost more than all else here.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        // 2^64 divided by the golden ratio spreads neighbouring cells.
        self.0 = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
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
