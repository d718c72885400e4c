//! Glyphs that are drawn twice at almost the same place, as some programs do to make letters bold or cast a shadow.

use crate::glyph::Glyph;

/// Equal glyphs closer than this many ems are one.
const NEAR: f32 = 0.1;

/// Keeps the first of glyphs that are drawn on top of each other.
pub(crate) fn remove(glyphs: &mut Vec<Glyph>) {
    let mut taken = Places::new(glyphs.len());
    glyphs.retain(|glyph| {
        if glyph.char.is_whitespace() || glyph.char == char::REPLACEMENT_CHARACTER {
            return true;
        }
        let near = NEAR * glyph.size;
        let [x, y] = [glyph.x, glyph.y].map(|v| v / (2.0 * near));
        // Whatever is within half a cell lies in one of these four cells.
        let [left, top] = [x - 0.5, y - 0.5].map(floor);
        let cells = [(left, top), (left + 1, top), (left, top + 1), (left + 1, top + 1)];
        let is_on = |place: [f32; 2]| (place[0] - glyph.x).abs() < near && (place[1] - glyph.y).abs() < near;
        let is_double = cells.iter().any(|(x, y)| taken.get(cell(glyph.char, *x, *y)).is_some_and(is_on));
        if !is_double {
            taken.insert(cell(glyph.char, floor(x), floor(y)), [glyph.x, glyph.y]);
        }
        !is_double
    });
}

/// As `f32::floor`, which is a call where the processor may be an old one.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(whole as f32 > value))
}

/// 21 bits for the character and 20 each for the row and the column; the highest bit is always set.
fn cell(char: char, x: i32, y: i32) -> u64 {
    let low = |v: i32| u64::from(v as u32 & 0xF_FFFF);
    1 << 63 | u64::from(u32::from(char)) << 40 | low(y) << 20 | low(x)
}

/// A place for each cell, in a table that is never more than half full: a hash map would cost more than all else here.
struct Places {
    slots: Vec<(u64, [f32; 2])>,
    /// A bit for each of 32 parts of a slot, set if a cell there is taken. Most cells that are asked for are free.
    taken: Vec<u32>,
}

impl Places {
    /// For so many cells at most.
    fn new(most: usize) -> Self {
        let slots = (2 * most).next_power_of_two();
        Self { slots: vec![(0, [0.0; 2]); slots], taken: vec![0; slots] }
    }

    fn get(&self, cell: u64) -> Option<[f32; 2]> {
        let (word, bit) = self.bit(cell);
        if self.taken.get(word)? & bit == 0 {
            return None;
        }
        let (taken, place) = self.slots.get(self.slot(cell))?;
        (*taken == cell).then_some(*place)
    }

    fn insert(&mut self, cell: u64, place: [f32; 2]) {
        let ((word, bit), slot) = (self.bit(cell), self.slot(cell));
        if let (Some(taken), Some(free)) = (self.taken.get_mut(word), self.slots.get_mut(slot)) {
            *taken |= bit;
            *free = (cell, place);
        }
    }

    fn bit(&self, cell: u64) -> (usize, u32) {
        let hash = hash(cell);
        (hash as usize & (self.taken.len() - 1), 1 << (hash >> 59))
    }

    /// Where the cell is, or would be.
    fn slot(&self, cell: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash(cell) as usize & last;
        while self.slots.get(slot).is_some_and(|(taken, _)| *taken != 0 && *taken != cell) {
            slot = (slot + 1) & last;
        }
        slot
    }
}

/// Spreads cells by 2^64 divided by the golden ratio; the upper bits are the better ones and go to the bottom.
fn hash(cell: u64) -> u64 {
    cell.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(20)
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
