//! What a folder says about the encoder in it: the file `encoder.json`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{ModelError, Pooling, Prefix, Result};

/// The content of `encoder.json`. Files are named relative to its folder.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The model's name, for the index and for error messages.
    pub name: String,
    /// Dimensions of each vector.
    pub dim: u32,
    /// How vectors come from the output.
    pub pooling: Pooling,
    /// Whether vectors are made ones of length 1.
    #[serde(default = "yes")]
    pub normalise: bool,
    /// What is written before texts.
    #[serde(default)]
    pub prefix: Prefix,
    /// Reads queries; and pages, unless there is `image`.
    pub text: TextPart,
    /// Reads page pictures.
    pub image: Option<ImagePart>,
}

/// A network that reads tokens: whole numbers of the shape 1 x tokens.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextPart {
    /// The ONNX file.
    pub model: PathBuf,
    /// The `vocab.txt` of an uncased BERT.
    pub vocabulary: PathBuf,
    /// Tokens of a window, those at its ends included.
    pub max_tokens: usize,
    /// The input for the tokens.
    #[serde(default = "ids")]
    pub ids: String,
    /// The input that is 1 for each token, if the network has one.
    pub mask: Option<String>,
    /// The input that is 0 for each token, if the network has one.
    pub types: Option<String>,
    /// The output; the first if not said.
    pub output: Option<String>,
}

/// A network that reads a picture: numbers of the shape 1 x 3 x height x width, red first.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImagePart {
    /// The ONNX file.
    pub model: PathBuf,
    /// The input for the picture.
    #[serde(default = "pixels")]
    pub input: String,
    /// The output; the first if not said.
    pub output: Option<String>,
    /// The resolution that pages are wanted in, in dots per inch.
    pub dpi: u32,
    /// Width of the picture in pixels; pages are stretched to it.
    pub width: u32,
    /// Height of the picture in pixels.
    pub height: u32,
    /// What is taken off each channel, which goes from 0 to 1.
    pub mean: [f32; 3],
    /// What it is then divided by.
    pub deviation: [f32; 3],
}

fn yes() -> bool {
    true
}

fn ids() -> String {
    "input_ids".into()
}

fn pixels() -> String {
    "pixel_values".into()
}

/// The largest side of a picture, and the most dimensions: beyond that a description is a mistake.
const MOST: u32 = 1 << 14;

impl Description {
    /// From JSON; `file` is for the error.
    ///
    /// # Errors
    /// [`ModelError::BadFile`] with what is wrong.
    pub fn parse(json: &[u8], file: &Path) -> Result<Self> {
        let bad = |why: String| ModelError::BadFile { file: file.to_owned(), why };
        let description: Self = serde_json::from_slice(json).map_err(|error| bad(error.to_string()))?;
        description.wrong().map_or(Ok(description.clone()), |why| Err(bad(why.into())))
    }

    fn wrong(&self) -> Option<&'static str> {
        let size = |size: u32| (1..=MOST).contains(&size);
        let number =
            |values: &[f32; 3], ok: fn(f32) -> bool| values.iter().all(|value| value.is_finite() && ok(*value));
        let image = |image: &ImagePart| {
            let sizes = size(image.width) && size(image.height) && size(image.dpi);
            sizes && number(&image.mean, |_| true) && number(&image.deviation, |value| value > 0.0)
        };
        match self {
            _ if !size(self.dim) => Some("dim must be from 1 to 16384"),
            _ if !(8..=MOST as usize).contains(&self.text.max_tokens) => Some("max_tokens must be from 8 to 16384"),
            _ if self.image.as_ref().is_some_and(|part| !image(part)) => Some("image: sizes or numbers out of range"),
            _ => None,
        }
    }
}
