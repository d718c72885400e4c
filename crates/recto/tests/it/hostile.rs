//! Documents that ask for too much: a limit is a problem of the page that names the setting; the program lives on.

use recto_fixture::{Damage, Object, Page, Pdf, bomb};

use crate::desk::{Desk, page, pdf};

/// paperless-ngx#709, OCRmyPDF#413.
#[test]
fn a_content_stream_that_unpacks_beyond_the_memory_limit_is_a_problem_of_its_page() {
    let desk = Desk::with(&[("a.pdf", bomb::flate(300 << 20, 3)), ("b.pdf", pdf(&["otter"]))]);
    let told = desk.recto(&["index", "docs", "--index", "ix", "--memory", "256MiB"]);
    assert_eq!(told.code, 3, "{told:?}");
    assert_eq!(desk.problems(), ["a.pdf:1:page_crashed"]);
    assert!(desk.recto(&["problems", "--index", "ix"]).out.contains("--memory"));
    assert_eq!(desk.search("otter"), ["b.pdf:1"]);
}

/// OCRmyPDF#413.
#[test]
fn a_picture_of_thirty_thousand_pixels_a_side_ends_well() {
    let side = 30_000_u32;
    let row = vec![0xff; side as usize / 8];
    let picture = Object::flate(
        &format!(
            "/Type /XObject /Subtype /Image /Width {side} /Height {side} /BitsPerComponent 1 /ColorSpace /DeviceGray"
        ),
        &row.repeat(side as usize),
    );
    let bytes = Pdf::new().page(page("otter").image(picture, 0.0, 0.0, 595.0, 842.0)).page(page("heron")).to_bytes();
    let desk = Desk::with(&[("a.pdf", bytes)]);
    desk.json(0, &["index", "docs", "--ocr", "never"]);
    assert_eq!(desk.search("otter heron"), ["a.pdf:1", "a.pdf:2"]);
    let draw = ["page", "a.pdf", "1", "--image", "p.png", "--dpi", "36", "--index", "ix", "--memory", "256MiB"];
    let told = desk.recto(&draw);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.err.contains("a.pdf p. 1") && told.err.contains("--memory"), "{told:?}");
    let told = desk.recto(&["page", "a.pdf", "2", "--image", "p.png", "--dpi", "36", "--index", "ix"]);
    assert_eq!(told.code, 0, "{told:?}");
}

/// pdf_oxide#1244, inference PR#5299.
#[test]
fn a_page_of_huge_size_is_drawn_at_a_lower_resolution_and_says_so() {
    let desk =
        Desk::with(&[("a.pdf", bomb::huge_page(14_400.0, "otter")), ("b.pdf", bomb::huge_page(20_000.0, "otter"))]);
    desk.index(0);
    assert_eq!(desk.search("otter"), ["a.pdf:1", "b.pdf:1"]);
    let draw = ["page", "a.pdf", "1", "--image", "p.png", "--index", "ix", "--max-pixels", "1000000"];
    let told = desk.recto(&draw);
    assert_eq!(told.code, 0, "{told:?}");
    assert!(told.err.contains("drawn at 5 dpi: --max-pixels"), "{told:?}");
}

#[test]
fn files_that_bite_their_own_tail_do_not_stop_the_others() {
    let desk = Desk::with(&[
        ("cycle.pdf", bomb::form_cycle()),
        ("good.pdf", pdf(&["otter"])),
        ("laughs.pdf", bomb::form_laughs(9)),
        ("tree.pdf", bomb::page_tree_cycle()),
    ]);
    let told = desk.recto(&["index", "docs", "--index", "ix", "--page-timeout", "2"]);
    assert!([0, 3].contains(&told.code), "{told:?}");
    assert_eq!(desk.search("otter"), ["good.pdf:1"]);
    let status = desk.recto(&["status", "--index", "ix"]).out;
    ["cycle.pdf", "laughs.pdf", "tree.pdf"].iter().for_each(|name| assert!(status.contains(name), "{status}"));
}

/// Cut anywhere, a file is read or named, and never stops the others.
#[test]
fn files_cut_short_are_read_or_named() {
    let whole = pdf(&["heron", "kingfisher"]);
    let mut files: Vec<(String, Vec<u8>)> =
        (1..12).map(|n| (format!("{n:02}.pdf"), whole[..whole.len() * n / 12].to_vec())).collect();
    files.push(("good.pdf".into(), Pdf::new().page(page("otter")).damage(Damage::LeadingJunk(900)).to_bytes()));
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(name, bytes)| (name.as_str(), bytes.clone())).collect();
    let desk = Desk::with(&files);
    desk.index(3);
    assert_eq!(desk.search("otter"), ["good.pdf:1"]);
    let (problems, found) = (desk.problems(), desk.search("heron kingfisher"));
    for (name, _) in &files[..11] {
        let is_told = problems.iter().chain(&found).any(|line| line.starts_with(name));
        assert!(is_told, "{name}: {problems:?} {found:?}");
    }
}

/// What documents say is text, never an order to the terminal or to the program.
#[test]
fn control_characters_of_documents_do_not_reach_the_terminal() {
    let record = serde_json::json!({ "doc_id": "bad\u{1b}[31m", "pages": ["otter \u{1b}]0;owned\u{7} \u{9b}2J end"] });
    let desk = Desk::new();
    desk.write("docs/records.jsonl", record.to_string());
    assert_eq!(desk.recto(&["batch", "build", "--corpus", "docs", "--index-dir", "ix"]).code, 0);
    for arguments in [&["search", "otter"][..], &["status"], &["problems"], &["page", "bad*", "1"], &["ask", "otter?"]]
    {
        let told = desk.recto(&[arguments, &["--index", "ix"]].concat());
        let is_clean = |text: &str| text.chars().all(|c| !c.is_control() || c == '\n');
        assert!(is_clean(&told.out) && is_clean(&told.err), "{arguments:?}: {told:?}");
    }
    let odd = Page::new().text_at(72.0, 700.0, 12.0, "$(touch owned) `touch owned` ; rm -rf docs");
    desk.write("more/a b;$(touch owned).pdf", Pdf::new().page(odd).to_bytes());
    assert_eq!(desk.recto(&["ask", "more", "What is touch owned?"]).code, 0);
    assert!(!desk.path("owned").exists() && desk.path("docs").exists());
}
