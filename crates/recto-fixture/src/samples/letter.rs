//! A letter that was scanned: a picture without a text layer.

use crate::face::Face;
use crate::page::Page;
use crate::pdf::Pdf;
use crate::picture::Picture;
use crate::report::{Script, wrap};

const LETTER: &str = include_str!("letter.txt");

pub(super) fn pdf() -> Pdf {
    Pdf::new().page(Page::new().image(scan().object(), 0.0, 0.0, 595.0, 842.0))
}

fn scan() -> Picture {
    let script = Script::embedded("F2", Face::Serif);
    let mut picture = Picture::new([595.0, 842.0], 150.0).tilt(0.009);
    let mut y = 78.0;
    for (n, paragraph) in LETTER.lines().enumerate() {
        let (face, size) = match n {
            0 => (Face::SerifBold, 19.0),
            _ if paragraph.starts_with("Closing") => (Face::SerifBold, 11.5),
            _ => (Face::Serif, 11.5),
        };
        for line in wrap(paragraph, &script, size, 440.0, false) {
            picture = picture.text(face, 78.0, y, size, &line.text);
            y += if paragraph.is_empty() { 9.5 } else { size * 1.32 };
        }
    }
    sign(picture.stroke([78.0, 110.0], [517.0, 110.0], 0.8), 78.0, y - 56.0).noise(1922)
}

/// A signature, as a line that wanders.
fn sign(picture: Picture, x: f32, y: f32) -> Picture {
    const PATH: [[f32; 2]; 22] = [
        [0.0, 14.0],
        [6.0, -8.0],
        [10.0, 10.0],
        [16.0, -9.0],
        [21.0, 12.0],
        [27.0, 3.0],
        [31.0, 9.0],
        [36.0, 2.0],
        [40.0, 10.0],
        [47.0, 4.0],
        [60.0, -10.0],
        [53.0, -2.0],
        [62.0, 1.0],
        [53.0, 8.0],
        [66.0, 9.0],
        [74.0, -11.0],
        [71.0, 9.0],
        [81.0, -10.0],
        [78.0, 9.0],
        [88.0, 3.0],
        [96.0, 8.0],
        [128.0, 2.0],
    ];
    PATH.windows(2).fold(picture, |picture, pair| {
        let at = |[px, py]: [f32; 2]| [x + px, y + py];
        picture.stroke(at(pair[0]), at(pair[1]), 1.1)
    })
}
