//! The two kinds of networks: one reads tokens, the other a picture.

use std::path::Path;

use recto_page::PageImage;
use rten::NodeId;
use rten_tensor::NdTensor;

use super::description::{ImagePart, TextPart};
use super::network::Network;
use crate::local::WordPieces;
use crate::local::ocr::picture::Picture;
use crate::{ModelError, MultiVector, Result};

/// Reads a file of the folder.
pub(super) type Read<'r> = dyn Fn(&Path) -> Result<Vec<u8>> + 'r;

/// Reads tokens.
pub(super) struct TextTower {
    network: Network,
    pub(super) pieces: WordPieces,
    ids: NodeId,
    /// Inputs of ones, and of zeros.
    constant: Vec<(NodeId, i32)>,
    pub(super) max_tokens: usize,
}

impl TextTower {
    pub(super) fn load(part: &TextPart, dim: u32, read: &Read) -> Result<Self> {
        let pieces = WordPieces::new(&read(&part.vocabulary)?, &part.vocabulary)?;
        let network = Network::load(read(&part.model)?, &part.model, part.output.as_deref(), dim)?;
        let ids = network.input(&part.ids, &part.model)?;
        let named = [(&part.mask, 1), (&part.types, 0)].into_iter();
        let constant = named.filter_map(|(name, value)| Some((network.input(name.as_deref()?, &part.model), value)));
        let constant = constant.map(|(id, value)| Ok((id?, value))).collect::<Result<_>>()?;
        Ok(Self { network, pieces, ids, constant, max_tokens: part.max_tokens })
    }

    /// The rows of the output for a text, which is cut off where it is too long.
    pub(super) fn rows(&self, text: &str) -> Result<MultiVector> {
        let mut ids: Vec<i32> = self.pieces.framed(text).into_iter().map(|id| id.cast_signed()).collect();
        if ids.len() > self.max_tokens {
            let last = ids.pop();
            ids.truncate(self.max_tokens - 1);
            ids.extend(last);
        }
        let shape = [1, ids.len()];
        let mut inputs = vec![(self.ids, NdTensor::from_data(shape, ids).into())];
        for (id, value) in &self.constant {
            inputs.push((*id, NdTensor::full(shape, *value).into()));
        }
        self.network.rows(inputs)
    }
}

/// Reads a picture.
pub(super) struct ImageTower {
    network: Network,
    input: NodeId,
    part: ImagePart,
}

impl ImageTower {
    pub(super) fn load(part: &ImagePart, dim: u32, read: &Read) -> Result<Self> {
        let network = Network::load(read(&part.model)?, &part.model, part.output.as_deref(), dim)?;
        Ok(Self { input: network.input(&part.input, &part.model)?, network, part: part.clone() })
    }

    /// The rows of the output for a picture, which is stretched to the network's size.
    pub(super) fn rows(&self, image: &PageImage) -> Result<MultiVector> {
        if image.width == 0 || image.height == 0 {
            return Err(ModelError::BadPicture { width: image.width, height: image.height, bytes: image.rgb.len() });
        }
        let (width, height) = (self.part.width as usize, self.part.height as usize);
        let picture = Picture::new(image)?;
        let small = picture.shrunk(width, height);
        let mut data = Vec::with_capacity(3 * width * height);
        for (channel, (mean, deviation)) in self.part.mean.iter().zip(self.part.deviation).enumerate() {
            for y in 0..height {
                let value = |x: usize| {
                    f32::from(small.pixel(x * small.width / width, y * small.height / height)[channel]) / 255.0
                };
                data.extend((0..width).map(|x| (value(x) - mean) / deviation));
            }
        }
        self.network.rows(vec![(self.input, NdTensor::from_data([1, 3, height, width], data).into())])
    }
}
