//! Page numbers: physical pages and printed labels.

use recto_fixture::{Page, Pdf};

use crate::desk::{Desk, page};

/// Four pages of front matter, then two chapters whose printed numbers begin again.
fn labelled() -> Vec<u8> {
    let names = ["Cover", "Imprint", "Preface", "Contents", "Alder", "Birch", "Cedar", "Dogwood"];
    let pages = names.iter().map(|name| page(&format!("{name}\nThe {name} plot has 1{} trees.", name.len())));
    Pdf::new().pages(pages).label(0, "/S /r").label(4, "/P (A-) /S /D").label(6, "/P (B-) /S /D").to_bytes()
}

/// PageIndex#54, PageIndex#55, marker#1002, pdfsearch#26.
#[test]
fn physical_pages_and_printed_labels_are_both_shown() {
    let desk = Desk::with(&[("a.pdf", labelled())]);
    desk.index(0);
    for (word, number, label) in
        [("preface", 3, "iii"), ("alder", 5, "A-1"), ("cedar", 7, "B-1"), ("dogwood", 8, "B-2")]
    {
        let rows = desk.json(0, &["search", word]);
        assert_eq!((&rows[0]["page"], &rows[0]["label"]), (&number.into(), &label.into()), "{word}");
        let told = desk.recto(&["search", word, "--index", "ix"]).out;
        assert!(told.contains(&format!("a.pdf, page {number} (printed {label})")), "{told}");
        // A page is asked for by its physical number or by its label.
        for name in [number.to_string(), label.to_owned()] {
            let text = desk.recto(&["page", "a.pdf", &name, "--index", "ix"]).out.to_lowercase();
            assert!(text.starts_with(word), "{name}: {text}");
        }
    }
}

/// PageIndex#54, marker#1002: where 1, 2, 3 are printed behind four pages of front matter.
#[test]
fn a_question_about_a_printed_page_is_resolved_by_its_label() {
    let names = ["Cover", "Imprint", "Preface", "Contents", "Alder", "Birch", "Cedar"];
    let shown =
        |name| Page::new().text_at(72.0, 760.0, 24.0, name).text_at(72.0, 640.0, 11.0, "Words about the woods.");
    let pages = names.map(shown);
    let bytes = Pdf::new().pages(pages).label(0, "/S /r").label(4, "/S /D").to_bytes();
    let desk = Desk::with(&[("a.pdf", bytes)]);
    desk.index(0);
    let told = desk.json(0, &["ask", "What is the title of page 3?"]);
    let cited = &told["evidence"][0];
    assert_eq!((&told["text"], &cited["page"]["page"], &cited["label"]), (&"Cedar".into(), &7.into(), &"3".into()));
    assert!(desk.recto(&["ask", "What is the title of page 3?", "--index", "ix"]).out.contains("page 7 (printed 3)"));
}

/// paper-qa#823, xberg#636.
#[test]
fn a_fact_on_page_seven_behind_a_blank_page_is_cited_there() {
    let pages = (1..=12).map(|n| match n {
        6 => page(""),
        7 => page("The toll at the Harrow lock is 35 crowns."),
        n => page(&format!("Chapter {n}\nThe canal was dug by hand.")),
    });
    let desk = Desk::with(&[("a.pdf", Pdf::new().pages(pages).to_bytes())]);
    desk.index(0);
    assert_eq!(desk.problems(), ["a.pdf:6:blank_page"]);
    let told = desk.json(0, &["ask", "What is the toll at the Harrow lock?"]);
    assert_eq!(told["status"], "answered", "{told}");
    assert!(told["text"].as_str().unwrap().contains("35"), "{told}");
    assert_eq!(told["evidence"][0]["page"]["page"], 7);
    assert!(!told["evidence"][0]["regions"].as_array().unwrap().is_empty(), "{told}");
}

/// docling#1699.
#[test]
fn a_sentence_over_two_columns_is_cited_in_both() {
    let left = [
        "The valley had seven mills and two",
        "weirs when the survey was made. The",
        "toll at the Harrow lock for a boat",
    ];
    let right = [
        "laden with timber is 35 crowns. The",
        "keeper lives beside the lock, and his",
        "garden reaches down to the river.",
    ];
    let column = |page: Page, x: f32, lines: [&str; 3]| {
        lines.iter().zip([700.0, 686.0, 672.0]).fold(page, |page, (line, y)| page.text_at(x, y, 11.0, line))
    };
    let page = column(column(Page::new(), 72.0, left), 320.0, right);
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(page).to_bytes())]);
    desk.index(0);
    let told = desk.json(0, &["ask", "How many crowns is the toll at the Harrow lock?"]);
    assert_eq!(told["text"], "35", "{told}");
    let lefts = told["evidence"][0]["regions"].as_array().unwrap().iter().map(|region| region[0].as_f64().unwrap());
    let lefts: Vec<f64> = lefts.collect();
    assert!(lefts.iter().any(|left| *left < 0.5) && lefts.iter().any(|left| *left > 0.5), "{told}");
}

#[test]
fn a_year_that_is_asked_for_by_name_is_found() {
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(page("The bridge was opened in 1911.")).to_bytes())]);
    desk.index(0);
    assert_eq!(desk.json(0, &["ask", "In which year was the bridge opened?"])["text"], "1911");
}
