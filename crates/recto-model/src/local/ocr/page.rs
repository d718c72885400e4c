//! From a picture to its lines: which way up, where the lines are, what they say.

use recto_page::{Region, Word};

use super::picture::Picture;
use super::reader::{Glyph, confidence};
use super::slanted::Slanted;
use super::strip::{HEIGHT, Strip};
use super::words::{gaps, words};
use super::{LocalRecognizer, detect, orientation};
use crate::{OcrMode, Recognized, RecognizedLine, Result, Unread};

/// The detector sees at most this many pixels: an A4 page at 160 dpi.
const MOST_PIXELS: usize = 2_500_000;
/// The same in the fast mode.
const MOST_PIXELS_FAST: usize = 1_200_000;
/// Lines that the first reader is less sure of are read again.
const SURE: f32 = 0.97;
/// Lines that are read with less confidence are not believed.
const BELIEVED: f32 = 0.6;
/// A page is turned if its orientation is at least so sure.
const TURN: f32 = 0.6;
/// A line is cut where nothing stands for this many times its height.
const PIECE_GAP: f32 = 0.9;

/// Reads a picture.
pub(crate) fn recognize(models: &LocalRecognizer, given: &Picture) -> Result<Recognized> {
    if given.width == 0 || given.height == 0 {
        return Ok(Recognized::default());
    }
    let turned = turns(models, given)?;
    let picture = given.turned(turned);
    let most_pixels = if models.mode == OcrMode::Fast { MOST_PIXELS_FAST } else { MOST_PIXELS };
    let boxes = detect::lines(&*models.detector, &picture, most_pixels)?;
    let page = Page { models, picture: &picture, turned };
    let mut read = Recognized { turned, ..Recognized::default() };
    for place in &boxes {
        page.read_line(place, &mut read)?;
    }
    Ok(read)
}

fn turns(models: &LocalRecognizer, picture: &Picture) -> Result<u8> {
    let Some(net) = &models.orientation else { return Ok(0) };
    let (turns, sure) = orientation::turns(&**net, picture)?;
    Ok(if sure >= TURN { turns } else { 0 })
}

/// A page that stands upright.
struct Page<'p> {
    models: &'p LocalRecognizer,
    picture: &'p Picture<'p>,
    /// How it was turned to do so.
    turned: u8,
}

/// A line that was read: where, what, and the strip's ink.
struct Reading {
    place: Slanted,
    glyphs: Vec<Glyph>,
    ink: Vec<bool>,
}

impl Page<'_> {
    fn read_line(&self, place: &Slanted, read: &mut Recognized) -> Result<()> {
        let (readings, turned) = self.read_upright_or_turned(place)?;
        for reading in &readings {
            let confidence = confidence(&reading.glyphs);
            if reading.glyphs.is_empty() {
            } else if confidence < BELIEVED {
                read.unread.push(Unread { region: self.region(&reading.place), confidence });
            } else {
                let words = self.words(reading);
                read.lines.push(RecognizedLine { words, confidence, turned: (self.turned + turned) % 4 });
            }
        }
        Ok(())
    }

    /// A box that is higher than wide holds text that runs upwards, downwards, or a single letter.
    fn read_upright_or_turned(&self, place: &Slanted) -> Result<(Vec<Reading>, u8)> {
        if place.height < 1.5 * place.width {
            return Ok((self.read_pieces(place)?, 0));
        }
        let ways = [(*place, 0), (place.upwards(), 1), (place.upwards().reversed(), 3)];
        let skip = usize::from(place.height > 4.0 * place.width);
        let mut best: Option<(Vec<Reading>, u8, f32)> = None;
        for (place, turned) in ways.into_iter().skip(skip) {
            let readings = self.read_pieces(&place)?;
            let sure = mean_confidence(&readings);
            if best.as_ref().is_none_or(|(_, _, most)| sure > *most) {
                best = Some((readings, turned, sure));
            }
            if sure > 0.9 {
                break;
            }
        }
        Ok(best.map_or_else(Default::default, |(readings, turned, _)| (readings, turned)))
    }

    /// The line, cut where wide gaps are: a reader joins what stands far apart.
    fn read_pieces(&self, place: &Slanted) -> Result<Vec<Reading>> {
        let strip = Strip::cut(self.picture, place);
        let pieces = pieces(&strip.ink());
        if let [_] = pieces[..] {
            return Ok(vec![self.read(*place, &strip)?]);
        }
        pieces.into_iter().map(|(from, to)| self.read_part(place, from, to)).collect()
    }

    fn read_part(&self, place: &Slanted, from: f32, to: f32) -> Result<Reading> {
        let part = place.part(from, to);
        self.read(part, &Strip::cut(self.picture, &part))
    }

    fn read(&self, place: Slanted, strip: &Strip) -> Result<Reading> {
        let mut glyphs = self.models.reader.read(strip)?;
        if let Some(second) = &self.models.second
            && confidence(&glyphs) < SURE
        {
            let again = second.read(strip)?;
            if confidence(&again) + 0.05 >= confidence(&glyphs) {
                glyphs = again;
            }
        }
        Ok(Reading { place, glyphs, ink: strip.ink() })
    }

    fn words(&self, reading: &Reading) -> Vec<Word> {
        let spans = words(&reading.glyphs, &reading.ink).into_iter();
        spans
            .map(|span| Word { region: self.region(&reading.place.part(span.from, span.to)), text: span.text })
            .collect()
    }

    /// Where a rectangle of the upright page lies on the picture as it was given.
    fn region(&self, place: &Slanted) -> Region {
        let (w, h) = (self.picture.width.max(1) as f64, self.picture.height.max(1) as f64);
        let [left, top, right, bottom] = place.bounds().map(f64::from);
        let [left, top, right, bottom] = [left / w, top / h, right / w, bottom / h];
        match self.turned % 4 {
            1 => Region::new(top, 1.0 - right, bottom, 1.0 - left),
            2 => Region::new(1.0 - right, 1.0 - bottom, 1.0 - left, 1.0 - top),
            3 => Region::new(1.0 - bottom, left, 1.0 - top, right),
            _ => Region::new(left, top, right, bottom),
        }
    }
}

fn mean_confidence(readings: &[Reading]) -> f32 {
    let sum: f32 = readings.iter().map(|reading| confidence(&reading.glyphs)).sum();
    sum / readings.len().max(1) as f32
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
