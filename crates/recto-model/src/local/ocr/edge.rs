//! Bars and other solid shapes that reach into a strip from beside it: a reader takes the end of one for a 1 or an l.

use super::picture::Picture;
use super::slanted::Slanted;
use super::strip::{HEIGHT, Strip};

/// So far beside the strip a shape must go on, as a part of its height: the stems of letters are narrower.
const REACH: f32 = 0.25;
/// A shape is at least this much of the strip's height: dashes and underscores are lower.
const LEAST_HEIGHT: f32 = 0.3;
/// The same colour differs by no more than this in brightness, whatever a lossy compression does.
const SAME: u8 = 24;
/// So many columns where a shape ends are a mixture of both colours.
const SOFT: usize = 3;

/// The line in that place of the picture, without what reaches into it from either side.
pub(crate) fn clean_cut(picture: &Picture, line: &Slanted) -> Strip {
    let mut strip = Strip::cut(picture, line);
    let reach = REACH * line.height / line.width.max(1.0);
    for (beside, is_left) in [(line.part(-reach, 0.0), true), (line.part(1.0, 1.0 + reach), false)] {
        if lies_in(picture, &beside) {
            wipe(&mut strip, &Strip::cut(picture, &beside), is_left);
        }
    }
    strip
}

fn lies_in(picture: &Picture, place: &Slanted) -> bool {
    let [left, top, right, bottom] = place.bounds();
    left >= 0.0 && top >= 0.0 && right <= picture.width as f32 && bottom <= picture.height as f32
}

/// Gives the columns of a shape at one end of the strip the colours of the blank column after it.
fn wipe(strip: &mut Strip, beside: &Strip, is_left: bool) {
    let width = strip.width;
    let column = |from_end: usize| if is_left { from_end } else { width - 1 - from_end };
    let shape = strip.bright(column(0));
    let is_shape = |column: &[u8]| column.iter().zip(&shape).all(|(a, b)| a.abs_diff(*b) <= SAME);
    let goes_on = (0..beside.width).all(|x| is_shape(&beside.bright(x)));
    let Some(end) = (0..HEIGHT.min(width)).find(|at| !is_shape(&strip.bright(column(*at)))) else { return };
    let blank = end + SOFT;
    if !goes_on || blank >= width || strip.ink()[column(blank)] {
        return;
    }
    let ground = strip.bright(column(blank));
    let height = shape.iter().zip(&ground).filter(|(a, b)| a.abs_diff(**b) > 2 * SAME).count();
    if height as f32 >= LEAST_HEIGHT * HEIGHT as f32 {
        (0..blank).for_each(|at| strip.copy_column(column(blank), column(at)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the end of a strip of 200 by 48 at (100, 100), with a letter in it, is dark, with black from `x` to the
    /// column before `end` in these rows.
    fn check(x: usize, end: usize, rows: (usize, usize), is_kept: bool) {
        let (width, height) = (400, 300);
        let mut rgb = vec![255; width * height * 3];
        let mut black = |x: usize, y: usize| rgb[(y * width + x) * 3..][..3].fill(0);
        for y in rows.0..rows.1 {
            (x..end).for_each(|x| black(x, y));
        }
        (110..136).for_each(|y| (180..190).for_each(|x| black(x, y)));
        let picture = Picture { width, height, rgb: rgb.into() };
        let place = Slanted { center: (200.0, 124.0), along: (1.0, 0.0), width: 200.0, height: 48.0 };
        let strip = clean_cut(&picture, &place);
        let is_dark = |column: usize| strip.bright(column).iter().any(|bright| *bright < 100);
        assert!((80..90).all(is_dark), "the letter");
        assert_eq!(is_dark(if x < 200 { 0 } else { 199 }), is_kept, "{x}..{end} {rows:?}");
    }

    #[test]
    fn ends_of_bars_are_no_letters() {
        check(40, 107, (112, 134), false);
        check(0, 107, (0, 300), false);
        check(80, 107, (108, 138), false);
        check(293, 360, (112, 134), false);
        // A stem that the strip's end cuts, a dash, what does not go on beside it.
        check(94, 104, (112, 134), true);
        check(40, 107, (120, 126), true);
        check(100, 104, (112, 134), true);
        check(296, 306, (112, 134), true);
    }
}
