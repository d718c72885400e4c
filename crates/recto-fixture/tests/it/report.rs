//! Markup to pages, as a reader finds them.

use crate::reader::texts;
use recto_fixture::report::{Report, Style};

fn pages(report: &Report) -> Vec<String> {
    texts(report.to_pdf().to_bytes(), "").unwrap_or_default()
}

#[test]
fn front_matter_and_contents() {
    let report = Report::new(Style::report("T"))
        .front("# Before\n\n!contents")
        .body("# One\n\na\n\n!page\n\n# Two\n\n| x | y |\n| 1 | 2 |");
    let pages = pages(&report);
    assert_eq!(pages.len(), 3);
    for (page, part) in [(0, "|Two|"), (0, "|i|"), (1, "One|a|"), (2, "Two|x|y|1|2|"), (2, "|2|")] {
        assert!(pages[page].contains(part), "{part} in {}", pages[page]);
    }
    let bytes = report.to_pdf().to_bytes();
    let labels = b"/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >> ] >>";
    assert!(bytes.windows(labels.len()).any(|part| part == labels));
}

#[test]
fn long_tables_repeat_their_header() {
    let rows: String = (1..=60).map(|n| format!("| row {n} | {n} |\n")).collect();
    let pages = pages(&Report::new(Style::report("T")).body(&format!("| Name | Value |\n{rows}")));
    assert!(pages.len() > 1);
    for page in &pages {
        assert!(page.contains("Name|Value|"), "{page}");
    }
    assert!(pages.concat().contains("row 60|60|"));
}

#[test]
fn columns_and_hyphens() {
    let words = "extraordinary measurements accumulate considerable uncertainty ".repeat(60);
    let pages = pages(&Report::new(Style::paper("T")).body(&format!("!title A\n\n!columns\n\n{words}")));
    assert_eq!(pages.len(), 1);
    assert!(pages[0].contains("-|"), "words are broken at line ends");
}

#[test]
fn charts_carry_their_values() {
    let pages = pages(&Report::new(Style::slides("T")).body("!line Flow\nJan: 1,200\nFeb: 950"));
    assert!(pages[0].contains("1,200|Jan|950|Feb|"), "{}", pages[0]);
}
