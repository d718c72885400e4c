//! What stands in a rectangle that the detector found: which way it runs, where it must be cut, what it says.

use super::LocalRecognizer;
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
        return page.pieces(place, 0);
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
    fn pieces(&self, place: &Slanted, turned: u8) -> Result<Vec<Line>> {
        let strip = Strip::cut(self.picture, place);
        let ink = strip.ink();
        let pieces = pieces(&ink);
        if let [_] = pieces[..] {
            return Ok(vec![Line { place: *place, turned, glyphs: self.read(&strip)?, ink }]);
        }
        pieces.into_iter().map(|(from, to)| self.piece(place.part(from, to), turned)).collect()
    }

    fn piece(&self, place: Slanted, turned: u8) -> Result<Line> {
        let strip = Strip::cut(self.picture, &place);
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
