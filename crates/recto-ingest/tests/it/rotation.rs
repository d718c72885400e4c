//! Pages that viewers turn: words stand where a reader sees them, whatever `/Rotate` says.

use recto_fixture::{Font, Page, Pdf};

use recto_page::Turn;

use crate::{draw, ink, inside, lines, read_one, words};

const TURNS: [i32; 4] = [0, 90, 180, 270];

/// A page that is displayed 400 points wide and 300 high and turned by `/Rotate`. Each text is shown upright, its
/// baseline beginning at the displayed place, counted from the lower left corner.
fn upright(turn: i32, texts: &[(f32, f32, &str)]) -> Page {
    let font = Font::standard("F1", "Helvetica");
    let sideways = turn % 180 != 0;
    let page = if sideways { Page::new().size(300.0, 400.0) } else { Page::new().size(400.0, 300.0) };
    texts.iter().fold(page.rotate(turn), |page, &(x, y, text)| {
        let matrix = match turn {
            90 => [0.0, 1.0, -1.0, 0.0, 300.0 - y, x],
            180 => [-1.0, 0.0, 0.0, -1.0, 400.0 - x, 300.0 - y],
            270 => [0.0, -1.0, 1.0, 0.0, y, 400.0 - x],
            _ => [1.0, 0.0, 0.0, 1.0, x, y],
        };
        page.text_matrix(&font, matrix, 14.0, text)
    })
}

/// docling#2038, docling#2039.
#[test]
fn rotated_pages_give_the_same_word_regions() {
    let texts = [(40.0, 250.0, "Annual report"), (60.0, 120.0, "of the river"), (220.0, 40.0, "authority")];
    let straight = read_one(upright(0, &texts));
    assert_eq!(words(&straight), ["Annual", "report", "of", "the", "river", "authority"]);
    for turn in TURNS {
        let page = read_one(upright(turn, &texts));
        assert_eq!((page.size.width, page.size.height), (400.0, 300.0), "{turn}");
        assert_eq!(words(&page), words(&straight), "{turn}");
        for (word, right) in page.text_layer.words.iter().zip(&straight.text_layer.words) {
            for (edge, right) in word.region.ltrb().iter().zip(right.region.ltrb()) {
                assert!((edge - right).abs() < 0.001, "{turn}: {word:?}, right is {right:?}");
            }
        }
    }
}

/// docling#2038: regions belong to the picture as it is drawn.
#[test]
fn the_ink_of_rotated_pages_lies_in_the_word_regions() {
    for turn in TURNS {
        // Upright in the file, so that the displayed text lies on its side or stands on its head.
        let page = Page::new()
            .size(400.0, 300.0)
            .rotate(turn)
            .text_at(50.0, 200.0, 16.0, "Gauge")
            .text_at(200.0, 60.0, 16.0, "Weir");
        let ink = ink(&draw(Pdf::new().page(page.clone()).to_bytes(), 144));
        let read = read_one(page);
        let words = &read.text_layer.words;
        assert_eq!(words.len(), 2, "{turn}");
        let found: Vec<usize> = words.iter().map(|word| inside(&ink, &word.region, 0.005)).collect();
        assert!(found.iter().all(|n| *n > 100), "{turn}: {found:?}");
        assert_eq!(found.iter().sum::<usize>(), ink.len(), "{turn}: ink beside the words");
    }
}

/// opendataloader-pdf#627.
#[test]
fn rows_of_a_rotated_table_stay_rows() {
    let columns = [40.0, 160.0, 280.0];
    let rows = [["Station", "Flow", "Level"], ["Marsham", "12.4", "2.35"], ["Dunning", "8.1", "1.90"]];
    let mut cells = Vec::new();
    for (y, row) in [220.0, 195.0, 170.0].into_iter().zip(rows) {
        cells.extend(columns.into_iter().zip(row).map(|(x, text)| (x, y, text)));
    }
    for turn in TURNS {
        let page = read_one(upright(turn, &cells));
        assert_eq!(lines(&page), ["Station Flow Level", "Marsham 12.4 2.35", "Dunning 8.1 1.90"], "{turn}");
        let flow = &page.text_layer.words[4];
        assert!((flow.region.left() - 160.0 / 400.0).abs() < 0.01, "{turn}: {flow:?}");
    }
}

/// pdf_oxide#804.
#[test]
fn words_of_rotated_pages_that_are_shown_one_by_one_are_not_fused() {
    for turn in TURNS {
        // Helvetica at 14 points: "Mean" ends 36 points, "annual" 43 points after its beginning; a space has 4.
        let page = read_one(upright(turn, &[(40.0, 100.0, "Mean"), (80.0, 100.0, "annual"), (127.0, 100.0, "flow")]));
        assert_eq!(words(&page), ["Mean", "annual", "flow"], "{turn}");
        assert_eq!(lines(&page), ["Mean annual flow"], "{turn}");
    }
}

/// Text whose baseline runs upwards.
fn sideways(page: Page, x: f32, y: f32, size: f32, text: &str) -> Page {
    page.text_matrix(&Font::standard("F1", "Helvetica"), [0.0, 1.0, -1.0, 0.0, x, y], size, text)
}

/// pdf_oxide#813, pdf_oxide#662: a table typeset sideways on an upright page.
#[test]
fn rows_of_a_sideways_table_are_read_in_its_own_frame() {
    let rows = [["Station", "Flow", "Level"], ["Marsham", "12.4", "2.35"], ["Dunning", "8.1", "1.90"]];
    let mut page = Page::new();
    for (x, row) in [200.0, 220.0, 240.0].into_iter().zip(rows) {
        for (y, text) in [100.0, 260.0, 420.0].into_iter().zip(row) {
            page = sideways(page, x, y, 12.0, text);
        }
    }
    let page = read_one(page);
    assert_eq!(lines(&page), ["Station Flow Level", "Marsham 12.4 2.35", "Dunning 8.1 1.90"]);
    assert!(page.text_layer.lines.iter().all(|line| line.turn != Turn::None), "{:?}", page.text_layer.lines);
}

/// pdf_oxide#813: the label of an axis beside a paragraph.
#[test]
fn a_sideways_label_does_not_part_a_paragraph() {
    let shown = ["The flow was read on four days", "and stood well below the mark", "that was agreed in spring."];
    let at = |i: usize| 700.0 - 14.0 * i as f32;
    let page = shown.iter().enumerate().fold(Page::new(), |page, (i, line)| {
        let page = page.text_at(120.0, at(i), 11.0, line);
        if i == 1 { sideways(page, 100.0, 640.0, 9.0, "Flow in litres") } else { page }
    });
    let page = read_one(page);
    assert_eq!(lines(&page), [shown[0], shown[1], shown[2], "Flow in litres"]);
    assert_eq!(page.text_layer.blocks.len(), 2);
}

/// liteparse#250: the stamp of a preprint server at the left margin.
#[test]
fn a_sideways_stamp_changes_nothing_else() {
    let body = |page: Page| {
        page.text_at(120.0, 600.0, 11.0, "We study the level of rivers").text_at(120.0, 586.0, 11.0, "after rain.")
    };
    let (plain, stamped) = (body(Page::new()), sideways(body(Page::new()), 30.0, 300.0, 20.0, "2311.01234v1 [cs.CL]"));
    let (plain, stamped) = (read_one(plain), read_one(stamped));
    let of_body = |page: &recto_page::Page| page.text_layer.words.iter().take(8).cloned().collect::<Vec<_>>();
    assert_eq!(of_body(&plain), of_body(&stamped));
    assert_eq!(words(&stamped)[8..], ["2311.01234v1", "[cs.CL]"]);
}

/// liteparse#416.
#[test]
fn text_at_the_edge_of_turned_pages_is_kept() {
    for turn in TURNS {
        let texts = [(2.0, 4.0, "corner"), (355.0, 4.0, "right"), (2.0, 288.0, "top"), (340.0, 288.0, "last")];
        let page = read_one(upright(turn, &texts));
        let mut found = words(&page);
        found.sort_unstable();
        assert_eq!(found, ["corner", "last", "right", "top"], "{turn}");
        assert!(page.hidden.is_empty(), "{turn}: {:?}", page.hidden);
    }
}
