//! Models that turn texts and page pictures into vectors.

use std::ops::Range;

use recto_page::PageImage;

use crate::{Identity, Result};

/// A vector, of as many dimensions as its encoder has.
pub type Vector = Vec<f32>;

/// Several vectors for one text or page, one for each token or patch.
pub type MultiVector = Vec<Vector>;

/// A part of a text, at word boundaries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// Where it stands in the text, in bytes.
    pub bytes: Range<usize>,
    /// Which of the text's words it holds, as [`str::split_whitespace`] counts them from 0. A word that is longer than a
    /// window is in several.
    pub words: Range<usize>,
}

impl Window {
    /// The whole of a text.
    pub fn whole(text: &str) -> Self {
        Self { bytes: 0..text.len(), words: 0..text.split_whitespace().count() }
    }

    /// Its part of the text that it was made for.
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.bytes.clone()).unwrap_or_default()
    }
}

/// What a page is to an encoder that gives several vectors.
#[derive(Clone, Copy, Debug)]
pub enum PageInput<'p> {
    /// Its text, or a window of it.
    Text(&'p str),
    /// Its picture.
    Image(&'p PageImage),
}

/// A model that turns texts into one vector each.
pub trait TextEncoder: Send + Sync {
    /// What the vectors are.
    fn identity(&self) -> &Identity;

    /// The windows that a text must be cut into so that none of it is lost; a text without words has none.
    fn windows(&self, text: &str) -> Vec<Window> {
        let whole = Window::whole(text);
        if whole.words.is_empty() { Vec::new() } else { vec![whole] }
    }

    /// How many texts are best given at once: one request of a remote encoder. See [`in_batches`].
    fn batch(&self) -> usize {
        1
    }

    /// Encodes texts of pages, or windows of them; as many vectors as texts, in their order. What is longer than the
    /// model's window is cut off.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_pages(&self, texts: &[&str]) -> Result<Vec<Vector>>;

    /// Encodes a query.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_query(&self, query: &str) -> Result<Vector>;
}

/// A model that turns page pictures into one vector each.
pub trait PageEncoder: Send + Sync {
    /// What the vectors are.
    fn identity(&self) -> &Identity;

    /// How many pictures are best given at once. See [`in_batches`].
    fn batch(&self) -> usize {
        1
    }

    /// Encodes pictures; as many vectors as pictures, in their order.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_pages(&self, images: &[PageImage]) -> Result<Vec<Vector>>;

    /// Encodes a query into the same space.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_query(&self, query: &str) -> Result<Vector>;
}

/// A model that turns a page, or a query, into one vector for each patch, or token.
pub trait TokenEncoder: Send + Sync {
    /// What the vectors are; `dpi` says that pages are wanted as pictures, otherwise as texts.
    fn identity(&self) -> &Identity;

    /// As [`TextEncoder::windows`].
    fn windows(&self, text: &str) -> Vec<Window> {
        let whole = Window::whole(text);
        if whole.words.is_empty() { Vec::new() } else { vec![whole] }
    }

    /// How many pages are best given at once. See [`in_batches`].
    fn batch(&self) -> usize {
        1
    }

    /// Encodes pages; as many results as pages, in their order. Pages may have different numbers of vectors.
    ///
    /// # Errors
    /// When the model gives no result; [`ModelError::WrongInput`](crate::ModelError::WrongInput) for a picture where
    /// texts are wanted, and the other way round.
    fn encode_pages(&self, pages: &[PageInput<'_>]) -> Result<Vec<MultiVector>>;

    /// Encodes a query into the same space.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_query(&self, query: &str) -> Result<MultiVector>;
}

/// Encodes in batches and hands out each batch's results as they come, with the place of the first: what was handed out
/// need not be asked for again when a later batch fails.
///
/// # Errors
/// The first of `encode`, of [`ModelError::BadReply`](crate::ModelError::BadReply) where it gives too few or too many,
/// or of `done`.
pub fn in_batches<I, V, E: From<crate::ModelError>>(
    inputs: &[I],
    batch: usize,
    encode: impl Fn(&[I]) -> Result<Vec<V>>,
    mut done: impl FnMut(usize, Vec<V>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut first = 0;
    for part in inputs.chunks(batch.max(1)) {
        let results = encode(part)?;
        if results.len() != part.len() {
            let why = format!("{} results for {} inputs", results.len(), part.len());
            return Err(crate::ModelError::BadReply { why }.into());
        }
        done(first, results)?;
        first += part.len();
    }
    Ok(())
}

/// A text encoder whose vectors count the letters a to z: texts with the same letters are alike.
#[cfg(any(test, feature = "fake"))]
#[derive(Clone, Debug)]
pub struct FakeTextEncoder(Identity);

#[cfg(any(test, feature = "fake"))]
impl Default for FakeTextEncoder {
    fn default() -> Self {
        let (prefix, pooling) = (crate::Prefix::default(), crate::Pooling::Given);
        let (model, revision) = ("fake".into(), "1".into());
        Self(Identity { model, revision, dim: 26, normalised: true, prefix, dpi: None, pooling })
    }
}

#[cfg(any(test, feature = "fake"))]
impl TextEncoder for FakeTextEncoder {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn encode_pages(&self, texts: &[&str]) -> Result<Vec<Vector>> {
        texts.iter().map(|text| self.encode_query(text)).collect()
    }

    fn encode_query(&self, query: &str) -> Result<Vector> {
        let count = |letter: u8| query.bytes().filter(|b| b.to_ascii_lowercase() == letter).count() as f32;
        let vector: Vector = (b'a'..=b'z').map(count).collect();
        let norm = vector.iter().map(|v| v * v).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
        Ok(vector.into_iter().map(|v| v / norm).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelError;

    #[test]
    fn the_fake_finds_texts_with_the_same_letters_alike() {
        let fake = FakeTextEncoder::default();
        let [a, b, c] = ["listen", "Silent", "zebra"].map(|text| fake.encode_query(text).unwrap());
        let dot = |x: &Vector, y: &Vector| x.iter().zip(y).map(|(a, b)| a * b).sum::<f32>();
        assert!((dot(&a, &b) - 1.0).abs() < 1e-6);
        assert!(dot(&a, &c) < 0.5);
    }

    #[test]
    fn what_came_before_a_failure_is_handed_out() {
        let down = || ModelError::Unavailable { why: String::new(), retry_after: None };
        let mut got = Vec::new();
        let encode = |part: &[u8]| if part.contains(&5) { Err(down()) } else { Ok(part.to_vec()) };
        let end = in_batches(&[1, 2, 3, 4, 5], 2, encode, |first, results| {
            got.push((first, results));
            Ok::<(), ModelError>(())
        });
        assert_eq!((end, got), (Err(down()), vec![(0, vec![1, 2]), (2, vec![3, 4])]));
        let short = in_batches(&[1, 2], 0, |_| Ok(Vec::<u8>::new()), |_, _| Ok::<(), ModelError>(()));
        assert!(matches!(short, Err(ModelError::BadReply { .. })));
    }
}
