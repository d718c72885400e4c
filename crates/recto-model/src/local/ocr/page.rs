//! From a picture to its lines: which way up it is, and what is said about it in the end.

use recto_page::{Region, Word};

use super::belief::{Belief, belief};
use super::lines::{Line, read_line};
use super::picture::Picture;
use super::reader::confidence;
use super::slanted::Slanted;
use super::strip::Strip;
use super::words::words;
use super::{LocalRecognizer, detect, orientation};
use crate::{OcrMode, Recognized, RecognizedLine, Result, Stop, Unread};

/// The detector sees at most this many pixels: an A4 page at 160 dpi.
const MOST_PIXELS: usize = 2_500_000;
/// The same in the fast mode.
const MOST_PIXELS_FAST: usize = 1_200_000;
/// A page is turned if its orientation is at least so sure.
const TURN: f32 = 0.6;
/// A page that is read with less confidence is looked at from the other sides.
const DOUBT: f32 = 0.85;
/// How many lines are read to judge a side.
const SAMPLE: usize = 6;

/// Reads a picture, until it is stopped.
pub(crate) fn recognize(models: &LocalRecognizer, given: &Picture, stop: &Stop) -> Result<Recognized> {
    if given.width == 0 || given.height == 0 {
        return Ok(Recognized::default());
    }
    let side = Side::look(models, given, turns(models, given)?)?;
    let (lines, stopped) = side.read(stop)?;
    let sure = mean_confidence(&lines);
    if lines.is_empty() || sure >= DOUBT || stopped {
        return Ok(side.told(&lines, stopped));
    }
    let Some(better) = better_side(models, given, side.turned, sure, stop)? else {
        return Ok(side.told(&lines, stop()));
    };
    let (lines, stopped) = better.read(stop)?;
    Ok(better.told(&lines, stopped))
}

fn turns(models: &LocalRecognizer, picture: &Picture) -> Result<u8> {
    let Some(net) = &models.orientation else { return Ok(0) };
    let (turns, sure) = orientation::turns(&**net, picture)?;
    Ok(if sure >= TURN { turns } else { 0 })
}

/// A side from which the text is clearly more legible, or as legible without turning: what can't be read from any side
/// is left as it was given.
fn better_side<'p>(
    models: &'p LocalRecognizer,
    given: &'p Picture,
    turned: u8,
    sure: f32,
    stop: &Stop,
) -> Result<Option<Side<'p>>> {
    let (mut best, mut most) = (None, sure + 0.1);
    for other in (0..4).filter(|other| *other != turned).take_while(|_| !stop()) {
        let side = Side::look(models, given, other)?;
        let sure = side.sample()? + if other == 0 { 0.15 } else { 0.0 };
        if sure > most {
            (best, most) = (Some(side), sure);
        }
    }
    Ok(best)
}

/// Weighted by what was read.
fn mean_confidence(lines: &[Line]) -> f32 {
    let count: usize = lines.iter().map(|line| line.glyphs.len()).sum();
    let sum: f32 = lines.iter().map(|line| confidence(&line.glyphs) * line.glyphs.len() as f32).sum();
    sum / count.max(1) as f32
}

/// A page seen from one side: turned clockwise by quarter turns.
struct Side<'p> {
    models: &'p LocalRecognizer,
    picture: Picture<'p>,
    turned: u8,
    places: Vec<Slanted>,
}

impl<'p> Side<'p> {
    fn look(models: &'p LocalRecognizer, given: &'p Picture, turned: u8) -> Result<Self> {
        let picture = given.turned(turned);
        let most_pixels = if models.mode == OcrMode::Fast { MOST_PIXELS_FAST } else { MOST_PIXELS };
        let places = detect::lines(&*models.detector, &picture, most_pixels)?;
        Ok(Self { models, picture, turned, places })
    }

    /// The lines, and true if it was stopped before the last.
    fn read(&self, stop: &Stop) -> Result<(Vec<Line>, bool)> {
        let mut lines = Vec::new();
        for place in &self.places {
            if stop() {
                return Ok((lines, true));
            }
            lines.extend(read_line(self.models, &self.picture, place)?);
        }
        Ok((lines, false))
    }

    /// How sure the first reader is of the longest lines.
    fn sample(&self) -> Result<f32> {
        let mut longest: Vec<&Slanted> = self.places.iter().collect();
        longest.sort_by(|a, b| b.width.total_cmp(&a.width));
        longest.truncate(SAMPLE);
        let mut sum = 0.0;
        for place in &longest {
            sum += confidence(&self.models.reader.read(&Strip::cut(&self.picture, place))?);
        }
        Ok(sum / longest.len().max(1) as f32)
    }

    fn told(&self, lines: &[Line], stopped: bool) -> Recognized {
        let mut read = Recognized { turned: self.turned, stopped, ..Recognized::default() };
        for line in lines {
            let confidence = confidence(&line.glyphs);
            match belief(&line.glyphs, &line.ink) {
                Belief::Read => read.lines.push(self.told_line(line, confidence)),
                Belief::Unread => read.unread.push(Unread { region: self.region(&line.place), confidence }),
                Belief::Nothing => {}
            }
        }
        read
    }

    fn told_line(&self, line: &Line, confidence: f32) -> RecognizedLine {
        let region = |from, to| self.region(&line.place.part(from, to));
        let spans = words(&line.glyphs, &line.ink).into_iter();
        let words = spans.map(|span| Word { region: region(span.from, span.to), text: span.text }).collect();
        RecognizedLine { words, confidence, turned: (self.turned + line.turned) % 4 }
    }

    /// Where a rectangle of the turned page lies on the picture as it was given.
    fn region(&self, place: &Slanted) -> Region {
        let (w, h) = (self.picture.width.max(1) as f64, self.picture.height.max(1) as f64);
        let [left, top, right, bottom] = place.bounds().map(f64::from);
        let [left, top, right, bottom] = [left / w, top / h, right / w, bottom / h];
        match self.turned {
            1 => Region::new(top, 1.0 - right, bottom, 1.0 - left),
            2 => Region::new(1.0 - right, 1.0 - bottom, 1.0 - left, 1.0 - top),
            3 => Region::new(1.0 - bottom, left, 1.0 - top, right),
            _ => Region::new(left, top, right, bottom),
        }
    }
}
