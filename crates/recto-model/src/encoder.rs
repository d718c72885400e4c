//! Models that turn texts and page pictures into vectors.

use recto_page::PageImage;

use crate::Result;

/// A vector, of as many dimensions as its encoder has.
pub type Vector = Vec<f32>;

/// Several vectors for one text or page, one for each token or patch.
pub type MultiVector = Vec<Vector>;

/// A model that turns texts into one vector each.
pub trait TextEncoder: Send + Sync {
    /// Encodes texts of pages; as many vectors as texts, in their order.
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

/// A model that turns a page picture, or a query, into one vector for each patch, or token.
pub trait TokenEncoder: Send + Sync {
    /// Encodes pictures; as many results as pictures, in their order. Pages may have different numbers of patches.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_pages(&self, images: &[PageImage]) -> Result<Vec<MultiVector>>;

    /// Encodes a query into the same space.
    ///
    /// # Errors
    /// When the model gives no result.
    fn encode_query(&self, query: &str) -> Result<MultiVector>;
}

/// A text encoder whose vectors count the letters a to z: texts with the same letters are alike.
#[cfg(any(test, feature = "fake"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct FakeTextEncoder;

#[cfg(any(test, feature = "fake"))]
impl TextEncoder for FakeTextEncoder {
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

    #[test]
    fn the_fake_finds_texts_with_the_same_letters_alike() {
        let [a, b, c] = ["listen", "Silent", "zebra"].map(|text| FakeTextEncoder.encode_query(text).unwrap());
        let dot = |x: &Vector, y: &Vector| x.iter().zip(y).map(|(a, b)| a * b).sum::<f32>();
        assert!((dot(&a, &b) - 1.0).abs() < 1e-6);
        assert!(dot(&a, &c) < 0.5);
    }
}
