//! Whether a picture may have text on it, from how it looks: so that photographs need no OCR. Doubt counts as yes.

use recto_page::PageImage;

/// Pictures are looked at in so many pixels across, about the resolution of a screen.
const ACROSS: usize = 600;

/// Neighbours that differ by no more than this (of 255) are one area.
const EVEN: u8 = 3;

/// Photographs have fewer even places than this. Of 60 pictures with text in ten documents the least even one has 0.65,
/// of 28 photographs the most even one 0.73 and three in four less than this.
const LEAST_EVEN: f32 = 0.62;

/// Text stands on a ground of few shades: so many of the commonest ones ...
const GROUND_SHADES: usize = 8;

/// ... cover more than this. Of 71 pictures with text the least has 0.31, of 18 photographs 15 less than 0.18.
const LEAST_GROUND: f32 = 0.25;

/// The edge of a letter: so much darker or lighter two pixels on.
const EDGE: i16 = 40;

/// The edge of a letter that can hardly be seen.
const FAINT_EDGE: i16 = 20;

/// A stroke of a letter is no wider than this many pixels.
const STROKE: usize = 8;

/// Text has many strokes in so many pixels of a row.
const STRETCH: usize = 40;

/// So many strokes in a stretch may be letters.
const LEAST_STROKES: usize = 5;

/// Two letters or digits side by side have so many strokes somewhere.
const SHORTEST_WORD: usize = 3;

/// So many stretches in a thousand with many strokes may be text on uneven ground, as on old paper.
const TEXT_PER_MILLE: usize = 20;

/// False if nothing on the picture looks like letters: a photograph, a drawing of few lines, one colour.
pub fn may_hold_text(image: &PageImage) -> bool {
    let rows = grey(image);
    let has_words = stretches(&rows).any(|stretch| strokes(stretch, FAINT_EDGE) >= SHORTEST_WORD);
    has_words && (!is_photograph(&rows) || has_lines(&rows))
}

/// The picture in shades of grey, in about [`ACROSS`] columns.
fn grey(image: &PageImage) -> Vec<Vec<u8>> {
    let step = (image.width as usize / ACROSS).max(1);
    let row_bytes = 3 * image.width as usize;
    let shade = |pixels: &[u8]| pixels.iter().map(|v| usize::from(*v)).sum::<usize>() / pixels.len().max(1);
    let cell = |rows: &[&[u8]], x: usize| {
        let part = |row: &&[u8]| row.get(3 * x..3 * (x + step)).map_or(0, shade);
        (rows.iter().map(part).sum::<usize>() / rows.len().max(1)) as u8
    };
    let all: Vec<&[u8]> = image.rgb.chunks_exact(row_bytes.max(1)).collect();
    let columns = image.width as usize / step;
    all.chunks_exact(step).map(|rows| (0..columns).map(|column| cell(rows, column * step)).collect()).collect()
}

fn is_photograph(rows: &[Vec<u8>]) -> bool {
    evenness(rows) < LEAST_EVEN || ground(rows) < LEAST_GROUND
}

/// The share of the places that equal their right and lower neighbours.
fn evenness(rows: &[Vec<u8>]) -> f32 {
    let (mut even, mut all) = (0, 0);
    for (row, below) in rows.iter().zip(rows.iter().skip(1)) {
        for ((here, right), lower) in row.iter().zip(row.iter().skip(1)).zip(below) {
            all += 1;
            even += usize::from(here.abs_diff(*right) <= EVEN && here.abs_diff(*lower) <= EVEN);
        }
    }
    even as f32 / all.max(1) as f32
}

/// The share of the places that have one of the commonest shades.
fn ground(rows: &[Vec<u8>]) -> f32 {
    let mut counts = [0_usize; 256];
    rows.iter().flatten().for_each(|shade| counts[usize::from(*shade)] += 1);
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let all: usize = counts.iter().sum();
    counts.iter().take(GROUND_SHADES).sum::<usize>() as f32 / all.max(1) as f32
}

fn has_lines(rows: &[Vec<u8>]) -> bool {
    let dense = stretches(rows).filter(|stretch| strokes(stretch, EDGE) >= LEAST_STROKES).count();
    dense * 1000 > stretches(rows).count() * TEXT_PER_MILLE
}

fn stretches(rows: &[Vec<u8>]) -> impl Iterator<Item = &[u8]> {
    rows.iter().flat_map(|row| row.chunks(STRETCH))
}

/// How often the row gets darker and soon lighter again, by so much.
fn strokes(row: &[u8], edge: i16) -> usize {
    let (mut strokes, mut darkened) = (0, None);
    for (x, (here, next)) in row.iter().zip(row.iter().skip(2)).enumerate() {
        let change = i16::from(*next) - i16::from(*here);
        if change < -edge {
            darkened = Some(x);
        } else if change > edge
            && let Some(from) = darkened.take()
        {
            strokes += usize::from(x - from <= STROKE);
        }
    }
    strokes
}

#[cfg(test)]
mod tests {
    use recto_fixture::{Face, Picture};

    use super::*;

    fn image(width: usize, height: usize, shade: impl Fn(usize, usize) -> u8) -> PageImage {
        let rgb = (0..width * height).flat_map(|at| [shade(at % width, at / width); 3]).collect();
        PageImage { width: width as u32, height: height as u32, dpi: 144, rgb }
    }

    /// A scan of so many lines whose paper has a grain.
    fn scan(lines: u8, grain: impl Fn(usize, usize) -> u8) -> PageImage {
        let blank = Picture::new([600.0, 400.0], 72.0);
        let (width, height, grey) = (0..lines)
            .fold(blank, |page, n| {
                let y = 30.0 + 20.0 * f32::from(n);
                page.text(Face::Serif, 30.0, y, 14.0, "The gauge was read on four days in spring, and the mark was")
            })
            .grey();
        image(width, height, |x, y| grey.get(y * width + x).copied().unwrap_or(0).saturating_sub(grain(x, y)))
    }

    /// Shades as in a photograph: they change everywhere, and nowhere at once.
    fn hills(x: usize, y: usize) -> u8 {
        let wave = |v: f32| v.sin() * 0.5 + 0.5;
        let (x, y) = (x as f32, y as f32);
        (200.0 * wave(x / 9.0 + wave(y / 31.0) * 4.0) * wave(y / 13.0 + wave(x / 17.0) * 3.0)) as u8
    }

    /// Shades that change slowly, so that neighbours are nearly equal.
    fn mist(x: usize, y: usize) -> u8 {
        (x / 5 + y / 4) as u8
    }

    /// A tenth of the contrast.
    fn faint(picture: PageImage) -> PageImage {
        let rgb = picture.rgb.iter().map(|v| 230 + v / 10).collect();
        PageImage { rgb, ..picture }
    }

    #[test]
    fn photographs_and_plain_areas_hold_no_text() {
        let table = [
            ("a photograph", image(600, 400, hills), false),
            ("one colour", image(600, 400, |_, _| 90), false),
            ("nothing", image(0, 0, |_, _| 0), false),
            ("text", scan(15, |_, _| 0), true),
            ("a word", scan(1, |_, _| 0), true),
            ("text on grained paper", scan(15, |x, y| ((x * 7 + y * 13) % 11 * 4) as u8), true),
            ("a faint word", faint(scan(1, |_, _| 0)), true),
            ("a drawing", image(600, 400, |x, y| if x % 100 == 0 || y % 100 == 0 { 0 } else { 255 }), false),
            ("a photograph of something smooth", image(600, 400, mist), false),
            ("a striped shirt on it", image(600, 400, |x, y| if y < 20 && x % 8 < 4 { 0 } else { mist(x, y) }), false),
        ];
        for (what, picture, want) in table {
            assert_eq!(may_hold_text(&picture), want, "{what}");
        }
    }

    #[test]
    fn larger_pictures_are_looked_at_from_afar() {
        let large = image(1200, 800, |x, y| hills(x / 2, y / 2));
        assert!(!may_hold_text(&large));
    }
}
