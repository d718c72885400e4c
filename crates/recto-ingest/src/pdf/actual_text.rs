//! The text that a span of marked content says it stands for (`/ActualText`), put in place of its glyphs.

use crate::glyph::Glyph;

/// Spreads the characters of `text` evenly over the glyphs from `first` on and puts them in their place.
pub(super) fn replace(glyphs: &mut Vec<Glyph>, first: usize, text: &str) {
    let replaced = glyphs.split_off(first.min(glyphs.len()));
    let (n, m) = (text.chars().count(), replaced.len());
    if m == 0 {
        return;
    }
    glyphs.extend(text.chars().enumerate().filter_map(|(i, char)| stretch(&replaced, i * m, (i + 1) * m, n, char)));
}

/// A glyph from the position `start / n` to `end / n`, counted in glyphs.
fn stretch(glyphs: &[Glyph], start: usize, end: usize, n: usize, char: char) -> Option<Glyph> {
    let (a, b) = (glyphs.get(start / n)?, glyphs.get((end - 1) / n)?);
    let share = |position: usize| (position % n) as f32 / n as f32;
    let skipped = a.advance * share(start);
    let rest = if end.is_multiple_of(n) { b.advance } else { b.advance * share(end) };
    let [dx, dy] = a.direction;
    let across = (b.x - a.x) * dx + (b.y - a.y) * dy;
    let off_line = ((b.y - a.y) * dx - (b.x - a.x) * dy).abs() > a.size;
    let advance = if off_line || across < 0.0 { a.advance } else { across + rest };
    Some(Glyph { char, x: a.x + dx * skipped, y: a.y + dy * skipped, advance: (advance - skipped).max(0.0), ..*a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_takes_the_place_of_the_glyphs() {
        let glyph = |i: u8, x: f32| Glyph { x, advance: 10.0, ..Glyph::sample(char::from(b'a' + i)) };
        let check = |n_glyphs: u8, text: &str, want: &[(char, f32, f32)]| {
            let mut glyphs: Vec<Glyph> = (0..n_glyphs).map(|i| glyph(i, f32::from(i) * 10.0)).collect();
            replace(&mut glyphs, 0, text);
            let got: Vec<_> = glyphs.iter().map(|g| (g.char, g.x, g.advance)).collect();
            assert_eq!(got, want);
        };
        check(2, "xy", &[('x', 0.0, 10.0), ('y', 10.0, 10.0)]);
        check(1, "xy", &[('x', 0.0, 5.0), ('y', 5.0, 5.0)]);
        check(3, "x", &[('x', 0.0, 30.0)]);
        check(3, "", &[]);
        check(0, "x", &[]);
    }
}
