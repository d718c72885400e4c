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
        let [column, row] = [x, y].map(floor);
        // Whatever is within half a cell lies in one of four cells.
        let before = |v: f32, cell: i32| cell.saturating_sub(i32::from(v - (cell as f32) < 0.5));
        let (left, top) = (before(x, column), before(y, row));
        let is_on = |place: [f32; 2]| (place[0] - glyph.x).abs() < near && (place[1] - glyph.y).abs() < near;
        let is_double = taken.may_have(glyph.char, left, top)
            && four(left, top).into_iter().any(|(x, y)| taken.get(cell(glyph.char, x, y)).is_some_and(is_on));
        if !is_double {
            taken.insert(glyph.char, column, row, [glyph.x, glyph.y]);
        }
        !is_double
    });
}

/// As `f32::floor`, which is a call where the processor may be an old one.
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(whole as f32 > value))
}

/// The cell and those right of it, below, and both.
fn four(x: i32, y: i32) -> [(i32, i32); 4] {
    [(x, y), (x.wrapping_add(1), y), (x, y.wrapping_add(1)), (x.wrapping_add(1), y.wrapping_add(1))]
}

/// 21 bits for the character and 20 each for the row and the column.
fn cell(char: char, x: i32, y: i32) -> u64 {
    let low = |v: i32| u64::from(v as u32 & 0xF_FFFF);
    u64::from(u32::from(char)) << 40 | low(y) << 20 | low(x)
}

/// A place for each cell, in a table that is never more than half full: a hash map would cost more than all else here.
struct Places {
    cells: Vec<(u64, [f32; 2])>,
    /// Which of the cells is there, counted from 1; 0 for none.
    slots: Vec<u32>,
    /// A bit for each cell in blocks of eight by eight, which share a word with other blocks. Set if a cell is taken: most
    /// cells that are asked for are free.
    taken: Vec<u64>,
}

impl Places {
    /// For so many cells at most.
    fn new(most: usize) -> Self {
        let slots = (2 * most).next_power_of_two();
        Self { cells: Vec::with_capacity(most), slots: vec![0; slots], taken: vec![0; slots.div_ceil(2)] }
    }

    fn get(&self, cell: u64) -> Option<[f32; 2]> {
        self.cell_in(self.slot(cell)).map(|(_, place)| *place)
    }

    /// False if none of [`four`] cells is taken.
    fn may_have(&self, char: char, x: i32, y: i32) -> bool {
        let has = |x, y, pattern: u64| {
            let (word, bit) = self.bit(char, x, y);
            self.taken.get(word).is_some_and(|word| word & (pattern << bit) != 0)
        };
        let in_one_block = x & 7 < 7 && y & 7 < 7;
        if in_one_block { has(x, y, 0x0303) } else { four(x, y).into_iter().any(|(x, y)| has(x, y, 1)) }
    }

    fn insert(&mut self, char: char, x: i32, y: i32, place: [f32; 2]) {
        let cell = cell(char, x, y);
        let ((word, bit), slot) = (self.bit(char, x, y), self.slot(cell));
        let (Some(taken), Some(slot)) = (self.taken.get_mut(word), self.slots.get_mut(slot)) else { return };
        *taken |= 1 << bit;
        match self.cells.get_mut((*slot as usize).wrapping_sub(1)) {
            Some(known) => known.1 = place,
            None => {
                self.cells.push((cell, place));
                *slot = self.cells.len() as u32;
            }
        }
    }

    fn cell_in(&self, slot: usize) -> Option<&(u64, [f32; 2])> {
        self.cells.get((*self.slots.get(slot)? as usize).wrapping_sub(1))
    }

    /// Which word has the block of a cell, and which of its bits is that of the cell.
    fn bit(&self, char: char, x: i32, y: i32) -> (usize, i32) {
        let hash = hash(cell(char, x >> 3, y >> 3));
        (hash as usize & (self.taken.len() - 1), (y & 7) << 3 | (x & 7))
    }

    /// Where the cell is, or would be.
    fn slot(&self, cell: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash(cell) as usize & last;
        while self.cell_in(slot).is_some_and(|(taken, _)| *taken != cell) {
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
