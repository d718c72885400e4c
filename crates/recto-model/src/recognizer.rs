//! Models that read text off a picture.

use recto_page::{PageImage, Word};

use crate::Result;

/// A model that reads the text of a picture.
pub trait Recognizer: Send + Sync {
    /// The lines of a picture, in no particular order. Regions are fractions of the picture.
    ///
    /// # Errors
    /// When the model gives no result.
    fn recognize(&self, image: &PageImage) -> Result<Vec<RecognizedLine>>;
}

/// A line that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct RecognizedLine {
    /// Its words.
    pub words: Vec<Word>,
    /// How sure the model is, from 0 to 1.
    pub confidence: f32,
}

/// A recognizer that reads the same line off every picture.
#[cfg(any(test, feature = "fake"))]
#[derive(Clone, Debug)]
pub struct FakeRecognizer(pub RecognizedLine);

#[cfg(any(test, feature = "fake"))]
impl Recognizer for FakeRecognizer {
    fn recognize(&self, _: &PageImage) -> Result<Vec<RecognizedLine>> {
        Ok(vec![self.0.clone()])
    }
}

#[cfg(test)]
mod tests {
    use recto_page::Region;

    use super::*;

    #[test]
    fn the_fake_reads_its_line() {
        let line = RecognizedLine { words: vec![Word { text: "x".into(), region: Region::FULL }], confidence: 0.9 };
        let image = PageImage { width: 1, height: 1, dpi: 72, rgb: vec![255; 3] };
        assert_eq!(FakeRecognizer(line.clone()).recognize(&image), Ok(vec![line]));
    }
}
