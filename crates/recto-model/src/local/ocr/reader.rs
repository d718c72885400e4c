//! What a strip says: the recognition network, and the characters of its output (connectionist temporal
//! classification, Graves et al. 2006, best path).

use super::net::{Array, Net};
use super::strip::Strip;
use crate::Result;

/// A network that reads strips, and its alphabet.
pub(crate) struct Reader {
    pub(crate) net: Box<dyn Net>,
    /// Symbols of the classes from 1; class 0 is "nothing", the one after the last is the space.
    pub(crate) alphabet: Vec<String>,
}

/// A symbol that was read.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Glyph {
    pub(crate) text: String,
    /// Where it stands, as a fraction of the strip's width: where the network was sure of it.
    pub(crate) at: f32,
    /// Its probability.
    pub(crate) sure: f32,
}

impl Glyph {
    /// Chinese, Japanese and their punctuation fill a square each.
    pub(crate) fn is_full_width(&self) -> bool {
        self.text.as_str() >= "\u{2E80}"
    }
}

impl Reader {
    /// The symbols on a strip, from left to right.
    pub(crate) fn read(&self, strip: &Strip) -> Result<Vec<Glyph>> {
        let planes = strip.planes();
        let used = planes.width as f32 / strip.width as f32;
        Ok(self.best_path(&self.net.run(&planes)?, used))
    }

    fn best_path(&self, output: &Array, used: f32) -> Vec<Glyph> {
        let steps = output.data.len() / output.columns.max(1);
        let mut glyphs: Vec<Glyph> = Vec::new();
        let mut last = 0;
        for (step, row) in output.data.chunks_exact(output.columns.max(1)).enumerate() {
            let (class, sure) = largest(row);
            let at = (step as f32 + 0.5) / steps as f32 * used;
            if class != 0 && class != last {
                glyphs.push(Glyph { text: self.symbol(class), at, sure });
            } else if class != 0
                && let Some(glyph) = glyphs.last_mut()
                && sure > glyph.sure
            {
                (glyph.at, glyph.sure) = (at, sure);
            }
            last = class;
        }
        glyphs
    }

    fn symbol(&self, class: usize) -> String {
        self.alphabet.get(class - 1).map_or_else(|| " ".into(), Clone::clone)
    }
}

fn largest(row: &[f32]) -> (usize, f32) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    (row.iter().position(|&value| value == most).unwrap_or_default(), most)
}

/// How sure a reading is: the mean over its symbols, 0 of none.
pub(crate) fn confidence(glyphs: &[Glyph]) -> f32 {
    let marks = glyphs.iter().filter(|glyph| glyph.text != " ");
    let (sum, count) = marks.fold((0.0, 0.0), |(sum, count), glyph| (sum + glyph.sure, count + 1.0));
    if count == 0.0 { 0.0 } else { sum / count }
}
