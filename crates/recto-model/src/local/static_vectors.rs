//! Texts as the mean of fixed vectors of their tokens (Model2Vec): a table instead of a network, and so quick that it
//! costs nothing beside reading the page.

use std::path::Path;

use super::safetensors::{self, Tensor};
use super::{WordPieces, files, pool, window};
use crate::{Identity, ModelError, Pooling, Prefix, Result, TextEncoder, Vector, Window};

/// Tokens of a window. The mean of a whole page says little about any part of it.
const MOST_TOKENS: usize = 256;
const VOCABULARY: &str = "potion-base-8M-vocab.txt";
const VECTORS: &str = "potion-base-8M-int8.safetensors";

/// A table of vectors, one for each token.
pub struct StaticEncoder {
    pieces: WordPieces,
    /// Whole numbers row by row, and what they are multiplied with in each row.
    rows: Vec<i8>,
    scales: Vec<f32>,
    identity: Identity,
}

impl StaticEncoder {
    /// The potion-base-8M of recto's folder of text models, 256 dimensions.
    ///
    /// # Errors
    /// [`ModelError::MissingFile`] and [`ModelError::BadFile`].
    pub fn open(folder: &Path) -> Result<Self> {
        let vocabulary = files::read(folder, VOCABULARY)?;
        let pieces = WordPieces::new(&vocabulary, &folder.join(VOCABULARY))?;
        let bytes = files::read(folder, VECTORS)?;
        let revision = files::sha256_of(VECTORS).and_then(|hash| hash.get(..16)).unwrap_or_default();
        let bad = |why: String| ModelError::BadFile { file: folder.join(VECTORS), why };
        Self::new(pieces, &bytes, "potion-base-8M", revision).map_err(bad)
    }

    /// From the bytes of a safetensors file: `embeddings` of type `I8` (tokens x dimensions), `scales` of type `F32`.
    fn new(pieces: WordPieces, bytes: &[u8], model: &str, revision: &str) -> std::result::Result<Self, String> {
        let tensors = safetensors::tensors(bytes)?;
        let tensor = |name: &str| tensors.get(name).ok_or_else(|| format!("no tensor {name}"));
        let (table, scales) = (tensor("embeddings")?, tensor("scales")?.f32().ok_or("scales are no F32")?);
        let rows = table.i8().ok_or("embeddings are no I8")?;
        let agrees = |dim: &usize| table.shape.first() == Some(&scales.len()) && rows.len() == scales.len() * dim;
        let dim = columns(table).filter(agrees).ok_or("shapes do not agree")?;
        let identity = Identity {
            model: model.into(),
            revision: revision.into(),
            dim: u32::try_from(dim).map_err(|error| error.to_string())?,
            normalised: true,
            prefix: Prefix::default(),
            dpi: None,
            pooling: Pooling::Mean,
        };
        Ok(Self { pieces, rows, scales, identity })
    }

    fn encode(&self, text: &str) -> Vector {
        let dim = self.identity.dim as usize;
        let mut sum = vec![0.0; dim];
        for piece in self.pieces.pieces(text).into_iter().filter(|piece| *piece != self.pieces.unknown()) {
            let piece = piece as usize;
            let row = self.rows.get(piece * dim..(piece + 1) * dim).unwrap_or_default();
            let scale = self.scales.get(piece).copied().unwrap_or_default();
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += scale * f32::from(*value));
        }
        pool::normalise(&mut sum);
        sum
    }
}

fn columns(table: &Tensor) -> Option<usize> {
    let [_, columns] = table.shape.as_slice() else { return None };
    (1..=1 << 16).contains(columns).then_some(*columns)
}

impl TextEncoder for StaticEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn windows(&self, text: &str) -> Vec<Window> {
        window::windows(text, MOST_TOKENS, |unit| self.pieces.pieces(unit).len())
    }

    fn encode_pages(&self, texts: &[&str]) -> Result<Vec<Vector>> {
        Ok(texts.iter().map(|text| self.encode(text)).collect())
    }

    fn encode_query(&self, query: &str) -> Result<Vector> {
        Ok(self.encode(query))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoder(shape: &str, numbers: &[i8], scales: &[f32]) -> std::result::Result<StaticEncoder, String> {
        let pieces = WordPieces::new(b"[UNK]\n[CLS]\n[SEP]\nred\nfox", Path::new("v")).unwrap();
        let (middle, end) = (numbers.len(), numbers.len() + 4 * scales.len());
        let header = format!(
            "{{\"embeddings\": {{\"dtype\": \"I8\", \"shape\": {shape}, \"data_offsets\": [0, {middle}]}},
              \"scales\": {{\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [{middle}, {end}]}}}}"
        );
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file.extend(scales.iter().flat_map(|scale| scale.to_le_bytes()));
        StaticEncoder::new(pieces, &file, "m", "r")
    }

    #[test]
    fn a_text_is_the_mean_of_its_tokens() {
        let numbers = [9, 9, 9, 9, 9, 9, 3, 0, 0, 2];
        let encoder = encoder("[5, 2]", &numbers, &[1.0, 1.0, 1.0, 1.0, 2.0]).unwrap();
        for (text, want) in [("red fox wolf", [0.6, 0.8]), ("RED", [1.0, 0.0]), ("", [0.0, 0.0]), ("wolf", [0.0, 0.0])]
        {
            let got = encoder.encode_query(text).unwrap();
            assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-6), "{text}: {got:?}");
        }
        let short = self::encoder("[1, 2]", &[1, 1], &[1.0]).unwrap();
        assert_eq!(short.encode_query("red"), Ok(vec![0.0, 0.0]));
    }

    #[test]
    fn shapes_that_do_not_agree_are_refused() {
        for (shape, numbers) in [("[2, 2]", 2), ("[2]", 2), ("[1, 0]", 0), ("[1, 99999999]", 2)] {
            assert!(encoder(shape, &vec![1; numbers], &[1.0]).is_err(), "{shape}");
        }
    }
}
