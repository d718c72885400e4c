//! What is known of a page, drawn on its picture: words, blocks by kind in reading order, tables with cells, what was read
//! off pictures, what can't be seen, and problems.

use recto_page::{BlockKind, Page, PageImage, Region, Table};

use crate::picture::{Rgb, outline, pixels, set};

const WORD: Rgb = [150, 190, 240];
const OCR_WORD: Rgb = [240, 160, 40];
const TABLE: Rgb = [0, 130, 60];
const HEADER_CELL: Rgb = [40, 60, 200];
const CELL: Rgb = [60, 180, 110];
const PICTURE: Rgb = [120, 120, 120];
const HIDDEN: Rgb = [200, 0, 200];
const PROBLEM: Rgb = [200, 20, 20];
const PAPER: Rgb = [255, 255, 255];

/// A label's dots are a pixel for so many dots per inch.
const DOT_DPI: u32 = 48;

/// Draws what is known of the page.
pub(crate) fn draw(image: &mut PageImage, page: &Page) {
    for region in &page.pictures {
        outline(image, *region, PICTURE, 2);
        label(image, *region, "picture", PICTURE);
    }
    page.text_layer.words.iter().for_each(|word| outline(image, word.region, WORD, 1));
    if let Some(ocr) = &page.ocr {
        ocr.layer.words.iter().for_each(|word| outline(image, word.region, OCR_WORD, 1));
    }
    page.tables.iter().for_each(|table| draw_table(image, table));
    for (block, number) in page.reading().blocks.iter().zip(1..) {
        let (name, colour) = of_kind(block.kind);
        outline(image, block.region, colour, 2);
        label(image, block.region, &format!("{number} {name}"), colour);
    }
    for hidden in &page.hidden {
        outline(image, hidden.region, HIDDEN, 2);
        label(image, hidden.region, &format!("hidden {:?}", hidden.kind), HIDDEN);
    }
    draw_problems(image, page);
}

fn draw_table(image: &mut PageImage, table: &Table) {
    for cell in &table.cells {
        outline(image, cell.region, if cell.row < table.header_rows { HEADER_CELL } else { CELL }, 1);
    }
    let corner = Region::new(f64::from(table.region.right()), f64::from(table.region.top()), 1.0, 1.0);
    let goes_on = if table.continued { " goes on" } else { "" };
    label(image, corner, &format!("{}x{}{goes_on}", table.rows, table.columns), TABLE);
}

fn draw_problems(image: &mut PageImage, page: &Page) {
    let source = format!("text {}", page.text_source.as_str());
    let codes = page.problems.iter().map(|problem| (problem.code.to_string(), PROBLEM));
    for (row, (text, colour)) in std::iter::once((source, PICTURE)).chain(codes).enumerate() {
        let step = 9.0 * f64::from(dot(image)) / f64::from(image.height.max(1));
        label(image, Region::new(0.0, step * (row as f64 + 1.0), 1.0, 1.0), &text, colour);
    }
}

fn of_kind(kind: BlockKind) -> (&'static str, Rgb) {
    match kind {
        BlockKind::Text => ("", [200, 60, 60]),
        BlockKind::Heading => ("heading", [150, 0, 180]),
        BlockKind::List => ("list", [0, 140, 150]),
        BlockKind::Table => ("table", TABLE),
        BlockKind::Figure => ("figure", [110, 90, 70]),
        BlockKind::Caption => ("caption", [190, 110, 0]),
        BlockKind::Header => ("header", [90, 90, 220]),
        BlockKind::Footer => ("footer", [90, 90, 220]),
        BlockKind::Footnote => ("note", [90, 130, 0]),
        BlockKind::Formula => ("formula", [230, 0, 110]),
        BlockKind::FormField => ("field", [0, 90, 140]),
        BlockKind::Annotation => ("annotation", [0, 90, 140]),
    }
}

/// How many pixels a dot of a letter measures.
fn dot(image: &PageImage) -> u32 {
    (image.dpi / DOT_DPI).clamp(1, 8)
}

/// Writes a text on a plate of the colour, above the upper left corner of the region or within if there is no room.
fn label(image: &mut PageImage, region: Region, text: &str, colour: Rgb) {
    let dot = dot(image);
    let (width, height) = ((text.trim_end().chars().count() as u32 * 4 + 1) * dot, 7 * dot);
    let [left, top, ..] = pixels(image, region);
    let (left, top) = (left.min(image.width.saturating_sub(width)), top.saturating_sub(height));
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        set(image, left + x, top + y, colour);
    }
    for (letter, at) in text.trim_end().chars().zip(0..) {
        for bit in (0..15).filter(|bit| shape(letter) >> (14 - bit) & 1 == 1) {
            let (x, y) = (left + (1 + at * 4 + bit % 3) * dot, top + (1 + bit / 3) * dot);
            for (dx, dy) in (0..dot).flat_map(|dy| (0..dot).map(move |dx| (dx, dy))) {
                set(image, x + dx, y + dy, PAPER);
            }
        }
    }
}

/// Letters of three by five dots, row by row from the top: an octal digit for each row.
fn shape(letter: char) -> u16 {
    const DIGITS: [u16; 10] =
        [0o75557, 0o26227, 0o71747, 0o71717, 0o55711, 0o74717, 0o74757, 0o71111, 0o75757, 0o75717];
    const LETTERS: [u16; 26] = [
        0o25755, 0o65656, 0o34443, 0o65556, 0o74647, 0o74644, 0o34553, 0o55755, 0o72227, 0o11152, 0o55655, 0o44447,
        0o57755, 0o65555, 0o25552, 0o65644, 0o25563, 0o65655, 0o34216, 0o72222, 0o55557, 0o55552, 0o55775, 0o55255,
        0o55222, 0o71247,
    ];
    let lower = letter.to_ascii_lowercase();
    let in_table = |table: &[u16], first: char| table.get((lower as usize).wrapping_sub(first as usize)).copied();
    in_table(&DIGITS, '0').or_else(|| in_table(&LETTERS, 'a')).unwrap_or(if letter == ' ' { 0 } else { 0o00700 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_page::{PageNumber, PageSize, Problem, ProblemCode, Stage};

    #[test]
    fn labels_can_be_read_and_stay_within_the_picture() {
        let white = || PageImage { width: 60, height: 40, dpi: 72, rgb: vec![255; 3 * 60 * 40] };
        let mut image = white();
        label(&mut image, Region::new(0.5, 0.5, 1.0, 1.0), "1", [0, 0, 0]);
        let row = |y: usize| -> String {
            (30..35).map(|x| if image.rgb[3 * (y * 60 + x)] == 255 { '#' } else { '.' }).collect()
        };
        assert_eq!(
            (13..20).map(row).collect::<Vec<_>>(),
            [".....", "..#..", ".##..", "..#..", "..#..", ".###.", "....."]
        );
        let mut page = Page::empty(PageNumber::FIRST, PageSize { width: 60.0, height: 40.0 });
        page.pictures = vec![Region::new(0.98, 0.98, 1.0, 1.0), Region::FULL];
        page.problems = vec![Problem::of_page(ProblemCode::NoText, Stage::Text, PageNumber::FIRST, ""); 20];
        let mut image = white();
        draw(&mut image, &page);
        assert!(image.rgb != white().rgb);
    }
}
