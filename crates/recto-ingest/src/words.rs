//! Glyphs to words, and words to segments: stretches of text that are drawn in one go along one baseline. Knows nothing
//! of PDF, nor of what lies beside or below a segment (that is [`crate::reading_order`]).

use unicode_normalization::UnicodeNormalization;

use crate::bidi;

/// A gap of this many ems between two glyphs parts words.
const SPACE: f32 = 0.15;

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
        row.sort_by(|a, b| first.to(a).0.total_cmp(&first.to(b).0));
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
            && last.gap(glyph) > space * last.size.min(glyph.size)
        {
            items.push(None);
        }
        items.push(Some(glyph));
    }
    items
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
