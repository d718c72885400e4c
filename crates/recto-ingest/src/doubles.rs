//! Glyphs that are drawn twice at almost the same place, as some programs do to make letters bold or cast a shadow.
//!
//! Few pages have any, and comparing all glyphs takes long. So they are taken strip by strip, level rows that go on to the
//! right, within which none can be a double; only where strips meet are glyphs compared.

use std::ops::Range;

use crate::glyph::Glyph;

/// Equal glyphs closer than this many ems are one.
const NEAR: f32 = 0.1;

/// So many times that distance is a block of the page wide and high: most glyphs are far enough from the edges of theirs.
const BLOCK: f32 = 16.0;

/// The page is divided into bands of so many points.
const BAND: f32 = 4.0;

/// So many bands; what is farther down is in the last one.
const BANDS: usize = 512;

/// With more strips than this in a band, comparing glyphs is quicker than comparing strips.
const MOST_STRIPS: usize = 32;

/// Keeps the first of glyphs that are drawn on top of each other.
pub(crate) fn remove(glyphs: &mut Vec<Glyph>) {
    let doubles = find(glyphs);
    if doubles.is_empty() {
        return;
    }
    let (mut doubles, mut place) = (doubles.into_iter().peekable(), 0);
    glyphs.retain(|_| {
        place += 1;
        doubles.next_if_eq(&(place - 1)).is_none()
    });
}

/// Where in the list the doubles are, in order.
fn find(glyphs: &[Glyph]) -> Vec<usize> {
    let mut page = Page::new(glyphs);
    let mut start = 0;
    while let Some(strip) = Strip::from(glyphs, start) {
        start = strip.glyphs.end;
        page.add(strip);
    }
    page.doubles
}

/// True if the glyph can be a double: if it shows, and its character is known, so that others can equal it.
fn counts(glyph: &Glyph) -> bool {
    !glyph.char.is_whitespace() && glyph.char != char::REPLACEMENT_CHARACTER
}

/// Glyphs of a level row, each so far to the right of the one before that it is no double.
#[derive(Clone)]
struct Strip {
    /// Their places in the list. Not all of them count.
    glyphs: Range<usize>,
    y: f32,
    left: f32,
    right: f32,
    /// The distance within which one of them could be a double of another glyph.
    near: f32,
}

impl Strip {
    /// The first strip from that place on.
    fn from(glyphs: &[Glyph], start: usize) -> Option<Self> {
        let mut rest = glyphs.iter().enumerate().skip(start).filter(|(_, glyph)| counts(glyph));
        let (start, first) = rest.next()?;
        let near = NEAR * first.size;
        let mut strip = Self { glyphs: start..start + 1, y: first.y, left: first.x, right: first.x, near };
        for (place, glyph) in rest {
            let near = NEAR * glyph.size;
            if glyph.y != strip.y || glyph.x - strip.right < near {
                break;
            }
            strip.glyphs.end = place + 1;
            strip.right = glyph.x;
            strip.near = strip.near.max(near);
        }
        Some(strip)
    }

    /// True if one of its glyphs could be a double of one of the other's.
    fn meets(&self, other: &Self) -> bool {
        (self.y - other.y).abs() < self.near
            && self.left - other.right < self.near
            && other.left - self.right < self.near
    }

    /// The bands with everything that it could meet.
    fn bands(&self) -> Range<usize> {
        band(self.y - self.near)..band(self.y + self.near) + 1
    }
}

fn band(y: f32) -> usize {
    ((y / BAND) as usize).min(BANDS - 1)
}

/// What was drawn before on the page.
struct Page<'g> {
    glyphs: &'g [Glyph],
    bands: Vec<Band>,
    /// The glyphs in mixed bands.
    kept: Option<Kept>,
    doubles: Vec<usize>,
}

#[derive(Clone)]
enum Band {
    /// Strips that do not meet each other.
    Apart(Vec<Strip>),
    /// Strips of which some may meet.
    Mixed,
}

impl<'g> Page<'g> {
    /// Nothing yet of the page with these glyphs.
    fn new(glyphs: &'g [Glyph]) -> Self {
        Self { glyphs, bands: vec![Band::Apart(Vec::new()); BANDS], kept: None, doubles: Vec::new() }
    }

    /// Adds the strip that was drawn next.
    fn add(&mut self, strip: Strip) {
        if !self.meets_any(&strip)
            && let Some(Band::Apart(strips)) = self.bands.get_mut(band(strip.y))
        {
            return strips.push(strip);
        }
        let Self { glyphs, bands, kept, doubles } = self;
        let kept = kept.get_or_insert_with(|| Kept::new(glyphs.len()));
        let counting = |strip: Strip| strip.glyphs.filter_map(|at| Some((at, glyphs.get(at).filter(|g| counts(g))?)));
        for band in bands.get_mut(strip.bands()).into_iter().flatten() {
            if let Band::Apart(strips) = std::mem::replace(band, Band::Mixed) {
                strips.into_iter().flat_map(counting).for_each(|(_, glyph)| kept.insert(glyph));
            }
        }
        doubles.extend(counting(strip).filter(|(_, glyph)| !kept.add(glyph)).map(|(at, _)| at));
    }

    fn meets_any(&self, strip: &Strip) -> bool {
        self.bands.get(strip.bands()).into_iter().flatten().any(|band| match band {
            Band::Apart(strips) => strips.len() >= MOST_STRIPS || strips.iter().any(|other| strip.meets(other)),
            Band::Mixed => true,
        })
    }
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
        if !is_double {
            self.put(home, key, glyph);
        }
        !is_double
    }

    /// Keeps a glyph that is known to be no double of what was drawn before it, whatever else is kept by now.
    fn insert(&mut self, glyph: &Glyph) {
        let near = NEAR * glyph.size;
        let key = key(glyph.char, Span::of(glyph.x, near).own, Span::of(glyph.y, near).own);
        self.put(self.slot(key), key, glyph);
    }

    fn put(&mut self, home: usize, key: u64, glyph: &Glyph) {
        if let Some(last) = self.blocks.get_mut(home) {
            self.places.push(Place { key, x: glyph.x, y: glyph.y, before: *last });
            *last = self.places.len() as u32;
        }
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

    /// Rows of letters that cross, overlap and are drawn again a bit aside.
    fn jumble(seed: u32) -> Vec<Glyph> {
        let mut state = seed;
        let mut roll = |sides: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % sides
        };
        let mut glyphs: Vec<Glyph> = Vec::new();
        for _ in 0..3 + roll(120) {
            let (x, y) = (roll(60) as f32 * 10.0, roll(if seed.is_multiple_of(3) { 12 } else { 800 }) as f32);
            let (size, step) = ([6.0, 10.0, 10.0, 48.0][roll(4) as usize], [0.3, 5.0, 5.0, -5.0][roll(4) as usize]);
            if roll(4) == 0 && !glyphs.is_empty() {
                let start = roll(glyphs.len() as u32) as usize;
                let end = (start + 1 + roll(30) as usize).min(glyphs.len());
                let (right, down) = (roll(30) as f32 * 0.1 - 1.5, roll(30) as f32 * 0.1 - 1.5);
                glyphs.extend_from_within(start..end);
                let copies = glyphs.iter_mut().rev().take(end - start);
                copies.for_each(|glyph| (glyph.x, glyph.y) = (glyph.x + right, glyph.y + down));
                continue;
            }
            for i in 0..1 + roll(30) {
                let char = ['a', 'b', 'c', ' ', char::REPLACEMENT_CHARACTER][roll(5) as usize];
                glyphs.push(Glyph { x: x + step * i as f32, y, size, ..Glyph::sample(char) });
            }
        }
        glyphs
    }

    /// Checks the doubles that are found against comparing all glyphs. Gives their number.
    #[track_caller]
    fn check(glyphs: &[Glyph]) -> usize {
        let mut kept = Kept::new(glyphs.len());
        let is_double = |at: &usize| counts(&glyphs[*at]) && !kept.add(&glyphs[*at]);
        let want: Vec<usize> = (0..glyphs.len()).filter(is_double).collect();
        assert_eq!(find(glyphs), want);
        want.len()
    }

    #[test]
    fn strips_find_the_doubles_that_comparing_all_glyphs_finds() {
        let total: usize = (0..500).map(|seed| check(&jumble(seed))).sum();
        assert!(total > 5000, "{total}");
    }

    /// The first is near the second as large letters go, but drawn before it, so it is kept and the last is its double.
    #[test]
    fn what_is_kept_late_was_drawn_early() {
        let places = [(48.0, 8.0, 7.0), (10.0, 10.0, 9.0), (10.0, 10.5, 9.0), (10.0, 7.5, 7.0)];
        let glyphs = places.map(|(size, x, y)| Glyph { size, x, y, ..Glyph::sample('a') });
        assert_eq!(check(&glyphs), 2);
    }
}
