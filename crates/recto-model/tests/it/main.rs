//! Tests of the OCR with the models of the repository. `pictures/make.py` drew the pictures.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

mod encoders;
mod files;
mod reading;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use recto_model::OcrMode;
use recto_model::local::ocr::LocalRecognizer;
use recto_page::PageImage;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/ocr")
}

/// The models of the mode `auto`, loaded once.
fn recognizer() -> &'static LocalRecognizer {
    static LOADED: OnceLock<LocalRecognizer> = OnceLock::new();
    LOADED.get_or_init(|| LocalRecognizer::open(&models(), OcrMode::Auto).unwrap())
}

fn picture(name: &str) -> PageImage {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/it/pictures/{name}.png"));
    let rgb = image::open(file).unwrap().into_rgb8();
    PageImage { width: rgb.width(), height: rgb.height(), dpi: 144, rgb: rgb.into_raw() }
}
