//! Models that read text off a picture.

use recto_page::{PageImage, Region, Word};

use crate::Result;

/// A model that reads the text of a picture: of a page, or of a part of one.
pub trait Recognizer: Send + Sync {
    /// The text of a picture. Each call uses one thread; several may call at once. Once `stop` says so, no further line is
    /// read; it is asked before each.
    ///
    /// # Errors
    /// When the model gives no result. A picture without text is no error.
    fn recognize(&self, image: &PageImage, stop: &Stop) -> Result<Recognized>;

    /// What reads: a name and, for files, a hash of them. Equal names give equal text.
    fn name(&self) -> &str;
}

/// True once reading a picture has taken too long.
pub type Stop<'s> = dyn Fn() -> bool + 's;

/// What was read off a picture. All regions are fractions of the picture as it was given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Recognized {
    /// The lines, from top to bottom of the text, then from left to right: no reading order of columns.
    pub lines: Vec<RecognizedLine>,
    /// By how many quarter turns clockwise the picture must be turned for its text to stand upright: 0 to 3.
    pub turned: u8,
    /// Where there is text that could not be read.
    pub unread: Vec<Unread>,
    /// True if it was stopped, so that lines may be missing.
    pub stopped: bool,
}

/// A line that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct RecognizedLine {
    /// Its words in the order in which they are read; never none.
    pub words: Vec<Word>,
    /// How sure the model is, from 0 to 1: the mean over its characters.
    pub confidence: f32,
    /// Like [`Recognized::turned`], for this line: the title of an axis runs upwards on an upright page.
    pub turned: u8,
}

/// Text that was seen and not read: of a script that the models do not know, or too poor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Unread {
    /// Where it is.
    pub region: Region,
    /// How sure the model was of what it read there, and threw away.
    pub confidence: f32,
}

/// How much work goes into a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OcrMode {
    /// The small models, on a smaller picture.
    Fast,
    /// The small models, and the large ones where those are unsure.
    #[default]
    Auto,
    /// The large models everywhere.
    Quality,
}

/// A recognizer that reads the same off every picture.
#[cfg(any(test, feature = "fake"))]
#[derive(Clone, Debug)]
pub struct FakeRecognizer(pub Recognized);

#[cfg(any(test, feature = "fake"))]
impl Recognizer for FakeRecognizer {
    fn recognize(&self, _: &PageImage, _: &Stop) -> Result<Recognized> {
        Ok(self.0.clone())
    }

    fn name(&self) -> &'static str {
        "fake"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_reads_its_line() {
        let word = Word { text: "x".into(), region: Region::FULL };
        let line = RecognizedLine { words: vec![word], confidence: 0.9, turned: 0 };
        let read = Recognized { lines: vec![line], ..Recognized::default() };
        let image = PageImage { width: 1, height: 1, dpi: 72, rgb: vec![255; 3] };
        assert_eq!(FakeRecognizer(read.clone()).recognize(&image, &|| false), Ok(read));
    }
}
