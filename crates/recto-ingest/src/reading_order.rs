//! Segments to lines, blocks and reading order. The order of drawing is kept where it makes sense, because whoever made
//! the page knew best; it is changed where columns are drawn row by row, or text jumps back and forth.

use std::ops::Range;

use recto_page::{Block, BlockKind, Line, PageSize, Region, TextLayer, Turn, Word};

use crate::columns;
use crate::glyph::{NOWHERE, union};
use crate::words::Segment;

/// A segment seen along its baseline: the text runs to the right whatever its direction on the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strip {
    /// Which segment.
    pub(crate) index: usize,
    /// Start along the baseline.
    pub(crate) left: f32,
    /// End along the baseline.
    pub(crate) right: f32,
    /// Upper edge.
    pub(crate) top: f32,
    /// Lower edge.
    pub(crate) bottom: f32,
    /// Where the baseline is.
    pub(crate) base: f32,
    /// Font size.
    pub(crate) size: f32,
    /// Number of letters.
    pub(crate) letters: usize,
    /// True if it is read from the right.
    pub(crate) rtl: bool,
    /// True if it consists of digits and signs.
    pub(crate) is_number: bool,
}

/// Strips that share a baseline, in reading order.
type Row = Vec<Strip>;

/// Puts segments, given in the order of drawing, into reading order on a page.
pub(crate) fn arrange(mut segments: Vec<Segment>, page: PageSize) -> TextLayer {
    let mut layer = TextLayer::default();
    for strips in by_direction(&segments) {
        let rows = columns::in_order(strips).into_iter().flat_map(rows).collect::<Vec<Row>>();
        for block in rows.chunk_by(|above, below| is_continued(above, below)) {
            push_block(&mut layer, block, &mut segments, page);
        }
    }
    layer
}

/// Strips of the same direction, the direction with the most text first.
fn by_direction(segments: &[Segment]) -> Vec<Vec<Strip>> {
    let mut groups: Vec<((i32, bool), Vec<Strip>)> = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        let frame = (rounded_angle(segment.direction), segment.mirrored);
        let strip = strip(index, segment, frame);
        match groups.iter_mut().find(|(of, _)| *of == frame) {
            Some((_, strips)) => strips.push(strip),
            None => groups.push((frame, vec![strip])),
        }
    }
    groups.sort_by_key(|(_, strips)| std::cmp::Reverse(strips.iter().map(|s| s.letters).sum::<usize>()));
    groups.into_iter().map(|(_, strips)| strips).collect()
}

/// In degrees, to the next quarter turn if it is near, as scanned text is often a bit skew.
fn rounded_angle([x, y]: [f32; 2]) -> i32 {
    if y == 0.0 && x > 0.0 {
        return 0;
    }
    let degrees = y.atan2(x).to_degrees();
    let quarter = (degrees / 90.0).round() * 90.0;
    let rounded = if (degrees - quarter).abs() < 5.0 { quarter } else { (degrees / 15.0).round() * 15.0 };
    (rounded as i32).rem_euclid(360)
}

fn strip(index: usize, segment: &Segment, (angle, mirrored): (i32, bool)) -> Strip {
    let (uy, ux) = if angle == 0 { (0.0, 1.0) } else { (angle as f32).to_radians().sin_cos() };
    let down = if mirrored { -1.0 } else { 1.0 };
    let turn = |x: f32, y: f32| (x * ux + y * uy, (y * ux - x * uy) * down);
    let [l, t, r, b] = segment.rect;
    let turned = [turn(l, t), turn(r, t), turn(l, b), turn(r, b)];
    let [left, top, right, bottom] = turned.map(|(x, y)| [x, y, x, y]).into_iter().fold(NOWHERE, union);
    let [x, y] = segment.origin;
    let letters = segment.words.iter().map(|w| w.text.len()).sum();
    let chars = || segment.words.iter().flat_map(|w| w.text.chars());
    // Most text has a letter right at its beginning.
    let is_number = !chars().any(char::is_alphabetic) && chars().any(char::is_numeric);
    Strip {
        index,
        left,
        right,
        top,
        bottom,
        base: turn(x, y).1,
        size: segment.size,
        letters,
        rtl: segment.rtl,
        is_number,
    }
}

impl Strip {
    /// True if both stand on one line: much of the lower one of the two is beside the other.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        let shared = self.bottom.min(other.bottom) - self.top.max(other.top);
        let lower = (self.bottom - self.top).min(other.bottom - other.top);
        shared > 0.6 * lower || (self.base - other.base).abs() < 0.2 * self.size.min(other.size)
    }

    /// True if one stands above the other, at least in part.
    pub(crate) fn shares_column(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right
    }
}

/// Strips in reading order to rows: neighbours in the order that stand on one line.
fn rows(strips: Vec<Strip>) -> Vec<Row> {
    let mut rows: Vec<Row> = strips.chunk_by(|a, b| a.is_beside(b)).map(<[Strip]>::to_vec).collect();
    for row in &mut rows {
        let rtl = row.iter().map(|s| if s.rtl { s.letters as i64 } else { -(s.letters as i64) }).sum::<i64>() > 0;
        row.sort_by(|a, b| if rtl { b.right.total_cmp(&a.right) } else { a.left.total_cmp(&b.left) });
    }
    rows
}

/// True if the row below belongs to the same block.
fn is_continued(above: &[Strip], below: &[Strip]) -> bool {
    let (a, b) = (extent(above), extent(below));
    let size = a.size.max(b.size);
    let gap = b.top - a.bottom;
    size < 1.3 * a.size.min(b.size) && (-0.5 * size..0.6 * size).contains(&gap) && a.shares_column(&b)
}

/// The strip around a row.
fn extent(row: &[Strip]) -> Strip {
    let start = Strip {
        index: 0,
        left: f32::INFINITY,
        right: f32::NEG_INFINITY,
        top: f32::INFINITY,
        bottom: f32::NEG_INFINITY,
        base: 0.0,
        size: 0.0,
        letters: 0,
        rtl: false,
        is_number: false,
    };
    row.iter().fold(start, |all, s| Strip {
        left: all.left.min(s.left),
        right: all.right.max(s.right),
        top: all.top.min(s.top),
        bottom: all.bottom.max(s.bottom),
        size: all.size.max(s.size),
        ..all
    })
}

fn push_block(layer: &mut TextLayer, rows: &[Row], segments: &mut [Segment], page: PageSize) {
    let first = layer.lines.len();
    for row in rows {
        let start = layer.words.len();
        let direction = row.first().and_then(|strip| segments.get(strip.index)).map_or([1.0, 0.0], |s| s.direction);
        for strip in row {
            let words = segments.get_mut(strip.index).map(|s| std::mem::take(&mut s.words)).unwrap_or_default();
            layer.words.extend(words.into_iter().map(|w| Word { text: w.text, region: region(w.rect, page) }));
        }
        let range = start..layer.words.len();
        let region = around(layer.words.get(range.clone()).unwrap_or_default().iter().map(|w| &w.region));
        layer.lines.push(Line { words: range, region, turn: Turn::of_direction(direction) });
    }
    let lines: Range<usize> = first..layer.lines.len();
    let region = around(layer.lines.get(lines.clone()).unwrap_or_default().iter().map(|l| &l.region));
    layer.blocks.push(Block { kind: BlockKind::Text, lines, region });
}

fn around<'r>(regions: impl Iterator<Item = &'r Region>) -> Region {
    Region::around(regions).unwrap_or_default()
}

/// The region of a box in points.
pub(crate) fn region([left, top, right, bottom]: [f32; 4], page: PageSize) -> Region {
    let [w, h] = [page.width, page.height].map(f64::from);
    Region::new(f64::from(left) / w, f64::from(top) / h, f64::from(right) / w, f64::from(bottom) / h)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Placed;

    const PAGE: PageSize = PageSize { width: 600.0, height: 800.0 };

    /// A segment of 10 point text whose letters are 5 points wide.
    fn segment(text: &str, x: f32, y: f32) -> Segment {
        let rect = [x, y - 8.0, x + 5.0 * text.len() as f32, y + 2.0];
        let words = vec![Placed { text: text.into(), rect }];
        Segment { words, direction: [1.0, 0.0], origin: [x, y], rect, size: 10.0, rtl: false, mirrored: false }
    }

    /// Turned so that it runs up the page.
    fn turned(text: &str, x: f32, y: f32) -> Segment {
        let rect = [x - 8.0, y - 5.0 * text.len() as f32, x + 2.0, y];
        let words = vec![Placed { text: text.into(), rect }];
        Segment { words, direction: [0.0, -1.0], origin: [x, y], rect, size: 10.0, rtl: false, mirrored: false }
    }

    fn text(segments: &[Segment]) -> String {
        arrange(segments.to_vec(), PAGE).text()
    }

    /// Rows of cells at these places, drawn in the given order of rows and cells.
    fn grid(columns: &[(f32, &str)], rows: usize, row_by_row: bool) -> Vec<Segment> {
        let cell = |row: usize, (x, word): (f32, &str)| segment(&format!("{word}-{row}"), x, 100.0 + 12.0 * row as f32);
        if row_by_row {
            (0..rows).flat_map(|row| columns.iter().map(move |column| cell(row, *column))).collect()
        } else {
            columns.iter().flat_map(|column| (0..rows).map(move |row| cell(row, *column))).collect()
        }
    }

    const PROSE: [(f32, &str); 2] = [
        (50.0, "a long line of the left column, full of words"),
        (320.0, "a long line of the right one, full of words too"),
    ];

    #[test]
    fn columns_of_text_are_read_one_after_the_other() {
        let in_columns = text(&grid(&PROSE, 8, false));
        assert_eq!(text(&grid(&PROSE, 8, true)), in_columns);
        assert!(in_columns.find("left column, full of words-7") < in_columns.find("right one, full of words too-0"));
    }

    #[test]
    fn titles_over_columns_stay_above() {
        let title = segment(&"A title over both columns ".repeat(4), 50.0, 60.0);
        let mut page = vec![title];
        page.extend(grid(&PROSE, 8, true));
        let got = text(&page);
        assert!(got.starts_with("A title"));
        assert!(got.find("words-7") < got.find("too-0"));
    }

    #[test]
    fn rows_of_a_table_stay_together() {
        let columns = [(50.0, "Revenue of the year"), (300.0, "1,200"), (400.0, "950")];
        let got = text(&grid(&columns, 10, true));
        for row in 0..10 {
            let want = format!("Revenue of the year-{row} 1,200-{row} 950-{row}\n");
            assert!(got.contains(&want), "{got}");
        }
    }

    #[test]
    fn columns_of_numbers_are_read_with_their_labels() {
        let columns = [(50.0, "2019"), (300.0, "1,200"), (400.0, "950")];
        assert_eq!(text(&grid(&columns, 4, false)), text(&grid(&columns, 4, true)));
        let words = [(50.0, "Welcome"), (300.0, "Agenda"), (400.0, "Speaker")];
        assert!(text(&grid(&words, 4, false)).starts_with("Welcome-0\nWelcome-1"));
    }

    #[test]
    fn rows_drawn_from_the_right_are_read_from_the_left() {
        let row = ["one", "two", "three"].iter().enumerate().map(|(i, t)| segment(t, 100.0 * i as f32, 100.0));
        assert_eq!(text(&row.rev().collect::<Vec<_>>()), "one two three\n");
    }

    #[test]
    fn jumbled_lines_are_put_in_order() {
        let mut lines: Vec<Segment> =
            (0..12).map(|i| segment(&format!("line {i}"), 50.0, 100.0 + 12.0 * i as f32)).collect();
        let in_order = text(&lines);
        lines.reverse();
        assert_eq!(text(&lines), in_order);
    }

    #[test]
    fn turned_text_forms_lines_of_its_own() {
        let page = [segment("first", 50.0, 100.0), turned("axis label", 30.0, 300.0), segment("second", 50.0, 112.0)];
        assert_eq!(text(&page), "first\nsecond\n\naxis label\n");
        let table: Vec<Segment> = (0..4)
            .flat_map(|row| {
                let x = 100.0 + 12.0 * row as f32;
                [turned(&format!("name{row}"), x, 700.0), turned(&format!("{row}00"), x, 500.0)]
            })
            .collect();
        assert_eq!(text(&table), "name0 000\nname1 100\nname2 200\nname3 300\n");
    }

    #[test]
    fn lines_and_blocks_cover_all_words() {
        let mut page = grid(&PROSE, 8, true);
        page.push(segment("Far below", 50.0, 700.0));
        let layer = arrange(page, PAGE);
        assert_eq!(layer.lines.iter().flat_map(|l| l.words.clone()).collect::<Vec<_>>(), (0..17).collect::<Vec<_>>());
        let lines = layer.blocks.iter().flat_map(|b| b.lines.clone());
        assert_eq!(lines.collect::<Vec<_>>(), (0..layer.lines.len()).collect::<Vec<_>>());
        assert_eq!(layer.blocks.len(), 3);
    }
}
