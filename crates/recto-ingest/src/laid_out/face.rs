//! The one typeface of laid out pages: which glyph stands for a character, how wide it is, and under which code the page
//! shows it. Codes are given in the order of use, so that any character has one, with a glyph or without.

use std::collections::HashMap;

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};

/// Characters that a document may use; further ones are shown as the first, U+FFFD.
const MOST_CODES: usize = 0xFFFF;

/// A character as pages show it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// The character.
    pub(super) char: char,
    /// Its glyph in the font program; 0 if there is none.
    pub(super) id: u16,
    /// Its width in thousandths of an em.
    pub(super) width: f32,
}

/// The typeface and the characters used of it.
pub(super) struct Face {
    font: Option<FontRef<'static>>,
    metrics: Option<GlyphMetrics<'static>>,
    em: f32,
    codes: HashMap<char, u16>,
    glyphs: Vec<Glyph>,
}

impl Face {
    /// The typeface with nothing used of it.
    pub(super) fn new(program: &'static [u8]) -> Self {
        let font = FontRef::new(program).ok();
        let metrics = font.as_ref().map(|f| f.glyph_metrics(Size::unscaled(), LocationRef::default()));
        let em = font.as_ref().map(|f| f.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
        let mut face =
            Self { font, metrics, em: em.unwrap_or(1).max(1).into(), codes: HashMap::new(), glyphs: Vec::new() };
        face.code(char::REPLACEMENT_CHARACTER);
        face
    }

    /// The characters used, by their codes.
    pub(super) fn glyphs(&self) -> &[Glyph] {
        &self.glyphs
    }

    /// Width of a character at a font size of 1.
    pub(super) fn advance(&mut self, char: char) -> f32 {
        let code = self.code(char);
        self.glyphs.get(usize::from(code)).map_or(0.0, |glyph| glyph.width / 1000.0)
    }

    /// Width of a text at a font size of 1.
    pub(super) fn width(&mut self, text: &str) -> f32 {
        text.chars().map(|char| self.advance(char)).sum()
    }

    /// A text as the bytes by which a page shows it.
    pub(super) fn encode(&mut self, text: &str) -> Vec<u8> {
        text.chars().flat_map(|char| self.code(char).to_be_bytes()).collect()
    }

    fn code(&mut self, char: char) -> u16 {
        if let Some(code) = self.codes.get(&char) {
            return *code;
        }
        let code = if self.glyphs.len() < MOST_CODES { self.glyphs.len() as u16 } else { 0 };
        self.codes.insert(char, code);
        if usize::from(code) == self.glyphs.len() {
            let glyph = self.glyph(char);
            self.glyphs.push(glyph);
        }
        code
    }

    fn glyph(&self, char: char) -> Glyph {
        let found = self.font.as_ref().and_then(|font| font.charmap().map(char)).unwrap_or_default();
        let advance = self.metrics.as_ref().and_then(|metrics| metrics.advance_width(found));
        let width = advance.map_or(500.0, |width| width * 1000.0 / self.em);
        Glyph { char, id: u16::try_from(found.to_u32()).unwrap_or(0), width }
    }
}
