//! How far the text of a picture is from standing straight, as on a page that was put askew into the scanner. Lines, columns
//! and tables are looked for among words that were straightened; what is kept has the places where words really stand.

use recto_page::{PageSize, Region, Table, TextLayer};

use crate::reading_order;
use crate::words::Segment;

/// Shorter lines tell too little: their words stand on more or less of their letters.
const LEAST_WORDS: usize = 3;

/// So many lines must tell.
const LEAST_LINES: usize = 3;

/// Steeper lines are no lines of a page put askew.
const STEEPEST: f32 = 0.6;

/// Text that rises or falls by this much of its length.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Skew {
    slope: f32,
    /// True if the text runs up or down the page.
    vertical: bool,
}

impl Skew {
    /// The slope of the median line; 0 if there are few lines.
    pub(crate) fn of<'s>(lines: impl Iterator<Item = &'s Segment> + Clone) -> Self {
        let vertical = 2 * lines.clone().filter(|line| is_vertical(line)).count() > lines.clone().count();
        let mut slopes: Vec<f32> =
            lines.filter(|line| is_vertical(line) == vertical).filter_map(|line| slope(line, vertical)).collect();
        slopes.sort_by(f32::total_cmp);
        let told = slopes.len() >= LEAST_LINES;
        Self { slope: if told { slopes.get(slopes.len() / 2).copied().unwrap_or(0.0) } else { 0.0 }, vertical }
    }

    /// The size of a page on which all of it would stand straight.
    pub(crate) fn frame(&self, page: PageSize) -> PageSize {
        let pad = 2.0 * self.pad(page);
        PageSize { width: page.width + pad, height: page.height + pad }
    }

    /// Where a box, in points, would stand on that page.
    pub(crate) fn straightened(&self, [left, top, right, bottom]: [f32; 4], page: PageSize) -> [f32; 4] {
        let pad = self.pad(page);
        let (dx, dy) = self.shift((left + right) / 2.0, (top + bottom) / 2.0, page);
        [left + pad - dx, top + pad - dy, right + pad - dx, bottom + pad - dy]
    }

    /// Gives everything the place where it really stands.
    pub(crate) fn undo(&self, layer: &mut TextLayer, tables: &mut [Table], page: PageSize) {
        if self.slope == 0.0 {
            return;
        }
        layer.words.iter_mut().for_each(|word| word.region = self.undone(word.region, page));
        for line in &mut layer.lines {
            let words = layer.words.get(line.words.clone()).unwrap_or_default();
            line.region = Region::around(words.iter().map(|word| &word.region)).unwrap_or_default();
        }
        for block in &mut layer.blocks {
            let lines = layer.lines.get(block.lines.clone()).unwrap_or_default();
            block.region = Region::around(lines.iter().map(|line| &line.region)).unwrap_or_default();
        }
        for table in tables {
            table.cells.iter_mut().for_each(|cell| cell.region = self.undone(cell.region, page));
            table.region = Region::around(table.cells.iter().map(|cell| &cell.region)).unwrap_or_default();
        }
    }

    fn undone(&self, region: Region, page: PageSize) -> Region {
        let (frame, pad) = (self.frame(page), self.pad(page));
        let [left, top, right, bottom] = region.ltrb();
        let x = |v: f32| v * frame.width - pad;
        let y = |v: f32| v * frame.height - pad;
        // What was moved up and down keeps its place along the text, and the other way round.
        let (dx, dy) = self.shift((x(left) + x(right)) / 2.0, (y(top) + y(bottom)) / 2.0, page);
        reading_order::region([x(left) + dx, y(top) + dy, x(right) + dx, y(bottom) + dy], page)
    }

    /// How far text at this place is from where it would stand if it turned about the middle of the page.
    fn shift(&self, x: f32, y: f32, page: PageSize) -> (f32, f32) {
        if self.vertical {
            (self.slope * (y - page.height / 2.0), 0.0)
        } else {
            (0.0, self.slope * (x - page.width / 2.0))
        }
    }

    /// Straight text may stand so far beyond the edges of the page.
    fn pad(&self, page: PageSize) -> f32 {
        self.slope.abs() * page.width.max(page.height) / 2.0
    }
}

fn is_vertical(line: &Segment) -> bool {
    line.direction[1].abs() > line.direction[0].abs()
}

/// From the first word's middle to the last one's.
fn slope(line: &Segment, vertical: bool) -> Option<f32> {
    if line.words.len() < LEAST_WORDS {
        return None;
    }
    let middle = |[left, top, right, bottom]: [f32; 4]| ((left + right) / 2.0, (top + bottom) / 2.0);
    let (from, to) = (middle(line.words.first()?.rect), middle(line.words.last()?.rect));
    let (along, across) = if vertical { (to.1 - from.1, to.0 - from.0) } else { (to.0 - from.0, to.1 - from.1) };
    Some(across / along).filter(|slope| slope.abs() < STEEPEST)
}

#[cfg(test)]
mod tests {
    use recto_page::{Block, BlockKind, Line, Turn, Word};

    use super::*;
    use crate::reading_order::region;
    use crate::words::Placed;

    const PAGE: PageSize = PageSize { width: 600.0, height: 800.0 };

    /// Four words from a point on, 100 points apart, that fall by `slope`.
    fn line(x: f32, y: f32, slope: f32, vertical: bool) -> Segment {
        let word = |i: u8| {
            let (along, across) = (100.0 * f32::from(i), 100.0 * f32::from(i) * slope);
            let (left, top) = if vertical { (x + across, y + along) } else { (x + along, y + across) };
            Placed { text: "word".into(), rect: [left, top, left + 40.0, top + 10.0] }
        };
        let direction = if vertical { [0.0, 1.0] } else { [1.0, 0.0] };
        let words = (0..4).map(word).collect();
        Segment { words, direction, origin: [x, y], rect: [0.0; 4], size: 10.0, rtl: false, mirrored: false }
    }

    #[test]
    fn words_of_a_line_get_one_height_and_their_places_back() {
        for (slope, vertical) in [(0.05, false), (-0.3, false), (0.05, true), (0.0, false)] {
            let lines: Vec<Segment> =
                (0..5_u8).map(|i| line(20.0 + 30.0 * f32::from(i), 100.0, slope, vertical)).collect();
            let skew = Skew::of(lines.iter());
            assert!((skew.slope - slope).abs() < 1e-4 && (slope == 0.0 || skew.vertical == vertical), "{skew:?}");
            let rects: Vec<[f32; 4]> = lines[0].words.iter().map(|word| word.rect).collect();
            let straight: Vec<[f32; 4]> = rects.iter().map(|rect| skew.straightened(*rect, PAGE)).collect();
            let across = |rect: &[f32; 4]| if vertical { rect[0] } else { rect[1] };
            assert!(straight.iter().all(|rect| (across(rect) - across(&straight[0])).abs() < 0.01), "{straight:?}");
            let frame = skew.frame(PAGE);
            let words = straight.iter().map(|rect| Word { text: "word".into(), region: region(*rect, frame) });
            let mut layer = TextLayer {
                words: words.collect(),
                lines: vec![Line { words: 0..4, region: Region::FULL, turn: Turn::None }],
                blocks: vec![Block { kind: BlockKind::Text, lines: 0..1, region: Region::FULL }],
            };
            skew.undo(&mut layer, &mut [], PAGE);
            for (word, rect) in layer.words.iter().zip(rects) {
                let near = word.region.ltrb().iter().zip(region(rect, PAGE).ltrb()).all(|(a, b)| (a - b).abs() < 1e-4);
                assert!(near, "{slope} {vertical}: {word:?} {rect:?}");
            }
        }
    }

    #[test]
    fn few_lines_tell_nothing() {
        assert_eq!(Skew::of([line(0.0, 0.0, 0.2, false)].iter()).slope, 0.0);
        assert_eq!(Skew::of([].iter()).slope, 0.0);
    }
}
