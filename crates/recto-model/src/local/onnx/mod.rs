//! Encoders from ONNX files: recto's own for texts, and any that a user describes in an `encoder.json`.

mod description;
mod network;
mod towers;

use std::path::Path;

use recto_page::PageImage;
use sha2::{Digest, Sha256};

pub use self::description::{Description, ImagePart, TextPart};
use self::towers::{ImageTower, TextTower};
use super::{files, pool, window};
use crate::{
    Identity, ModelError, MultiVector, PageEncoder, PageInput, Pooling, Result, TextEncoder, TokenEncoder, Vector,
    Window,
};

/// The file that describes a user's encoder.
const DESCRIPTION: &str = "encoder.json";
/// all-MiniLM-L6-v2, as `models/` has it.
const MINILM: &str = include_str!("minilm.json");
/// Tokens that stand around a text.
const FRAME: usize = 2;

/// An encoder, loaded once; any number of threads may encode with it.
pub struct OnnxEncoder {
    text: TextTower,
    image: Option<ImageTower>,
    identity: Identity,
    /// The same for its token vectors.
    tokens: Identity,
}

impl OnnxEncoder {
    /// The all-MiniLM-L6-v2 of recto's folder of text models, 384 dimensions.
    ///
    /// # Errors
    /// [`ModelError::MissingFile`] and [`ModelError::BadFile`].
    pub fn open_minilm(folder: &Path) -> Result<Self> {
        let description = Description::parse(MINILM.as_bytes(), Path::new(DESCRIPTION))?;
        let read = |name: &Path| files::read(folder, &name.to_string_lossy());
        Self::load(&description, &read)
    }

    /// A user's encoder: a folder with `encoder.json` (see [`Description`]) and the files that it names.
    ///
    /// # Errors
    /// [`ModelError::BadFile`] for a file that is not there, or of no use.
    pub fn open(folder: &Path) -> Result<Self> {
        let read = |name: &Path| {
            let file = folder.join(name);
            std::fs::read(&file).map_err(|error| ModelError::BadFile { file, why: error.to_string() })
        };
        let description = Description::parse(&read(Path::new(DESCRIPTION))?, &folder.join(DESCRIPTION))?;
        Self::load(&description, &read)
    }

    fn load(description: &Description, read: &towers::Read) -> Result<Self> {
        let hash = std::cell::RefCell::new(Sha256::new_with_prefix(format!("{description:?}")));
        let read = |name: &Path| {
            let bytes = read(name)?;
            hash.borrow_mut().update(&bytes);
            Ok(bytes)
        };
        let text = TextTower::load(&description.text, description.dim, &read)?;
        let image =
            description.image.as_ref().map(|part| ImageTower::load(part, description.dim, &read)).transpose()?;
        let revision = files::hex(&hash.borrow().clone().finalize()).chars().take(16).collect();
        let identity = identity(description, revision);
        let tokens = Identity { pooling: Pooling::Tokens, ..identity.clone() };
        Ok(Self { text, image, identity, tokens })
    }

    /// The vector of a page's text, or of a window of it, and those of its tokens, of one pass.
    ///
    /// # Errors
    /// [`ModelError::BadReply`] when the network fails.
    pub fn encode_page_and_tokens(&self, text: &str) -> Result<(Vector, MultiVector)> {
        let rows = self.text.rows(&format!("{}{text}", self.identity.prefix.page))?;
        Ok((self.vector(&rows), self.token_vectors(rows, true)))
    }

    fn vector(&self, rows: &MultiVector) -> Vector {
        let mut vector = pool::pooled(rows, self.identity.pooling, self.identity.dim as usize);
        if self.identity.normalised {
            pool::normalise(&mut vector);
        }
        vector
    }

    /// The rows without those of the tokens that stand around a text.
    fn token_vectors(&self, mut rows: MultiVector, framed: bool) -> MultiVector {
        if framed && rows.len() >= FRAME {
            rows.pop();
            rows.remove(0);
        }
        if self.identity.normalised {
            rows.iter_mut().for_each(pool::normalise);
        }
        rows
    }

    fn query_rows(&self, query: &str) -> Result<MultiVector> {
        self.text.rows(&format!("{}{query}", self.identity.prefix.query))
    }

    fn text_windows(&self, text: &str) -> Vec<Window> {
        let prefix = self.text.pieces.pieces(&self.identity.prefix.page).len();
        let most = self.text.max_tokens.saturating_sub(FRAME + prefix);
        window::windows(text, most, |unit| self.text.pieces.pieces(unit).len())
    }

    fn picture_rows(&self, image: &PageImage) -> Result<MultiVector> {
        self.image.as_ref().ok_or(ModelError::WrongInput { wanted: "texts" })?.rows(image)
    }
}

fn identity(description: &Description, revision: String) -> Identity {
    Identity {
        model: description.name.clone(),
        revision,
        dim: description.dim,
        normalised: description.normalise,
        prefix: description.prefix.clone(),
        dpi: description.image.as_ref().map(|image| image.dpi),
        pooling: description.pooling,
    }
}

impl TextEncoder for OnnxEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn windows(&self, text: &str) -> Vec<Window> {
        self.text_windows(text)
    }

    fn encode_pages(&self, texts: &[&str]) -> Result<Vec<Vector>> {
        let rows = |text: &&str| self.text.rows(&format!("{}{text}", self.identity.prefix.page));
        texts.iter().map(|text| rows(text).map(|rows| self.vector(&rows))).collect()
    }

    fn encode_query(&self, query: &str) -> Result<Vector> {
        Ok(self.vector(&self.query_rows(query)?))
    }
}

impl PageEncoder for OnnxEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn encode_pages(&self, images: &[PageImage]) -> Result<Vec<Vector>> {
        images.iter().map(|image| self.picture_rows(image).map(|rows| self.vector(&rows))).collect()
    }

    fn encode_query(&self, query: &str) -> Result<Vector> {
        TextEncoder::encode_query(self, query)
    }
}

impl TokenEncoder for OnnxEncoder {
    fn identity(&self) -> &Identity {
        let Self { tokens, .. } = self;
        tokens
    }

    fn windows(&self, text: &str) -> Vec<Window> {
        self.text_windows(text)
    }

    fn encode_pages(&self, pages: &[PageInput<'_>]) -> Result<Vec<MultiVector>> {
        let encode = |page: &PageInput<'_>| match page {
            PageInput::Image(image) => Ok(self.token_vectors(self.picture_rows(image)?, false)),
            PageInput::Text(_) if self.image.is_some() => Err(ModelError::WrongInput { wanted: "pictures" }),
            PageInput::Text(text) => Ok(self.encode_page_and_tokens(text)?.1),
        };
        pages.iter().map(encode).collect()
    }

    fn encode_query(&self, query: &str) -> Result<MultiVector> {
        Ok(self.token_vectors(self.query_rows(query)?, true))
    }
}
