//! Japanese and Chinese text that runs down the page although its font does not say so: upright glyphs set one below the
//! other.

use crate::glyph::Glyph;
use crate::letters;

/// Turns the direction of stacked glyphs downwards, so that they form lines as other vertical text does.
pub(crate) fn turn(glyphs: &mut [Glyph]) {
    if !glyphs.iter().any(|glyph| letters::is_ideographic(glyph.char)) {
        return;
    }
    for stack in glyphs.chunk_by_mut(is_stacked).filter(|stack| stack.len() > 1) {
        stack.iter_mut().for_each(turn_down);
    }
}

/// True if the second glyph stands right under the first, closer than lines of text do.
fn is_stacked(above: &Glyph, below: &Glyph) -> bool {
    if !letters::is_ideographic(above.char) || !letters::is_ideographic(below.char) {
        return false;
    }
    let (along, down) = above.to(below);
    above.direction == below.direction
        && along.abs() < 0.2 * above.size
        && (0.9 * above.size..1.1 * above.size).contains(&down)
}

fn turn_down(glyph: &mut Glyph) {
    let ([ux, uy], half, ascent) = (glyph.direction, glyph.advance / 2.0, glyph.ascent);
    *glyph = Glyph {
        x: glyph.x + half * ux + ascent * uy,
        y: glyph.y + half * uy - ascent * ux,
        direction: [-uy, ux],
        advance: glyph.size,
        ascent: half,
        descent: half,
        ..*glyph
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ideographs_close_below_each_other_are_turned() {
        let check = |text: &str, pitch: f32, direction: [f32; 2]| {
            let glyph = |(i, char): (usize, char)| Glyph { y: i as f32 * pitch, ..Glyph::sample(char) };
            let mut glyphs: Vec<Glyph> = text.chars().enumerate().map(glyph).collect();
            turn(&mut glyphs);
            assert!(glyphs.iter().all(|g| g.direction == direction), "{text} {pitch}");
        };
        check("青色の灯火", 10.0, [0.0, 1.0]);
        check("青色の灯火", 13.0, [1.0, 0.0]);
        check("abc", 10.0, [1.0, 0.0]);
    }
}
