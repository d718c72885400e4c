//! Glyphs to words, and words to segments: stretches of text that are drawn in one go along one baseline. Knows nothing
//! of PDF, nor of what lies beside or below a segment (that is [`crate::reading_order`]).

use unicode_normalization::UnicodeNormalization;

use crate::bidi;

/// A gap of this many ems between two glyphs parts words.
const SPACE: f32 = 0.15;

/// The same in scripts that write no spaces.
const WIDE_SPACE: f32 = 0.5;

/// A gap of this many ems ends a segment.
const BREAK: f32 = 0.8;

/// A glyph may start this many ems before the end of the one before it.
const OVERLAP: f32 = 0.6;

/// Glyphs of a segment may stand this many ems above or below each other: accents, exponents.
const RISE: f32 = 0.5;

/// Text whose letters are spaced apart: at least this share of the gaps are wide and alike.
const SPACED_SHARE: f32 = 0.7;

/// A character at its place, in points from the top left of the page as displayed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Glyph {
    /// The character; U+FFFD if it is not known.
    pub(crate) char: char,
    /// Start of the glyph on its baseline.
    pub(crate) x: f32,
    /// Start of the glyph on its baseline.
    pub(crate) y: f32,
    /// Unit vector along the baseline.
    pub(crate) direction: [f32; 2],
    /// Length along the baseline.
    pub(crate) advance: f32,
    /// Font size.
    pub(crate) size: f32,
    /// How far the font reaches above the baseline.
    pub(crate) ascent: f32,
    /// How far the font reaches below the baseline.
    pub(crate) descent: f32,
    /// True if the glyph is drawn as in a mirror, so that its top is to the right of its direction.
    pub(crate) mirrored: bool,
}

impl Glyph {
    /// Distance from here to `other`: along the baseline, and downwards across it.
    fn to(&self, other: &Self) -> (f32, f32) {
        let ([ux, uy], dx, dy) = (self.direction, other.x - self.x, other.y - self.y);
        (dx * ux + dy * uy, (dy * ux - dx * uy) * self.down())
    }

    /// 1 if downwards is to the right of the direction, as in usual text, else -1.
    fn down(&self) -> f32 {
        if self.mirrored { -1.0 } else { 1.0 }
    }

    /// Free space between the two, wherever the other stands; negative if they overlap.
    fn gap(&self, next: &Self) -> f32 {
        let (along, _) = self.to(next);
        (along - self.advance).max(-along - next.advance)
    }

    /// True if `next` goes on with the text that this glyph is part of.
    fn is_followed_by(&self, next: &Self) -> bool {
        let size = self.size.max(next.size);
        let (along, across) = self.to(next);
        let fits = |gap: f32| (-OVERLAP * size..BREAK * size).contains(&gap);
        let turned = self.direction[0] * next.direction[0] + self.direction[1] * next.direction[1] < 0.99;
        let goes_left = bidi::is_rtl(self.char) || bidi::is_rtl(next.char);
        !turned
            && self.mirrored == next.mirrored
            && across.abs() < RISE * size
            && (fits(along - self.advance) || goes_left && fits(-along - next.advance))
    }

    /// `[left, top, right, bottom]` of the glyph's box.
    fn rect(&self) -> [f32; 4] {
        let ([ux, uy], down) = (self.direction, self.down());
        let corner = |along: f32, up: f32| (self.x + along * ux + up * down * uy, self.y + along * uy - up * down * ux);
        let corners =
            [(0.0, self.ascent), (0.0, -self.descent), (self.advance, self.ascent), (self.advance, -self.descent)];
        corners.map(|(along, up)| corner(along, up)).map(|(x, y)| [x, y, x, y]).into_iter().fold(NOWHERE, union)
    }

    #[cfg(test)]
    pub(crate) fn sample(char: char) -> Self {
        Self {
            char,
            x: 0.0,
            y: 0.0,
            direction: [1.0, 0.0],
            advance: 5.0,
            size: 10.0,
            ascent: 8.0,
            descent: 2.0,
            mirrored: false,
        }
    }
}

/// The box around nothing.
pub(crate) const NOWHERE: [f32; 4] = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];

/// The box around two boxes.
pub(crate) fn union(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

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

/// Groups glyphs, given in the order of drawing, to segments in the same order.
pub(crate) fn segments(mut glyphs: Vec<Glyph>) -> Vec<Segment> {
    crate::doubles::remove(&mut glyphs);
    glyphs.chunk_by(Glyph::is_followed_by).filter_map(segment).collect()
}

fn segment(glyphs: &[Glyph]) -> Option<Segment> {
    let mut row: Vec<&Glyph> = glyphs.iter().collect();
    let rtl = bidi::is_mostly_rtl(row.iter().map(|g| g.char));
    let has_rtl = rtl || row.iter().any(|g| bidi::is_rtl(g.char));
    if has_rtl {
        let first = *row.first()?;
        // By their middles, so that marks stay at their letters.
        let middle = |glyph: &Glyph| first.to(glyph).0 + glyph.advance / 2.0;
        row.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    }
    let mut items = with_spaces(&row);
    if has_rtl {
        bidi::visual_to_logical(&mut items, rtl, |item| item.map_or(' ', |g| g.char));
    }
    let words: Vec<Placed> = items.split(|item| item.is_none()).filter_map(word).collect();
    let first = glyphs.first()?;
    let size = glyphs.iter().map(|g| g.size).fold(0.0, f32::max);
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

/// The glyphs with `None` between words, for white space that is drawn as well as for gaps.
fn with_spaces<'g>(row: &[&'g Glyph]) -> Vec<Option<&'g Glyph>> {
    let space = widest_gap_within_words(row);
    let mut items: Vec<Option<&Glyph>> = Vec::with_capacity(row.len() + 8);
    for glyph in row {
        if glyph.char.is_whitespace() {
            items.push(None);
            continue;
        }
        if let Some(Some(last)) = items.last()
            && last.gap(glyph)
                > last.size.min(glyph.size) * if writes_no_spaces(last, glyph) { WIDE_SPACE } else { space }
        {
            items.push(None);
        }
        items.push(Some(glyph));
    }
    items
}

/// True if both are of scripts in which a small gap between characters means nothing.
fn writes_no_spaces(a: &Glyph, b: &Glyph) -> bool {
    [a, b].iter().all(|g| matches!(g.char, '\u{3001}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}'))
}

/// In ems. Text whose letters are spaced apart evenly has wider gaps within words than other text has between them.
fn widest_gap_within_words(row: &[&Glyph]) -> f32 {
    let gaps = row.windows(2).filter_map(|pair| match pair {
        [a, b] if !a.char.is_whitespace() && !b.char.is_whitespace() => Some(a.gap(b) / a.size.min(b.size)),
        _ => None,
    });
    let mut gaps: Vec<f32> = gaps.collect();
    let wide = gaps.iter().filter(|gap| **gap > SPACE).count() as f32;
    if gaps.len() < 3 || wide < SPACED_SHARE * gaps.len() as f32 {
        return SPACE;
    }
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 2).copied().unwrap_or_default();
    let alike = gaps.iter().filter(|gap| (**gap - usual).abs() < SPACE / 2.0).count() as f32;
    if alike < SPACED_SHARE * gaps.len() as f32 { SPACE } else { usual + SPACE / 2.0 }
}

/// A word of glyphs between spaces; `None` if nothing of it can be read.
fn word(glyphs: &[Option<&Glyph>]) -> Option<Placed> {
    let base = (*glyphs.first()?)?;
    let mut text = String::with_capacity(glyphs.len());
    let mut rect = NOWHERE;
    for glyph in glyphs.iter().flatten() {
        rect = union(rect, glyph.rect());
        push_letters(&mut text, if is_exponent(base, glyph) { superscript(glyph.char) } else { glyph.char });
    }
    let readable = text.chars().any(|c| c != char::REPLACEMENT_CHARACTER);
    readable.then_some(Placed { text, rect })
}

/// True if the glyph is smaller than the first one of its word and stands higher.
fn is_exponent(base: &Glyph, glyph: &Glyph) -> bool {
    glyph.size < 0.85 * base.size && base.to(glyph).1 < -0.2 * base.size
}

/// So that a small raised 2 after 10 does not make 102.
fn superscript(char: char) -> char {
    match char {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32(char as u32 - '4' as u32 + '⁴' as u32).unwrap_or(char),
        other => other,
    }
}

/// Adds a character as the letters a reader would type: ligatures and other presentation forms taken apart, soft
/// hyphens (which are visible when drawn) as hyphens, characters that show nothing left out.
fn push_letters(text: &mut String, char: char) {
    match char {
        '\u{ad}' => text.push('-'),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
        '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{2e80}'..='\u{2fdf}' => text.extend(char.nfkc()),
        control if control.is_control() => {}
        other => text.push(other),
    }
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
        let segments = segments(glyphs.into_iter().flatten().collect());
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
        let table: [(&str, Vec<Vec<Glyph>>, &str); 16] = [
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
            ("right to left", vec![run("12.5 םולש", 0.0, 0.0)], "שלום 12.5"),
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
        let check = |glyphs: Vec<Glyph>, want: [f32; 4]| {
            let segments = segments(glyphs);
            assert_eq!(segments.iter().map(|s| s.rect).collect::<Vec<_>>(), [want]);
        };
        check(run("ab", 100.0, 50.0), [100.0, 42.0, 110.0, 52.0]);
        check(turned(run("ab", 0.0, 50.0)), [42.0, -10.0, 52.0, 0.0]);
        let mirrored = run("ab", 100.0, 50.0).into_iter().map(|g| Glyph { mirrored: true, ..g }).collect();
        check(mirrored, [100.0, 48.0, 110.0, 58.0]);
    }
}
