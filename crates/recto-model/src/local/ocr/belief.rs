//! Whether what was read can be believed. The readers know Latin, Chinese and Japanese; shown another
//! script they answer with letters that look alike, or leave letters out, and are less sure than they ever are of their own.

use super::reader::{Glyph, confidence};
use super::strip::HEIGHT;
use super::words::gaps;

/// Single letters and bullets are often unsure and right.
const SURE_OF_FEW: f32 = 0.6;
/// Fewer symbols than this are few.
const FEW: usize = 4;
/// A line that is less sure is not believed: on all legible pages measured, longer lines were above 0.9.
const SURE: f32 = 0.85;
/// A line that is less sure is believed only if its words look like words.
const SURE_OF_ODD: f32 = 0.92;
/// At most this share of words may mix capitals and digits into their middle.
const MOST_ODD: f32 = 0.3;
/// At most this share of the ink may belong to letters that were left out; legible lines have up to a fifth, where one
/// letter is drawn as two blots.
const MOST_LEFT_OUT: f32 = 0.25;
/// Lines of less ink, in strip heights, are too short to tell.
const LEAST_INK: usize = 4;

/// What comes of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Belief {
    /// It says what was read.
    Read,
    /// There is text, but not what was read.
    Unread,
    /// There is no text, or a single sign that says little: a bullet, a part of a drawing.
    Nothing,
}

/// What comes of a line with these symbols, whose strip has ink in these columns.
pub(crate) fn belief(glyphs: &[Glyph], ink: &[bool]) -> Belief {
    let count = glyphs.iter().filter(|glyph| glyph.text != " ").count();
    let sure = confidence(glyphs);
    if count == 0 {
        return if ink.iter().filter(|inked| **inked).count() > 3 * HEIGHT { Belief::Unread } else { Belief::Nothing };
    }
    if count < FEW {
        return if sure >= SURE_OF_FEW { Belief::Read } else { Belief::Nothing };
    }
    let odd = sure < SURE_OF_ODD && odd_words(glyphs) > MOST_ODD;
    let believed = sure >= SURE && !odd && left_out(glyphs, ink) <= MOST_LEFT_OUT;
    if believed { Belief::Read } else { Belief::Unread }
}

/// The share of words that no alphabet writes so: a capital after a small letter, a digit between letters.
fn odd_words(glyphs: &[Glyph]) -> f32 {
    let text: String = glyphs.iter().map(|glyph| glyph.text.as_str()).collect();
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).collect();
    let odd = words.iter().filter(|word| is_odd(word)).count();
    odd as f32 / words.len().max(1) as f32
}

fn is_odd(word: &str) -> bool {
    let letters: Vec<char> = word.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.windows(2).any(|pair| pair[0].is_lowercase() && (pair[1].is_uppercase() || pair[1].is_ascii_digit()))
}

/// The share of ink in blots as wide as a letter for which no symbol was read: each symbol stands for the blot nearest to
/// it, a full-width one for all that are near.
fn left_out(glyphs: &[Glyph], ink: &[bool]) -> f32 {
    let blots = blots(ink);
    let mut read = vec![false; blots.len()];
    for glyph in glyphs {
        let column = (glyph.at * ink.len() as f32) as usize;
        let distance = |(start, end): &(usize, usize)| start.saturating_sub(column).max(column.saturating_sub(*end));
        let nearest = blots.iter().map(distance).min().unwrap_or_default();
        let reach = if glyph.is_full_width() { nearest.max(HEIGHT / 2) } else { nearest };
        read.iter_mut().zip(&blots).for_each(|(read, blot)| *read |= distance(blot) <= reach);
    }
    let wide = blots.iter().zip(&read).map(|((start, end), read)| (end - start, read));
    let wide = wide.filter(|(width, _)| *width > HEIGHT / 5);
    let (all, out) = wide.fold((0, 0), |(all, out), (width, read)| (all + width, out + if *read { 0 } else { width }));
    if all < LEAST_INK * HEIGHT { 0.0 } else { out as f32 / all as f32 }
}

/// Runs of columns with ink.
fn blots(ink: &[bool]) -> Vec<(usize, usize)> {
    let inverse: Vec<bool> = ink.iter().map(|inked| !inked).collect();
    gaps(&inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Symbols evenly spread over a strip in which each letter has ink and a gap of its own.
    fn check(text: &str, sure: f32, want: Belief) {
        let count = text.chars().count().max(1);
        let place = |i: usize| (i as f32 + 0.5) / count as f32;
        let glyph = |(i, c): (usize, char)| Glyph { text: c.to_string(), at: place(i), sure };
        let glyphs: Vec<Glyph> = text.chars().enumerate().filter(|(_, c)| *c != '_').map(glyph).collect();
        let ink: Vec<bool> = (0..count * 20).map(|x| x % 20 < 15).collect();
        assert_eq!(belief(&glyphs, &ink), want, "{text} {sure}");
    }

    #[test]
    fn only_what_is_likely_is_believed() {
        check("a line", 0.95, Belief::Read);
        check("a line", 0.75, Belief::Unread);
        check("o", 0.65, Belief::Read);
        check("o", 0.5, Belief::Nothing);
        check("HaAereHbl pa3yMOM n COBeCTb1O", 0.83, Belief::Unread);
        check("HaAereHbl pa3yMOM n COBeCTb1O", 0.95, Belief::Read);
        check("T__ c_ m_i ng__i s__nh r_", 0.99, Belief::Unread);
        check("_", 0.0, Belief::Nothing);
        check("______________", 0.0, Belief::Unread);
    }
}
