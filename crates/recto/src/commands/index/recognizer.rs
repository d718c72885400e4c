//! Which recognizer reads pictures, and with what. It is loaded when the first picture comes: most updates bring none.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use recto_ingest::ocr::Pictures;
use recto_model::local::ocr::{LocalRecognizer, installed};
use recto_model::remote::RemoteRecognizer;
use recto_model::{OcrMode, Recognizer};

use crate::config::{Config, Ocr};

/// Reading text off a page's picture costs so many times what reading a page costs otherwise.
const TIMES_THE_PAGE: u32 = 8;

/// The recognizer that the configuration names, once it is needed.
pub(crate) struct LazyRecognizer<'a> {
    config: &'a Config,
    loaded: OnceLock<Result<Box<dyn Recognizer>, String>>,
}

impl<'a> LazyRecognizer<'a> {
    pub(crate) const fn new(config: &'a Config) -> Self {
        Self { config, loaded: OnceLock::new() }
    }

    /// The time in which the pictures of a page are to be read.
    pub(crate) const fn time(&self) -> Duration {
        time(self.config)
    }

    /// The recognizer, or why there is none.
    pub(crate) fn get(&self) -> Result<&dyn Recognizer, &str> {
        let loaded = self.loaded.get_or_init(|| load(self.config).map_err(|error| error.to_string()));
        loaded.as_deref().map_err(String::as_str)
    }
}

/// Which pictures are to be read.
pub(crate) const fn pictures(config: &Config) -> Pictures {
    match config.ocr {
        Ocr::Never => Pictures::None,
        Ocr::Auto | Ocr::Quality => Pictures::Needed,
        Ocr::Always => Pictures::All,
    }
}

/// Everything that the text read off a picture depends on.
pub(crate) fn fingerprint(config: &Config) -> String {
    let models = match (config.ocr, &config.ocr_url) {
        (Ocr::Never, _) => String::new(),
        (_, Some(url)) => url.clone(),
        _ => installed(&models(config)).join(","),
    };
    format!("{}:{models}", config.ocr.as_str())
}

/// The folder of the OCR models.
pub(crate) fn models(config: &Config) -> PathBuf {
    config.models_folder().join("ocr")
}

const fn time(config: &Config) -> Duration {
    config.limits.page_time.saturating_mul(TIMES_THE_PAGE)
}

fn load(config: &Config) -> recto_model::Result<Box<dyn Recognizer>> {
    if let Some(url) = &config.ocr_url {
        return Ok(Box::new(RemoteRecognizer::new(url, "", time(config))?));
    }
    local(&models(config), config.ocr)
}

fn local(folder: &Path, ocr: Ocr) -> recto_model::Result<Box<dyn Recognizer>> {
    let mode = if ocr == Ocr::Quality { OcrMode::Quality } else { OcrMode::Auto };
    Ok(Box::new(LocalRecognizer::open(folder, mode)?))
}
