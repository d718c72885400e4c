//! Makes a scan of many pages without a text layer, each stamped with its number:
//! `cargo run -p recto-fixture --example scan -- 300 scan.pdf`. Page 7 bears "Sheet 00007".

use std::{env, fs, io};

use recto_fixture::{Face, Page, Pdf, Picture};

const SIZE: [f32; 2] = [595.0, 842.0];
const DPI: f32 = 150.0;
const LINES: u16 = 16;
const WORDS: [&str; 32] = [
    "river", "basin", "sluice", "harbour", "meadow", "keeper", "level", "water", "wrote", "opened", "measured",
    "carried", "northern", "narrow", "stone", "wooden", "early", "morning", "winter", "bridge", "lantern", "ferry",
    "quietly", "between", "under", "before", "the", "and", "of", "with", "for", "against",
];

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let (Some(Ok(pages)), Some(path)) = (arguments.next().map(|pages| pages.parse::<u32>()), arguments.next()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: scan PAGES OUT.pdf"));
    };
    fs::write(path, Pdf::new().pages((1..=pages).map(sheet)).to_bytes())
}

/// A page as a scanner sees it: its number and a paragraph, a little askew, other words and specks on each.
fn sheet(number: u32) -> Page {
    let tilt = (number % 7) as f32 * 0.003 - 0.009;
    let mut picture =
        Picture::new(SIZE, DPI).tilt(tilt).text(Face::SansBold, 380.0, 90.0, 18.0, &format!("Sheet {number:05}"));
    let mut words = Words(number);
    for line in 0..LINES {
        picture = picture.text(Face::Serif, 78.0, 150.0 + 17.0 * f32::from(line), 11.5, &words.line(430.0));
    }
    Page::new().image(picture.noise(number).object(), 0.0, 0.0, SIZE[0], SIZE[1])
}

/// Words by a linear congruential generator (its constants are those of Numerical Recipes).
struct Words(u32);

impl Words {
    /// As many words as fit into `width` points.
    fn line(&mut self, width: f32) -> String {
        let mut line = String::from(self.word());
        while Face::Serif.width(&line, 11.5) < width - 50.0 {
            line = format!("{line} {}", self.word());
        }
        line
    }

    fn word(&mut self) -> &'static str {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        WORDS[(self.0 >> 16) as usize % WORDS.len()]
    }
}
