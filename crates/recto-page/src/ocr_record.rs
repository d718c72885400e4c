//! What was read off a page's picture, kept apart from what the file says.

use serde::{Deserialize, Serialize};

use crate::{Region, TextLayer, Turn};

/// The result of optical character recognition on a page or on parts of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OcrRecord {
    /// The words read, with their places on the page as displayed, in reading order.
    pub layer: TextLayer,
    /// For each line of `layer`, how sure the engine is, from 0 to 1.
    pub confidence: Vec<f32>,
    /// Where there is text that could not be read: poor, or of a script that the engine does not know.
    pub unread: Vec<Region>,
    /// The parts of the page that were looked at.
    pub regions: Vec<Region>,
    /// How the text was turned on the picture.
    pub turn: Turn,
    /// Engine and models, such as `pp-ocrv6-tiny+small@1a2b3c4d`.
    pub engine: String,
    /// Resolution of the picture that was read, in dots per inch.
    pub dpi: u32,
}

impl OcrRecord {
    /// Mean confidence over the lines, weighed by their letters; 0 without lines.
    pub fn mean_confidence(&self) -> f32 {
        let weight =
            |line: &crate::Line| self.layer.words_of(line).iter().map(|w| w.text.chars().count()).sum::<usize>();
        let (sum, letters) =
            self.layer.lines.iter().zip(&self.confidence).fold((0.0, 0), |(sum, letters), (line, c)| {
                let n = weight(line);
                (sum + c * n as f32, letters + n)
            });
        if letters == 0 { 0.0 } else { sum / letters as f32 }
    }
}
