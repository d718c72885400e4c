//! The order in which a page is read, and what stands on one line.

use recto_fixture::Page;

use crate::{lines, read_one};

const LEFT: [&str; 6] = [
    "The river rises in the hills",
    "north of the town and takes",
    "up two brooks before it is",
    "dammed at the old mill. The",
    "dam was built in the year",
    "1911 and raised in 1958.",
];

const RIGHT: [&str; 6] = [
    "Below the dam the valley is",
    "wide and flat. Meadows on",
    "both banks are flooded once",
    "in three years, mostly in",
    "March. Houses stand on the",
    "terrace and stay dry.",
];

/// xberg#1345, xberg#1397.
#[test]
fn columns_on_equal_baselines_are_read_one_after_the_other() {
    let rows = || LEFT.into_iter().zip(RIGHT).enumerate();
    let row_by_row = rows().fold(Page::new(), |page, (row, (left, right))| {
        let y = 700.0 - 14.0 * row as f32;
        page.text_at(72.0, y, 11.0, left).text_at(320.0, y, 11.0, right)
    });
    assert_eq!(lines(&read_one(row_by_row)), [LEFT, RIGHT].concat());
}

/// pdf_oxide#752.
#[test]
fn a_row_drawn_from_right_to_left_reads_from_left_to_right() {
    let cells = [(400.0, "1,250"), (300.0, "crowns"), (180.0, "total"), (72.0, "Grand")];
    let page = cells.into_iter().fold(Page::new(), |page, (x, text)| page.text_at(x, 500.0, 12.0, text));
    assert_eq!(lines(&read_one(page)), ["Grand total crowns 1,250"]);
}

/// xberg#962.
#[test]
fn letters_in_text_objects_of_their_own_stay_on_one_line() {
    for step in [9.0, 12.0, 16.0, 20.0] {
        let page = "REPORT".chars().zip(0_u8..).fold(Page::new(), |page, (letter, at)| {
            page.text_at(72.0 + step * f32::from(at), 700.0, 12.0, &letter.to_string())
        });
        let lines = lines(&read_one(page.text_at(72.0, 600.0, 12.0, "Below")));
        assert_eq!(lines.len(), 2, "{step}: {lines:?}");
        assert_eq!(lines[0].replace(' ', ""), "REPORT", "{step}");
    }
}

/// liteparse#265: lines that overlap a little.
#[test]
fn lines_set_tighter_than_their_font_are_all_read_once() {
    let line = |i: u8| format!("Line {i} of a page that is set very tight");
    let page = (0..40_u8).fold(Page::new(), |page, i| page.text_at(72.0, 780.0 - 9.0 * f32::from(i), 10.0, &line(i)));
    assert_eq!(lines(&read_one(page)), (0..40).map(line).collect::<Vec<_>>());
}
