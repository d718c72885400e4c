//! Reading text off pictures with PP-OCRv6 (PaddleOCR): a detector finds lines, a reader reads them.

mod belief;
mod components;
mod content;
mod detect;
mod edge;
#[cfg(fuzzing)]
pub mod fuzzing;
mod lines;
mod net;
#[cfg(feature = "ort")]
mod onnxruntime;
mod orientation;
mod page;
pub(crate) mod picture;
mod reader;
mod slanted;
mod strip;
mod words;

use std::path::Path;

use recto_page::PageImage;

use self::net::{Net, RtenNet};
use self::picture::Picture;
use self::reader::Reader;
use super::files;
use crate::{OcrMode, Recognized, Recognizer, Result, Stop};

/// Makes a network of the bytes of a file.
type Load<'l> = dyn Fn(Vec<u8>, &Path) -> Result<Box<dyn Net>> + 'l;

/// The models, loaded once; any number of threads may read with them.
pub struct LocalRecognizer {
    detector: Box<dyn Net>,
    reader: Reader,
    /// Reads again what the other is unsure of.
    second: Option<Reader>,
    orientation: Option<Box<dyn Net>>,
    mode: OcrMode,
    name: String,
}

/// The model files that a folder holds, by name.
pub fn installed(folder: &Path) -> Vec<&'static str> {
    let known = ["det-small.onnx", "det-tiny.onnx", "orientation.onnx", "rec-small.onnx", "rec-tiny.onnx"];
    known.into_iter().filter(|name| files::is_there(folder, name)).collect()
}

impl LocalRecognizer {
    /// Loads the models of a folder. In the modes fast and auto only the tiny detector and reader must be there: without
    /// the others pages that lie on their side are not read, or lines are read less well.
    ///
    /// # Errors
    /// [`ModelError::MissingFile`](crate::ModelError::MissingFile) and
    /// [`ModelError::BadFile`](crate::ModelError::BadFile).
    pub fn open(folder: &Path, mode: OcrMode) -> Result<Self> {
        Self::load(folder, mode, &|bytes, file| Ok(Box::new(RtenNet::load(bytes, file)?)))
    }

    /// The same with ONNX Runtime, of which `library` is the shared library (version 1.17 or newer): quicker, and the
    /// models are in memory once for each thread that reads. The first library that a process loads stays.
    ///
    /// # Errors
    /// As [`LocalRecognizer::open`]; and [`ModelError::BadFile`](crate::ModelError::BadFile) for the library.
    #[cfg(feature = "ort")]
    pub fn open_with_onnxruntime(folder: &Path, mode: OcrMode, library: &Path) -> Result<Self> {
        let environment = onnxruntime::environment(library)?;
        Self::load(folder, mode, &|bytes, file| Ok(Box::new(onnxruntime::OrtNet::load(&environment, bytes, file)?)))
    }

    fn load(folder: &Path, mode: OcrMode, load: &Load) -> Result<Self> {
        let size = if mode == OcrMode::Quality { "small" } else { "tiny" };
        let mut names = Vec::new();
        let mut net = |name: &str| load_named(folder, name, &mut names, load);
        let detector = net(&format!("det-{size}.onnx"))?;
        let reader = Reader { net: net(&format!("rec-{size}.onnx"))?, alphabet: alphabet(folder, size)? };
        let again = mode == OcrMode::Auto && files::is_there(folder, "rec-small.onnx");
        let second = again.then(|| Ok(Reader { net: net("rec-small.onnx")?, alphabet: alphabet(folder, "small")? }));
        let turn = files::is_there(folder, "orientation.onnx").then(|| net("orientation.onnx"));
        let (second, orientation) = (second.transpose()?, turn.transpose()?);
        let name = format!("ppocrv6 {}", names.join(" "));
        Ok(Self { detector, reader, second, orientation, mode, name })
    }
}

impl Recognizer for LocalRecognizer {
    fn recognize(&self, image: &PageImage, stop: &Stop) -> Result<Recognized> {
        page::recognize(self, &Picture::new(image)?, stop)
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// A network of the folder; its name and the start of its hash are noted.
fn load_named(folder: &Path, name: &str, names: &mut Vec<String>, load: &Load) -> Result<Box<dyn Net>> {
    let bytes = files::read(folder, name)?;
    let hash = files::sha256_of(name).and_then(|hash| hash.get(..8)).unwrap_or_default();
    names.push(format!("{}:{hash}", name.trim_end_matches(".onnx")));
    load(bytes, &folder.join(name))
}

/// The symbols of a reader, one a line.
fn alphabet(folder: &Path, size: &str) -> Result<Vec<String>> {
    let text = files::read(folder, &format!("rec-{size}.txt"))?;
    Ok(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}
