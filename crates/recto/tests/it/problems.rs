//! What users are told of files and pages that can't be read, and that the others don't suffer.

use recto_fixture::{Cipher, Damage, Encryption, Page, Pdf};
use serde_json::json;

use crate::desk::{Desk, page, pdf};

/// paper-qa#591, paper-qa#1068.
#[test]
fn one_truncated_page_of_ten_is_listed_and_nine_are_searchable() {
    let text = |n: u32| (0..40).map(|line| format!("Page {n} line {line}\n")).collect::<String>() + "watermark";
    let pages = (1..=10).map(|n| if n == 4 { page(&text(n)).truncated() } else { page(&text(n)) });
    let desk = Desk::with(&[("a.pdf", Pdf::new().pages(pages).to_bytes())]);
    assert_eq!(desk.index(3)["problems"], json!({ "page_damaged": 1 }));
    assert_eq!(desk.problems(), ["a.pdf:4:page_damaged"]);
    let right: Vec<String> = (1..=10).filter(|n| *n != 4).map(|n| format!("a.pdf:{n}")).collect();
    assert_eq!(desk.search("watermark"), right);
}

/// anything-llm#1878, hayro#51.
#[test]
fn files_with_a_broken_cross_reference_table_are_indexed() {
    let bytes = |text, damage| Pdf::new().page(page(text)).damage(damage).to_bytes();
    let desk = Desk::with(&[
        ("1.pdf", bytes("alpha", Damage::StartxrefOffset)),
        ("2.pdf", bytes("beta", Damage::NoStartxref)),
        ("3.pdf", bytes("gamma", Damage::NoXref)),
    ]);
    desk.index(3);
    assert_eq!(desk.problems(), ["1.pdf:-:repaired", "2.pdf:-:incomplete_file", "3.pdf:-:incomplete_file"]);
    assert_eq!(desk.search("alpha beta gamma"), ["1.pdf:1", "2.pdf:1", "3.pdf:1"]);
}

/// pdf-mcp#59, paperless-gpt#872.
#[test]
fn a_locked_document_is_named_and_the_next_one_is_read() {
    let locked = |text| Pdf::new().page(page(text)).encrypt(Encryption::new(Cipher::Aes256, "secret")).to_bytes();
    let desk = Desk::with(&[("a.pdf", locked("heron")), ("b.pdf", pdf(&["otter"]))]);
    desk.index(3);
    assert_eq!(desk.problems(), ["a.pdf:-:password_required"]);
    assert_eq!(desk.search("heron otter"), ["b.pdf:1"]);
    desk.json(3, &["index", "docs", "--password", "guess"]);
    assert_eq!(desk.problems(), ["a.pdf:-:password_wrong"]);
    assert!(desk.recto(&["problems", "--index", "ix"]).out.contains("--password"));
    desk.json(0, &["index", "docs", "--password", "secret"]);
    assert_eq!(desk.problems(), Vec::<String>::new());
    assert_eq!(desk.search("heron otter"), ["a.pdf:1", "b.pdf:1"]);
    // Its picture needs the password as well; without one the next step is named.
    let picture = ["page", "a.pdf", "1", "--image", "p.png", "--index", "ix"];
    let told = desk.recto(&picture);
    assert!(told.code != 0 && told.err.contains("password"), "{told:?}");
    assert_eq!(desk.recto(&[&picture[..], &["--password", "secret"]].concat()).code, 0);
    let bytes = std::fs::read(desk.path("ix/catalog.sqlite")).unwrap();
    assert!(!bytes.windows(6).any(|window| window == b"secret"), "the password is in the catalog");
}

/// oxidizePdf#379.
#[test]
fn documents_with_an_empty_password_are_indexed() {
    let locked = |cipher| Pdf::new().page(page("heron")).encrypt(Encryption::new(cipher, "")).to_bytes();
    let desk = Desk::with(&[
        ("1.pdf", locked(Cipher::Rc4Key40)),
        ("2.pdf", locked(Cipher::Rc4Key128)),
        ("3.pdf", locked(Cipher::Aes128)),
        ("4.pdf", locked(Cipher::Aes256)),
    ]);
    desk.index(0);
    assert_eq!(desk.search("heron"), ["1.pdf:1", "2.pdf:1", "3.pdf:1", "4.pdf:1"]);
}

/// LightRAG#2318, morphik#189.
#[test]
fn files_that_hold_nothing_are_listed_and_end() {
    let white = Pdf::new().page(page("   ")).page(Page::new()).to_bytes();
    let desk = Desk::with(&[
        ("blank.pdf", white),
        ("empty.pdf", Vec::new()),
        ("good.pdf", pdf(&["otter"])),
        ("nothing.pdf", Pdf::new().to_bytes()),
        ("text.pdf", b"Dear Sir, this is no PDF.".to_vec()),
    ]);
    let right = [
        "blank.pdf:1:blank_page",
        "blank.pdf:2:blank_page",
        "empty.pdf:-:empty_file",
        "nothing.pdf:-:no_pages",
        "text.pdf:-:not_a_pdf",
    ];
    for _ in 0..2 {
        desk.index(3);
        assert_eq!(desk.problems(), right);
        assert_eq!(desk.search("otter"), ["good.pdf:1"]);
    }
    let status = desk.recto(&["status", "--index", "ix"]).out;
    for line in ["empty.pdf: could not be read", "blank.pdf: 2 pages, 2 problems", "good.pdf: 1 page\n"] {
        assert!(status.contains(line), "{line} is not in {status}");
    }
}

#[test]
fn strict_stops_at_the_first_problem() {
    let desk = Desk::with(&[("a.pdf", b"no PDF".to_vec()), ("b.pdf", pdf(&["otter"]))]);
    let told = desk.recto(&["index", "docs", "--strict", "--index", "ix"]);
    assert_eq!(told.code, 1, "{told:?}");
    assert!(told.err.contains("a.pdf") && told.err.contains("not_a_pdf"), "{told:?}");
}
