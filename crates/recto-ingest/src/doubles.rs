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
    shift: u32,
}

impl Places {
    /// For so many cells at most.
    fn new(most: usize) -> Self {
        let slots = (2 * most).next_power_of_two().max(2);
        Self { slots: vec![(0, [0.0; 2]); slots], shift: 64 - slots.trailing_zeros() }
    }

    fn get(&self, cell: u64) -> Option<[f32; 2]> {
        let (taken, place) = self.slots.get(self.slot(cell))?;
        (*taken == cell).then_some(*place)
    }

    fn insert(&mut self, cell: u64, place: [f32; 2]) {
        let slot = self.slot(cell);
        if let Some(free) = self.slots.get_mut(slot) {
            *free = (cell, place);
        }
    }

    /// Where the cell is, or would be. Neighbours in a row of cells are neighbours here too, as both are asked for.
    fn slot(&self, cell: u64) -> usize {
        // 2^64 divided by the golden ratio spreads the rows.
        let (row, column) = ((cell >> 20).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift, cell & 0xF_FFFF);
        let last = self.slots.len() - 1;
        let mut slot = (row + column) as usize & last;
        while self.slots.get(slot).is_some_and(|(taken, _)| *taken != 0 && *taken != cell) {
            slot = (slot + 1) & last;
        }
        slot
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
