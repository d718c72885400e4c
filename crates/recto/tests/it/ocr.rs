//! Pages whose text must be read off their pictures, and what users are told where that can't be done.

use std::fs;
use std::path::Path;

use recto_fixture::{Face, Font, Page, Pdf, Picture};
use serde_json::json;

use crate::desk::{Desk, page, pdf};

const SENTENCE: &str = "The ferry costs 412 crowns.";

/// A small scanned slip of paper.
fn scan(text: &str) -> Page {
    let picture = Picture::new([240.0, 60.0], 150.0).text(Face::Serif, 20.0, 35.0, 14.0, text);
    Page::new().size(240.0, 60.0).image(picture.object(), 0.0, 0.0, 240.0, 60.0)
}

/// A page that is seen and cannot be extracted.
fn mute() -> Page {
    let font = Font::embedded("F2", Face::Serif).without_unicode();
    Page::new().size(240.0, 60.0).text(&font, 20.0, 25.0, 14.0, SENTENCE)
}

/// docling#2963, zotero-rag#267: alone, and among five.
#[test]
fn a_page_without_characters_is_read_off_its_picture() {
    let good = |name| page(&format!("The {name} stands on the quay."));
    let five = [good("crane"), good("lamp"), mute(), good("shed"), good("bell")];
    let desk =
        Desk::with(&[("five.pdf", Pdf::new().pages(five).to_bytes()), ("one.pdf", Pdf::new().page(mute()).to_bytes())]);
    desk.index(0);
    assert_eq!(desk.problems(), Vec::<String>::new());
    assert_eq!(desk.search("\"ferry costs 412 crowns\""), ["five.pdf:3", "one.pdf:1"]);
    for (number, source) in [("1", "layer"), ("2", "layer"), ("3", "ocr"), ("4", "layer"), ("5", "layer")] {
        let told = desk.json(0, &["page", "five.pdf", number]);
        assert_eq!(told["text_source"], source, "page {number}");
    }
    assert_eq!(desk.json(0, &["page", "one.pdf", "1"])["text_reason"], "unmapped_glyphs");
    assert_eq!(desk.recto(&["page", "one.pdf", "1", "--index", "ix"]).out.trim(), SENTENCE);
}

/// docling#3671: without OCR every page of pictures is there, and every one is named.
#[test]
fn no_page_of_pictures_is_left_out_silently() {
    let pages = 60;
    let slip = |n: u32| scan(&format!("Slip {n}"));
    let desk = Desk::with(&[("a.pdf", Pdf::new().pages((1..=pages).map(slip)).to_bytes())]);
    let told = desk.json(3, &["index", "docs", "--ocr", "never"]);
    assert_eq!((&told["pages"], &told["problems"]), (&json!(pages), &json!({ "no_text": pages })));
    let right: Vec<String> = (1..=pages).map(|n| format!("a.pdf:{n}:no_text")).collect();
    assert_eq!(desk.problems(), right);
}

/// docling.rs and cuga-agent#521: a folder of models that is empty, or lacks one file.
#[test]
fn without_its_models_the_program_works_and_says_what_is_missing() {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/ocr");
    for missing in ["det-tiny.onnx", "rec-tiny.onnx", "rec-tiny.txt"] {
        for is_empty in [false, true] {
            let desk = Desk::with(&[
                ("scan.pdf", Pdf::new().page(scan(SENTENCE)).to_bytes()),
                ("b.pdf", pdf(&["The otter."])),
            ]);
            desk.write("models/ocr/README", "");
            for entry in fs::read_dir(&installed).unwrap().map(|entry| entry.unwrap()).filter(|_| !is_empty) {
                let name = entry.file_name();
                if name != missing {
                    std::os::unix::fs::symlink(entry.path(), desk.path("models/ocr").join(name)).unwrap();
                }
            }
            check_without(&desk, if is_empty { "det-tiny.onnx" } else { missing });
        }
    }
}

#[track_caller]
fn check_without(desk: &Desk, missing: &str) {
    let models = ["--models", "models"];
    desk.json(3, &[&["index", "docs"][..], &models].concat());
    assert_eq!(desk.problems(), ["scan.pdf:1:no_ocr"], "without {missing}");
    assert_eq!(desk.search("otter"), ["b.pdf:1"]);
    let told = desk.recto(&[&["doctor", "--index", "ix"][..], &models].concat());
    assert_eq!(told.code, 3, "{told:?}");
    let line = told.out.lines().find(|line| line.starts_with("FAIL")).unwrap();
    assert!(line.contains(missing) && line.contains("scripts/get-models.sh"), "without {missing}: {told:?}");
}

/// What failed for want of models is done once they are there, and then no more.
#[test]
fn a_scan_is_read_once_the_models_are_there() {
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(scan("Slip 7")).to_bytes()), ("b.pdf", pdf(&["heron"]))]);
    desk.write("bad/ocr/det-tiny.onnx", "no model");
    desk.json(3, &["index", "docs", "--models", "bad"]);
    // Damaged models have the same names as whole ones.
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/ocr");
    for entry in fs::read_dir(installed).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), desk.path("bad/ocr").join(entry.file_name())).unwrap();
    }
    for (read, unchanged) in [(1, 1), (0, 2)] {
        let told = desk.json(0, &["index", "docs", "--models", "bad"]);
        assert_eq!((&told["read"], &told["unchanged"]), (&json!(read), &json!(unchanged)));
    }
    assert_eq!(desk.search("slip"), ["a.pdf:1"]);
}

/// Text that came beside a file is taken for what it is: the picture is not read again.
#[test]
fn a_page_whose_text_is_given_is_not_read_off_its_picture() {
    let scans = Pdf::new().pages([scan("Slip 1"), scan("Slip 2")]).to_bytes();
    let record = json!({ "doc_id": "scan", "pdf": "scan.pdf", "pages": ["The slip says one.", " "] }).to_string();
    let desk = Desk::with(&[("scan.pdf", scans), ("records.jsonl", record.into_bytes())]);
    let told = desk.recto(&["batch", "build", "--corpus", "docs", "--index-dir", "ix"]);
    assert_eq!(told.code, 0, "{told:?}");
    let source = |page| desk.json(0, &["page", "scan", page])["text_source"].clone();
    assert_eq!((source("1"), source("2")), (json!("given"), json!("ocr")));
    assert_eq!(desk.search("says"), ["scan:1"]);
}

/// Text that was read off pictures stays while OCR is off, and turning it on reads only what needs it.
#[test]
fn turning_ocr_off_and_on_reads_only_what_that_changes() {
    let desk = Desk::with(&[("a.pdf", Pdf::new().page(scan("Slip 7")).to_bytes()), ("b.pdf", pdf(&["heron"]))]);
    // The mode, and how many documents are read and unchanged.
    let check = |mode: &str, read: u64, unchanged: u64, found: &[&str]| {
        let told = desk.recto(&["index", "docs", "--index", "ix", "--json", "--ocr", mode]);
        let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
        assert_eq!((&told["read"], &told["unchanged"]), (&json!(read), &json!(unchanged)), "{mode}");
        assert_eq!(desk.search("slip"), found, "{mode}");
    };
    check("never", 2, 0, &[]);
    check("auto", 1, 1, &["a.pdf:1"]);
    check("never", 0, 2, &["a.pdf:1"]);
    check("auto", 0, 2, &["a.pdf:1"]);
    desk.write("docs/c.pdf", pdf(&["crane"]));
    check("never", 1, 2, &["a.pdf:1"]);
    check("auto", 0, 3, &["a.pdf:1"]);
    check("always", 3, 0, &["a.pdf:1"]);
}

/// A server that is away costs each document one problem, and is asked again by the next run.
#[test]
fn a_server_that_is_away_is_one_problem_of_each_document() {
    let scans = || Pdf::new().pages((1..=5).map(|n| scan(&format!("Slip {n}")))).to_bytes();
    let second = Pdf::new().pages([page("heron"), scan("Slip 8"), scan("Slip 9")]).to_bytes();
    let desk = Desk::with(&[("a.pdf", scans()), ("b.pdf", second), ("c.pdf", pdf(&["crane"]))]);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let away = format!("http://{closed}/ocr");
    for (read, unchanged) in [(3, 0), (2, 1)] {
        let told = desk.json(3, &["index", "docs", "--ocr-url", &away]);
        assert_eq!((&told["read"], &told["unchanged"]), (&json!(read), &json!(unchanged)));
        assert_eq!(desk.problems(), ["a.pdf:1:ocr_unavailable", "b.pdf:2:ocr_unavailable"]);
    }
    assert_eq!(desk.index(0)["read"], 2);
    assert_eq!(desk.search("slip").len(), 7);
}

/// What a limit cut off is read once the limit is higher, and only that.
#[test]
fn what_was_beyond_a_limit_is_read_once_the_limit_is_raised() {
    let desk =
        Desk::with(&[("a.pdf", Pdf::new().page(scan(SENTENCE)).to_bytes()), ("b.pdf", pdf(&["heron", "crane"]))]);
    let index = |code, flags: &[&str]| desk.json(code, &[&["index", "docs"], flags].concat())["read"].clone();
    assert_eq!(index(3, &["--max-pages", "1", "--max-pixels", "20000"]), 2);
    assert_eq!(desk.problems(), ["a.pdf:1:pixel_budget", "b.pdf:-:too_many_pages"]);
    assert_eq!(index(3, &["--max-pages", "1", "--max-pixels", "10000"]), 0);
    assert_eq!(index(0, &["--max-pages", "2", "--max-pixels", "20000"]), 1);
    assert_eq!(index(0, &["--max-pages", "2"]), 1);
    assert_eq!(index(0, &[]), 0);
    assert_eq!(desk.problems(), [""; 0]);
}

/// A word that is no address is refused before anything is read.
#[test]
fn what_is_no_address_of_a_server_is_a_usage_error() {
    let desk = Desk::with(&[("a.pdf", pdf(&["heron"]))]);
    for url in ["localhost:8000", "https://x/ocr", "http://", "no url"] {
        let told = desk.recto(&["index", "docs", "--index", "ix", "--ocr-url", url]);
        assert_eq!(told.code, 2, "{told:?}");
        assert!(told.err.contains("flag --ocr-url") && told.err.contains("http://localhost"), "{told:?}");
        assert!(!desk.path("ix").exists());
    }
}
