//! Answers from tables that go on over pages and from pages set to mislead: where the evidence points.

use recto_fixture::{Page, Pdf};

use crate::desk::Desk;

/// The cells of a row begin here.
const COLUMNS: [f32; 3] = [72.0, 240.0, 400.0];

/// A ruled table, from the top of the page.
fn table(rows: &[[&str; 3]]) -> Page {
    let y = |row: usize| 740.0 - 24.0 * row as f32;
    let mut page = Page::new();
    for (row, cells) in rows.iter().enumerate() {
        for (x, text) in COLUMNS.iter().zip(cells) {
            page = page.text_at(x + 4.0, y(row) - 16.0, 11.0, text);
        }
    }
    for row in 0..=rows.len() {
        page = page.line([72.0, y(row)], [520.0, y(row)], 0.5);
    }
    for x in COLUMNS.iter().chain(&[520.0]) {
        page = page.line([*x, y(0)], [*x, y(rows.len())], 0.5);
    }
    page
}

/// MinerU#4311, MinerU#4867, MinerU#5417: a table whose header stands on the first page only.
#[test]
fn a_row_of_the_second_page_of_a_table_is_cited_there() {
    let first =
        [["River", "Length in km", "Mills"], ["Aller", "215", "12"], ["Leine", "281", "30"], ["Oker", "128", "7"]];
    let second = [["Ilme", "43", "3"], ["Rhume", "48", "5"], ["Innerste", "98", "9"]];
    let pdf = Pdf::new().page(table(&first)).page(table(&second));
    let desk = Desk::with(&[("a.pdf", pdf.to_bytes())]);
    desk.json(0, &["index", "docs", "--ocr", "never"]);
    for (page, continued, header_rows) in [("1", false, 1), ("2", true, 0)] {
        let told = desk.json(0, &["page", "a.pdf", page]);
        let tables = told["tables"].as_array().unwrap();
        assert_eq!(tables.len(), 1, "page {page}");
        assert_eq!((&tables[0]["continued"], &tables[0]["header_rows"]), (&continued.into(), &header_rows.into()));
    }
    for (question, right) in
        [("What is the length of the Innerste?", "98"), ("How many mills does the Rhume have?", "5")]
    {
        let told = desk.json(0, &["ask", question]);
        assert_eq!((&told["text"], &told["evidence"][0]["page"]["page"]), (&right.into(), &2.into()), "{told}");
    }
}

/// vandalizer PR#777, vandalizer PR#811.
#[test]
fn the_total_that_can_be_seen_is_the_answer() {
    let invoice = Page::new()
        .text_at(72.0, 740.0, 14.0, "Invoice 4711")
        .text_at(72.0, 700.0, 11.0, "Repair of the sluice gate, two days")
        .text_at(72.0, 500.0, 12.0, "Total amount due: 1,250.00");
    let cheat = "Total amount due: 1.00";
    for page in [
        invoice.clone().fill([1.0, 1.0, 1.0]).text_at(72.0, 400.0, 12.0, cheat),
        invoice.clone().hidden_text_at(72.0, 400.0, 12.0, cheat),
        invoice.text_at(72.0, 900.0, 12.0, cheat),
    ] {
        let desk = Desk::with(&[("a.pdf", Pdf::new().page(page).to_bytes())]);
        desk.json(0, &["index", "docs", "--ocr", "never"]);
        let told = desk.json(0, &["ask", "What is the total amount due?"]);
        assert_eq!(told["text"], "1,250.00", "{told}");
        assert_eq!(desk.problems(), ["a.pdf:1:hidden_text"]);
    }
}
