//! Glyphs to words, and words to segments: stretches of text that are drawn in one go along one baseline. Knows nothing
//! of PDF, nor of what lies beside or below a segment (that is [`crate::reading_order`]).

use crate::glyph::{Glyph, NOWHERE, less, more, union};
use crate::{bidi, doubles, letters, stacks};

/// A gap of this many ems between two glyphs parts words.
const SPACE: f32 = 0.15;

/// The same in scripts that write no spaces.
const WIDE_SPACE: f32 = 0.5;

/// Text whose letters are spaced apart: at least this share of the gaps are wide and alike.
const SPACED_SHARE: f32 = 0.7;

/// A word at its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Placed {
    /// The characters in reading order.
    pub(crate) text: String,
    /// `[left, top, right, bottom]` in points.
    pub(crate) rect: [f32; 4],
}

/// Words drawn in one go along a baseline, in reading order. Has at least one word.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Segment {
    /// The words.
    pub(crate) words: Vec<Placed>,
    /// Unit vector along the baseline.
    pub(crate) direction: [f32; 2],
    /// A point on the baseline.
    pub(crate) origin: [f32; 2],
    /// The box around all words.
    pub(crate) rect: [f32; 4],
    /// The largest font size.
    pub(crate) size: f32,
    /// True if most letters are written from right to left.
    pub(crate) rtl: bool,
    /// True if the glyphs are mirrored.
    pub(crate) mirrored: bool,
}

/// Groups glyphs, given in the order of drawing, to segments in the same order. Doubles are taken out of the list.
pub(crate) fn segments(glyphs: &mut Vec<Glyph>) -> Vec<Segment> {
    doubles::remove(glyphs);
    stacks::turn(glyphs);
    // Shared, as most segments are so short that making room for it would take as long as reading them.
    let mut items = Vec::new();
    glyphs.chunk_by_mut(Glyph::is_followed_by).filter_map(|glyphs| segment(glyphs, &mut items)).collect()
}

/// A glyph and its character, or a space between words.
type Item<'g> = Option<(&'g Glyph, char)>;

/// A segment of these glyphs, which are put in order. What `items` holds is of no use before and after.
fn segment<'g>(glyphs: &'g mut [Glyph], items: &mut Vec<Item<'g>>) -> Option<Segment> {
    let first = *glyphs.first()?;
    let has_rtl = glyphs.iter().any(|g| bidi::is_rtl(g.char));
    let rtl = has_rtl && bidi::is_mostly_rtl(glyphs.iter().map(|g| g.char));
    if has_rtl {
        // By their middles, so that marks stay at their letters.
        let middle = |glyph: &Glyph| first.to(glyph).0 + glyph.advance / 2.0;
        glyphs.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    }
    part(glyphs, items);
    if has_rtl {
        bidi::visual_to_logical(items, rtl, |item| item.map_or(' ', |(_, char)| char));
    }
    if rtl {
        bidi::mirror_brackets(items.iter_mut().flatten().map(|(_, char)| char));
    }
    let words: Vec<Placed> = items.split(|item| item.is_none()).filter_map(word).collect();
    let size = glyphs.iter().map(|g| g.size).fold(0.0, more);
    let rect = words.iter().map(|w| w.rect).fold(NOWHERE, union);
    (!words.is_empty()).then_some(Segment {
        words,
        direction: first.direction,
        origin: [first.x, first.y],
        rect,
        size,
        rtl,
        mirrored: first.mirrored,
    })
}

/// Makes items of the glyphs, with `None` between words, for white space that is drawn as well as for gaps.
fn part<'g>(row: &'g [Glyph], items: &mut Vec<Item<'g>>) {
    let (gaps, wide) = part_at(SPACE, row, items);
    if gaps >= 3 && wide as f32 >= SPACED_SHARE * gaps as f32 {
        part_at(widest_gap_within_words(row), row, items);
    }
}

/// The same with a gap of `space` ems between words. Gives the number of gaps between glyphs, and how many are wide.
fn part_at<'g>(space: f32, row: &'g [Glyph], items: &mut Vec<Item<'g>>) -> (usize, usize) {
    items.clear();
    let (mut gaps, mut wide) = (0, 0);
    for glyph in row {
        if glyph.char.is_whitespace() {
            items.push(None);
            continue;
        }
        if let Some(Some((last, _))) = items.last() {
            let (gap, size) = (last.gap(glyph), less(last.size, glyph.size));
            gaps += 1;
            // Most gaps are so narrow that they need no second look.
            if gap > 0.9 * size * space.min(SPACE) {
                wide += usize::from(gap / size > SPACE);
                if gap > size * if is_ideographic(last, glyph) { WIDE_SPACE } else { space } {
                    items.push(None);
                }
            }
        }
        items.push(Some((glyph, glyph.char)));
    }
    (gaps, wide)
}

fn is_ideographic(a: &Glyph, b: &Glyph) -> bool {
    letters::is_ideographic(a.char) && letters::is_ideographic(b.char)
}

/// In ems. Text whose letters are spaced apart evenly has wider gaps within words than other text has between them.
fn widest_gap_within_words(row: &[Glyph]) -> f32 {
    let gap = |pair: &[Glyph]| match pair {
        [a, b] if !a.char.is_whitespace() && !b.char.is_whitespace() => Some(a.gap(b) / a.size.min(b.size)),
        _ => None,
    };
    let mut gaps: Vec<f32> = row.windows(2).filter_map(gap).collect();
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or_default();
    let alike = gaps.iter().filter(|gap| (**gap - usual).abs() < SPACE / 2.0).count() as f32;
    if alike < SPACED_SHARE * gaps.len() as f32 { SPACE } else { usual + SPACE / 2.0 }
}

/// A word of glyphs between spaces; `None` if nothing of it can be read.
fn word(glyphs: &[Item<'_>]) -> Option<Placed> {
    let (base, _) = (*glyphs.first()?)?;
    let mut text = String::with_capacity(glyphs.len());
    let mut rect = NOWHERE;
    for (glyph, char) in glyphs.iter().flatten() {
        rect = union(rect, glyph.rect());
        letters::push(&mut text, if is_exponent(base, glyph) { letters::superscript(*char) } else { *char });
    }
    let readable = text.chars().any(|c| c != char::REPLACEMENT_CHARACTER);
    readable.then_some(Placed { text, rect })
}

/// True if the glyph is smaller than the first one of its word and stands higher.
fn is_exponent(base: &Glyph, glyph: &Glyph) -> bool {
    glyph.size < 0.85 * base.size && base.to(glyph).1 < -0.2 * base.size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters of half an em from `x` on, with a gap in ems after each.
    fn spaced(text: &str, x: f32, y: f32, gap: f32) -> Vec<Glyph> {
        let step = 5.0 + gap * 10.0;
        text.chars().enumerate().map(|(i, char)| Glyph { x: x + i as f32 * step, y, ..Glyph::sample(char) }).collect()
    }

    fn run(text: &str, x: f32, y: f32) -> Vec<Glyph> {
        spaced(text, x, y, 0.0)
    }

    /// Words of a segment joined by spaces, segments by `|`.
    fn read(glyphs: impl IntoIterator<Item = Vec<Glyph>>) -> String {
        let segments = segments(&mut glyphs.into_iter().flatten().collect());
        let text = |s: &Segment| s.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
        segments.iter().map(text).collect::<Vec<_>>().join("|")
    }

    fn turned(glyphs: Vec<Glyph>) -> Vec<Glyph> {
        glyphs.into_iter().map(|g| Glyph { x: g.y, y: -g.x, direction: [0.0, -1.0], ..g }).collect()
    }

    fn sized(glyphs: Vec<Glyph>, size: f32) -> Vec<Glyph> {
        glyphs.into_iter().map(|g| Glyph { size, advance: size / 2.0, ..g }).collect()
    }

    #[test]
    fn glyphs_become_words_and_segments() {
        let table: [(&str, Vec<Vec<Glyph>>, &str); 18] = [
            ("drawn spaces", vec![run("one two", 0.0, 0.0)], "one two"),
            ("gaps are spaces", vec![run("one", 0.0, 0.0), run("two", 18.0, 0.0)], "one two"),
            ("kerning is none", vec![run("one", 0.0, 0.0), run("two", 16.0, 0.0)], "onetwo"),
            ("wide gaps part", vec![run("one", 0.0, 0.0), run("two", 30.0, 0.0)], "one|two"),
            ("widely kerned numbers stay whole", vec![spaced("12,40", 0.0, 0.0, 0.3)], "12,40"),
            (
                "letters spaced apart",
                vec![spaced("TOTAL", 0.0, 0.0, 0.4), spaced("COST", 48.0, 0.0, 0.4)],
                "TOTAL COST",
            ),
            ("lines set tight", vec![run("a", 0.0, 0.0), run("b", 0.0, 9.0)], "a|b"),
            ("fake bold", vec![run("bold", 0.0, 0.0), run("bold", 0.5, 0.3)], "bold"),
            ("double letters are kept", vec![run("ll", 0.0, 0.0)], "ll"),
            ("exponents", vec![run("10", 0.0, 0.0), sized(run("2", 10.0, -4.0), 6.0)], "10²"),
            ("indices", vec![run("H", 0.0, 0.0), sized(run("2", 5.0, 2.0), 6.0), run("O", 8.0, 0.0)], "H2O"),
            ("ligatures", vec![run("ﬁnd ﷲ", 0.0, 0.0)], "find الله"),
            ("what shows nothing", vec![run("a\u{200b}b\u{7}c\u{ad}", 0.0, 0.0)], "abc-"),
            (
                "turned text apart",
                vec![run("up", 0.0, 0.0), turned(run("side", 0.0, 0.0)), run("on", 10.0, 0.0)],
                "up|side|on",
            ),
            ("few spaces in Japanese", vec![spaced("第二条", 0.0, 0.0, 0.45)], "第二条"),
            ("right to left", vec![run("12.5 םולש", 0.0, 0.0)], "שלום 12.5"),
            ("brackets seen from the right", vec![run("(הלימ) ףוס", 0.0, 0.0)], "סוף (מילה)"),
            ("nothing readable", vec![run("\u{fffd}\u{fffd} a\u{fffd}", 0.0, 0.0)], "a\u{fffd}"),
        ];
        for (what, glyphs, want) in table {
            assert_eq!(read(glyphs), want, "{what}");
        }
    }

    #[test]
    fn right_to_left_text_may_be_drawn_from_the_right() {
        let mut glyphs = run("םולש", 0.0, 0.0);
        glyphs.reverse();
        assert_eq!(read([glyphs]), "שלום");
    }

    #[test]
    fn boxes_follow_the_direction_of_the_text() {
        let check = |mut glyphs: Vec<Glyph>, want: [f32; 4]| {
            let segments = segments(&mut glyphs);
            assert_eq!(segments.iter().map(|s| s.rect).collect::<Vec<_>>(), [want]);
        };
        check(run("ab", 100.0, 50.0), [100.0, 42.0, 110.0, 52.0]);
        check(turned(run("ab", 0.0, 50.0)), [42.0, -10.0, 52.0, 0.0]);
        let mirrored = run("ab", 100.0, 50.0).into_iter().map(|g| Glyph { mirrored: true, ..g }).collect();
        check(mirrored, [100.0, 48.0, 110.0, 58.0]);
    }
}
