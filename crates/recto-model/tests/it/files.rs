//! Model files that are missing or wrong.

use std::fs;

use recto_model::local::ocr::LocalRecognizer;
use recto_model::{ModelError, OcrMode, Recognizer};

use crate::{models, picture};

/// A folder with some of the model files, those of the second list with a byte too many.
fn folder(good: &[&str], bad: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (names, more) in [(good, &b""[..]), (bad, b"x")] {
        for name in names {
            let bytes = [&fs::read(models().join(name)).unwrap(), more].concat();
            fs::write(folder.path().join(name), bytes).unwrap();
        }
    }
    folder
}

fn error(good: &[&str], bad: &[&str], mode: OcrMode) -> (String, String) {
    let folder = folder(good, bad);
    let error = LocalRecognizer::open(folder.path(), mode).err().unwrap();
    match &error {
        ModelError::MissingFile { file, .. } | ModelError::BadFile { file, .. } => {
            (file.file_name().unwrap().to_string_lossy().into_owned(), error.to_string())
        }
        other => panic!("{other}"),
    }
}

type Names = &'static [&'static str];
const TINY: [&str; 3] = ["det-tiny.onnx", "rec-tiny.onnx", "rec-tiny.txt"];

#[test]
fn a_missing_or_wrong_file_is_named_with_what_brings_it() {
    let table: [(Names, Names, OcrMode, &str, &str); 5] = [
        (&[], &[], OcrMode::Auto, "det-tiny.onnx", "is missing"),
        (&TINY[..2], &[], OcrMode::Fast, "rec-tiny.txt", "is missing"),
        (&TINY[1..], &["det-tiny.onnx"], OcrMode::Auto, "det-tiny.onnx", "SHA-256"),
        (&TINY, &["orientation.onnx"], OcrMode::Auto, "orientation.onnx", "SHA-256"),
        (&TINY, &[], OcrMode::Quality, "det-small.onnx", "is missing"),
    ];
    for (good, bad, mode, file, why) in table {
        let (named, text) = error(good, bad, mode);
        assert_eq!(named, file);
        assert!(text.contains(why) && text.contains("scripts/get-models.sh"), "{text}");
    }
}

#[test]
fn the_tiny_models_alone_read() {
    let recognizer = LocalRecognizer::open(folder(&TINY, &[]).path(), OcrMode::Auto).unwrap();
    assert_eq!(recognizer.name(), "ppocrv6 det-tiny:193bab7a rec-tiny:9ef676d6");
    assert_eq!(recognizer.recognize(&picture("page"), &|| false).unwrap().lines.len(), 5);
}
