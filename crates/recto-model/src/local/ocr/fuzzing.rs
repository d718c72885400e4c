//! What fuzzing looks at: recognition with networks that answer anything. Compiled for nothing else.

use recto_page::PageImage;

use super::LocalRecognizer;
use super::net::{Array, Net, Planes};
use super::reader::Reader;
use crate::{OcrMode, Recognizer, Result};

/// Reads a picture with networks whose answers are made of `answers`. Gives the number of lines.
pub fn recognize(image: &PageImage, answers: &[u8]) -> usize {
    let net = |kind| -> Box<dyn Net> { Box::new(Anything { kind, answers: answers.to_vec() }) };
    let reader = || {
        let alphabet = ["a", "1", "-", ".", ",", "中", "の", "(", "é"].map(str::to_owned).to_vec();
        Reader { net: net(Kind::Reader), alphabet }
    };
    let recognizer = LocalRecognizer {
        detector: net(Kind::Detector),
        reader: reader(),
        second: Some(reader()),
        orientation: Some(net(Kind::Orientation)),
        mode: OcrMode::Auto,
        name: String::new(),
    };
    recognizer.recognize(image, &|| false).map_or(0, |read| read.lines.len())
}

struct Anything {
    kind: Kind,
    answers: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Kind {
    Detector,
    Reader,
    Orientation,
}

impl Net for Anything {
    fn run(&self, input: &Planes) -> Result<Array> {
        let (columns, rows) = match self.kind {
            Kind::Detector => (input.width, input.height),
            Kind::Reader => (11, input.width / 8),
            Kind::Orientation => (4, 1),
        };
        // Each answer of the detector is a square, else there would be no lines but dirt.
        let side = if matches!(self.kind, Kind::Detector) { 8 } else { 1 };
        let value = |at: usize| {
            let (x, y) = (at % columns.max(1) / side, at / columns.max(1) / side);
            self.answers.get((y * columns.div_ceil(side) + x) % self.answers.len().max(1)).copied().map_or(0.0, number)
        };
        Ok(Array { columns, data: (0..columns * rows).map(value).collect() })
    }
}

fn number(byte: u8) -> f32 {
    match byte {
        255 => f32::NAN,
        254 => f32::INFINITY,
        253 => -1.0,
        byte => f32::from(byte) / 252.0,
    }
}
