//! Tables: rows, columns and cells, and what is none.

use recto_fixture::{Font, Page, Pdf};
use recto_ingest::layout::Running;
use recto_page::{BlockKind, Page as Record, Table};

use crate::{lines, read, read_one};

/// Where columns and rows of [`grid`] begin.
const COLUMNS: [f32; 4] = [60.0, 220.0, 340.0, 460.0];
const ROW: f32 = 24.0;

/// Draws text at a place of a grid: row and column from the upper left corner, with a shift.
fn put(page: Page, row: usize, column: usize, text: &str) -> Page {
    page.text_at(COLUMNS[column] + 4.0, 700.0 - ROW * row as f32 - 16.0, 10.0, text)
}

/// Lines around each cell.
fn rule(mut page: Page, rows: usize, columns: usize) -> Page {
    let y = |row: usize| 700.0 - ROW * row as f32;
    for row in 0..=rows {
        page = page.line([COLUMNS[0], y(row)], [COLUMNS[columns], y(row)], 0.5);
    }
    for x in COLUMNS.iter().take(columns + 1) {
        page = page.line([*x, y(0)], [*x, y(rows)], 0.5);
    }
    page
}

/// Cells as `row,column text`, with `+rows` or `>columns` behind the place of those that reach further.
fn cells(table: &Table) -> Vec<String> {
    let say = |cell: &recto_page::Cell| {
        let more = |sign: char, span: usize| if span > 1 { format!("{sign}{span}") } else { String::new() };
        let spans = more('+', cell.row_span) + &more('>', cell.column_span);
        format!("{},{}{spans} {}", cell.row, cell.column, cell.text)
    };
    table.cells.iter().map(say).collect()
}

fn only_table(page: &Record) -> &Table {
    let [table] = page.tables.as_slice() else { panic!("{} tables", page.tables.len()) };
    table
}

const RIVERS: [[&str; 3]; 4] =
    [["River", "Length", "Mills"], ["Aller", "215", "12"], ["Leine", "281", "30"], ["Oker", "128", "7"]];

fn rivers() -> Page {
    let cells =
        RIVERS.iter().enumerate().flat_map(|(row, cells)| cells.iter().enumerate().map(move |(c, t)| (row, c, t)));
    cells.fold(Page::new(), |page, (row, column, text)| put(page, row, column, text))
}

fn right_cells() -> Vec<String> {
    let cells =
        RIVERS.iter().enumerate().flat_map(|(row, cells)| cells.iter().enumerate().map(move |(c, t)| (row, c, t)));
    cells.map(|(row, column, text)| format!("{row},{column} {text}")).collect()
}

#[test]
fn tables_have_rows_and_columns_with_lines_or_without() {
    for page in [rivers(), rule(rivers(), 4, 3)] {
        let page = read_one(page);
        let table = only_table(&page);
        assert_eq!((table.rows, table.columns, table.header_rows), (4, 3, 1));
        assert_eq!(cells(table), right_cells());
        assert_eq!(page.text_layer.blocks[0].kind, BlockKind::Table);
        assert_eq!(lines(&page), ["River Length Mills", "Aller 215 12", "Leine 281 30", "Oker 128 7"]);
    }
}

/// opendataloader-pdf#627.
#[test]
fn rows_stay_rows_on_turned_pages() {
    for turn in [90, 180, 270] {
        let page = read_one(rule(rivers(), 4, 3).rotate(turn));
        assert_eq!(cells(only_table(&page)), right_cells(), "{turn}");
        let straight = read_one(rule(rivers(), 4, 3));
        let (turned, upright) = (&page.tables[0].cells[3].region, &straight.tables[0].cells[3].region);
        let (x, y) = upright.center();
        let want = match turn {
            90 => (1.0 - y, x),
            180 => (1.0 - x, 1.0 - y),
            _ => (y, 1.0 - x),
        };
        let (x, y) = turned.center();
        assert!((x - want.0).abs() < 0.001 && (y - want.1).abs() < 0.001, "{turn}: {x}, {y} not {want:?}");
    }
}

/// pdf_oxide#813, pdf_oxide#662.
#[test]
fn a_table_set_sideways_is_read_in_its_own_rows() {
    let font = Font::standard("F1", "Helvetica");
    let sideways = |page: Page, (row, column, text): (usize, usize, &&str)| {
        page.text_matrix(&font, [0.0, 1.0, -1.0, 0.0, 120.0 + 24.0 * row as f32, COLUMNS[column]], 10.0, text)
    };
    let cells_of =
        RIVERS.iter().enumerate().flat_map(|(row, cells)| cells.iter().enumerate().map(move |(c, t)| (row, c, t)));
    let page = read_one(cells_of.fold(Page::new(), sideways));
    assert_eq!(cells(only_table(&page)), right_cells());
    assert_eq!(lines(&page)[1], "Aller 215 12");
    assert!(page.text_layer.lines.iter().all(|line| line.turn == recto_page::Turn::Left));
}

/// pdf_oxide#813: what stands sideways beside a paragraph is no part of it.
#[test]
fn a_label_beside_a_paragraph_has_a_block_of_its_own() {
    let font = Font::standard("F1", "Helvetica");
    let page = Page::new()
        .text_at(72.0, 700.0, 11.0, "The gauge was read every morning,")
        .text_matrix(&font, [0.0, 1.0, -1.0, 0.0, 50.0, 640.0], 11.0, "Water level")
        .text_at(72.0, 686.0, 11.0, "and the level was written down.");
    let page = read_one(page);
    assert_eq!(
        page.text_layer.text(),
        "The gauge was read every morning,\nand the level was written down.\n\nWater level\n"
    );
}

/// pdf-inspector#297, pdf-inspector#288.
#[test]
fn marks_and_exponents_are_no_rows() {
    let page = rule(rivers(), 4, 3).text_at(COLUMNS[0] + 32.0, 700.0 - ROW - 12.0, 6.0, "1)").text_at(
        COLUMNS[1] + 22.0,
        700.0 - ROW * 2.0 - 12.0,
        6.0,
        "2",
    );
    let without_lines = rivers().text_at(COLUMNS[0] + 32.0, 700.0 - ROW - 12.0, 6.0, "1)").text_at(
        COLUMNS[1] + 22.0,
        700.0 - ROW * 2.0 - 12.0,
        6.0,
        "2",
    );
    for page in [page, without_lines] {
        let page = read_one(page);
        let table = only_table(&page);
        assert_eq!(table.rows, 4);
        assert_eq!(table.cells.iter().find(|cell| (cell.row, cell.column) == (1, 1)).unwrap().text, "215");
    }
    let power = Page::new().content("BT /F1 10 Tf 72 700 Td (10) Tj 4 Ts /F1 6 Tf (2) Tj ET");
    assert_eq!(lines(&read_one(power)), ["10²"]);
}

/// docling#207, docling#1611, docling#3698, docling-parse#78.
#[test]
fn spans_are_kept_and_long_text_stays_in_its_cell() {
    let y = |row: f32| 700.0 - ROW * row;
    let mut page = Page::new();
    for (row, from) in [(0.0, 0), (1.0, 1), (2.0, 0), (4.0, 0), (5.0, 0)] {
        page = page.line([COLUMNS[from], y(row)], [COLUMNS[3], y(row)], 0.5);
    }
    page = page.line([COLUMNS[1], y(3.0)], [COLUMNS[3], y(3.0)], 0.5);
    for (x, from) in [(0, 0.0), (1, 0.0), (3, 0.0), (2, 1.0)] {
        page = page.line([COLUMNS[x], y(from)], [COLUMNS[x], y(5.0)], 0.5);
    }
    let texts = [
        (0, 0, "Region"),
        (0, 1, "Water of the year"),
        (1, 1, "Spring"),
        (1, 2, "Autumn"),
        (2, 0, "Both upper"),
        (3, 0, "valleys"),
        (2, 1, "12"),
        (2, 2, "15"),
        (3, 1, "a great deal of it"),
        (3, 2, "16"),
        (4, 0, "Lower"),
        (4, 1, "20"),
        (4, 2, "22"),
    ];
    let page = texts.into_iter().fold(page, |page, (row, column, text)| put(page, row, column, text));
    let page = page.text_at(COLUMNS[1] + 8.0, y(3.0) - 22.0, 6.0, "and more of it than the cell can hold in one line");
    let page = read_one(page);
    let want = [
        "0,0+2 Region",
        "0,1>2 Water of the year",
        "1,1 Spring",
        "1,2 Autumn",
        "2,0+2 Both upper valleys",
        "2,1 12",
        "2,2 15",
        "3,1 a great deal of it and more of it than the cell can hold in one line",
        "3,2 16",
        "4,0 Lower",
        "4,1 20",
        "4,2 22",
    ];
    assert_eq!(cells(only_table(&page)), want);
}

/// MinerU#4311, MinerU#4867, MinerU#5417.
#[test]
fn a_table_goes_on_over_the_page() {
    let header = rule(rivers(), 4, 3).text_at(60.0, 760.0, 10.0, "River authority").text_at(290.0, 30.0, 10.0, "1");
    let rest = [["Ilme", "43", "3"], ["Rhume", "48", "5"], ["Innerste", "98", "9"]];
    let cells_of =
        rest.iter().enumerate().flat_map(|(row, cells)| cells.iter().enumerate().map(move |(c, t)| (row, c, t)));
    let second = cells_of.fold(rule(Page::new(), 3, 3), |page, (row, column, text)| put(page, row, column, text));
    let second = second.text_at(60.0, 760.0, 10.0, "River authority").text_at(290.0, 30.0, 10.0, "2");
    let mut running = Running::default();
    let records = read(Pdf::new().page(header).page(second).to_bytes());
    let mut pages: Vec<Record> = records.into_iter().filter_map(|page| running.push(page)).collect();
    pages.extend(running.flush());
    let (first, second) = (only_table(&pages[0]), only_table(&pages[1]));
    assert!(!first.continued && second.continued);
    assert_eq!((first.header_rows, second.header_rows), (1, 0));
    assert_eq!(cells(second)[..3], ["0,0 Ilme", "0,1 43", "0,2 3"]);
    let kinds: Vec<BlockKind> = pages[1].text_layer.blocks.iter().map(|block| block.kind).collect();
    assert_eq!(kinds, [BlockKind::Table, BlockKind::Header, BlockKind::Footer]);
}

#[test]
fn cells_of_prose_side_by_side_are_read_one_after_the_other() {
    let cells = [
        ["The mill was built", "It was rebuilt after"],
        ["at the old weir and", "the flood and gave"],
        ["ground grain there.", "light to the town."],
    ];
    let mut page = rule(Page::new(), 0, 2);
    for y in [700.0, 640.0, 580.0] {
        page = page.line([60.0, y], [340.0, y], 0.5);
    }
    for x in [60.0, 220.0, 340.0] {
        page = page.line([x, 580.0], [x, 700.0], 0.5);
    }
    for top in [700.0, 640.0] {
        for (i, row) in cells.iter().enumerate() {
            for (x, text) in [64.0, 224.0].into_iter().zip(row) {
                page = page.text_at(x, top - 14.0 - 12.0 * i as f32, 9.0, text);
            }
        }
    }
    let page = read_one(page);
    let one = ["The mill was built", "at the old weir and", "ground grain there."];
    let two = ["It was rebuilt after", "the flood and gave", "light to the town."];
    assert_eq!(lines(&page), [one, two, one, two].concat());
    assert_eq!(only_table(&page).cells[1].text, two.join(" "));
}

#[test]
fn text_in_columns_is_no_table() {
    let contents = ["Mills", "Weirs of the upper valley", "Dams", "Locks and their keepers"];
    let contents = contents.iter().zip([3, 9, 14, 27]).enumerate().fold(Page::new(), |page, (row, (title, number))| {
        let y = 700.0 - 14.0 * row as f32;
        page.text_at(72.0, y, 10.0, &format!("{title} {}", ".".repeat(60 - title.len()))).text_at(
            400.0,
            y,
            10.0,
            &number.to_string(),
        )
    });
    let list = ["Grain was ground", "Wood was sawn", "Iron was forged", "Paper was made"];
    let list = list.iter().enumerate().fold(Page::new(), |page, (row, item)| {
        let y = 700.0 - 14.0 * row as f32;
        page.text_at(72.0, y, 10.0, &format!("{}.", row + 1)).text_at(100.0, y, 10.0, item)
    });
    let form = ["Name", "Street", "Town", "Date"].iter().enumerate().fold(Page::new(), |page, (row, label)| {
        page.text_at(72.0, 700.0 - 20.0 * row as f32, 10.0, &format!("{label} {}", "_".repeat(40)))
    });
    let bars = [80.0, 130.0, 60.0, 170.0, 110.0].iter().enumerate().fold(Page::new(), |page, (row, length)| {
        let y = 700.0 - 24.0 * row as f32;
        let page = page.text_at(72.0, y, 10.0, &format!("Mill {row}")).fill([0.6, 0.8, 1.0]).rect(
            150.0,
            y - 4.0,
            *length,
            16.0,
        );
        let page = page.fill([0.9, 0.6, 0.3]).rect(150.0 + length, y - 4.0, 250.0 - length, 16.0).fill([0.0; 3]);
        page.text_at(150.0 + length / 2.0, y, 10.0, &format!("{length}")).text_at(270.0 + length / 3.0, y, 10.0, "12")
    });
    for (what, page) in [("contents", contents), ("list", list), ("form", form), ("bars", bars)] {
        assert_eq!(read_one(page).tables, [], "{what}");
    }
}

#[test]
fn blocks_say_what_they_are() {
    let page = Page::new()
        .text_at(72.0, 780.0, 18.0, "Mills of the valley")
        .text_at(72.0, 740.0, 10.0, "The valley had seven mills. They ground grain, sawed wood and forged iron")
        .text_at(72.0, 728.0, 10.0, "until the railway came and took their work away.")
        .text_at(72.0, 700.0, 10.0, "2.1 Weirs")
        .text_at(72.0, 670.0, 10.0, "1. The upper weir, which is of stone.")
        .text_at(72.0, 640.0, 10.0, "Figure 3: The lower weir in flood")
        .text_at(200.0, 600.0, 10.0, "Q = c b h + 2 d")
        .text_at(72.0, 90.0, 7.0, "1 Measured at low water.");
    let kinds: Vec<BlockKind> = read_one(page).text_layer.blocks.iter().map(|block| block.kind).collect();
    use BlockKind::{Caption, Footnote, Formula, Heading, List, Text};
    assert_eq!(kinds, [Heading, Text, Heading, List, Caption, Formula, Footnote]);
}
