//! What stands in a rectangle that the detector found: which way it runs, where it must be cut, what it says.

use super::LocalRecognizer;
use super::edge::clean_cut;
use super::picture::Picture;
use super::reader::{Glyph, confidence};
use super::slanted::Slanted;
use super::strip::{HEIGHT, Strip};
use super::words::gaps;
use crate::Result;

/// Lines that the first reader is less sure of are read again by the second.
const SURE: f32 = 0.97;
/// The second reader is believed unless it is less sure than the first by this much,
const SECOND: f32 = 0.05;
/// or leaves out more than this share of a line in letters: those that it does not know, as of Vietnamese.
const LEFT_OUT: f32 = 0.1;
/// A line is cut where nothing stands for this many times its height: a reader joins what stands far apart.
const PIECE_GAP: f32 = 0.9;
/// A line so many times as long as high is read in portions of that length.
const PORTION: f32 = 80.0;
/// A rectangle so much higher than wide holds text that runs up or down, or a single letter.
const UPRIGHT: f32 = 1.5;
/// A rectangle so much higher than wide is no single letter.
const LETTER: f32 = 4.0;
/// A reading that is so sure needs no other to be tried.
const CERTAIN: f32 = 0.9;

/// A line, or a part of one, that was read.
pub(crate) struct Line {
    pub(crate) place: Slanted,
    /// By how many quarter turns clockwise the picture must be turned for this line to stand upright.
    pub(crate) turned: u8,
    pub(crate) glyphs: Vec<Glyph>,
    /// For each column of its strip, whether anything stands there.
    pub(crate) ink: Vec<bool>,
}

/// The parts of the line in a rectangle.
pub(crate) fn read_line(models: &LocalRecognizer, picture: &Picture, place: &Slanted) -> Result<Vec<Line>> {
    let page = Page { models, picture };
    if place.height < UPRIGHT * place.width {
        let mut lines = Vec::new();
        for portion in page.portions(place) {
            lines.extend(page.pieces(&portion, 0)?);
        }
        return Ok(lines);
    }
    let mut best = Vec::new();
    let mut most = -1.0;
    let ways = [(*place, 0), (place.upwards(), 1), (place.upwards().reversed(), 3)];
    for (place, turned) in ways.into_iter().skip(usize::from(place.height > LETTER * place.width)) {
        let lines = page.pieces(&place, turned)?;
        let sure = lines.iter().map(|line| confidence(&line.glyphs)).sum::<f32>() / lines.len().max(1) as f32;
        if sure > most {
            (best, most) = (lines, sure);
        }
        if sure > CERTAIN {
            break;
        }
    }
    Ok(best)
}

struct Page<'p> {
    models: &'p LocalRecognizer,
    picture: &'p Picture<'p>,
}

impl Page<'_> {
    /// The line, a very long one cut at the widest gaps near equal parts.
    fn portions(&self, place: &Slanted) -> Vec<Slanted> {
        let count = (place.width / (PORTION * place.height)).ceil().max(1.0);
        let window = 3.0 * place.height / place.width;
        let cut = |n: usize| {
            let from = n as f32 / count - window / 2.0;
            let ink = Strip::cut(self.picture, &place.part(from, from + window)).ink();
            let gap = gaps(&ink).into_iter().max_by_key(|(start, end)| end - start).unwrap_or_default();
            from + window * (gap.0 + gap.1) as f32 / (2 * ink.len().max(1)) as f32
        };
        let inner = (1..count as usize).map(cut);
        let ends: Vec<f32> = std::iter::once(0.0).chain(inner).chain([1.0]).collect();
        ends.windows(2).map(|pair| place.part(pair[0], pair[1])).collect()
    }

    fn pieces(&self, place: &Slanted, turned: u8) -> Result<Vec<Line>> {
        let strip = clean_cut(self.picture, place);
        let ink = strip.ink();
        let pieces = pieces(&ink);
        if let [_] = pieces[..] {
            return Ok(vec![Line { place: *place, turned, glyphs: self.read(&strip)?, ink }]);
        }
        pieces.into_iter().map(|(from, to)| self.piece(place.part(from, to), turned)).collect()
    }

    fn piece(&self, place: Slanted, turned: u8) -> Result<Line> {
        let strip = clean_cut(self.picture, &place);
        Ok(Line { place, turned, glyphs: self.read(&strip)?, ink: strip.ink() })
    }

    fn read(&self, strip: &Strip) -> Result<Vec<Glyph>> {
        let glyphs = self.models.reader.read(strip)?;
        let Some(second) = self.models.second.as_ref().filter(|_| confidence(&glyphs) < SURE) else {
            return Ok(glyphs);
        };
        let again = second.read(strip)?;
        let surer = confidence(&again) + SECOND >= confidence(&glyphs);
        let whole =
            again.len() as f32 >= glyphs.len() as f32 * (1.0 - LEFT_OUT) || again.iter().any(Glyph::is_full_width);
        Ok(if surer && whole { again } else { glyphs })
    }
}

/// Parts of a strip, in fractions of its width, that are separated by wide gaps.
fn pieces(ink: &[bool]) -> Vec<(f32, f32)> {
    let wide = gaps(ink).into_iter().filter(|(start, end)| (end - start) as f32 > PIECE_GAP * HEIGHT as f32);
    let inner = wide.filter(|(start, end)| *start > 0 && *end < ink.len());
    let margin = HEIGHT / 6;
    let mut pieces = Vec::new();
    let mut from = 0;
    let fraction = |column: usize| column as f32 / ink.len().max(1) as f32;
    for (start, end) in inner {
        pieces.push((fraction(from), fraction(start + margin)));
        from = end - margin;
    }
    pieces.push((fraction(from), 1.0));
    pieces
}
