//! What the character codes of a run of glyphs stand for. Most letters of a line stand there more than once, and the engine
//! takes long to look one up. Nothing is kept for the next run: glyphs don't tell which font they are of.

use hayro::hayro_interpret::font::Glyph;
use hayro::hayro_interpret::hayro_cmap::BfString;

/// What is known of the codes of the run at hand. Codes with the same lowest byte take each other's place.
#[derive(Default)]
pub(super) struct Codes {
    run: u64,
    known: Vec<Code>,
}

/// What the font says of a code.
#[derive(Default)]
struct Code {
    /// In which run it was looked up; 0 for none.
    run: u64,
    code: u32,
    text: Option<BfString>,
    advance: f64,
}

impl Codes {
    /// Begins a run, whose glyphs are all of one font.
    pub(super) fn begin_run(&mut self) {
        self.run += 1;
        self.known.resize_with(256, Code::default);
    }

    /// The characters of a glyph of the run, if they are known, and its advance width in glyph space.
    pub(super) fn of(&mut self, glyph: &Glyph<'_>) -> (Option<&BfString>, f64) {
        let (run, code) = (self.run, glyph.char_code());
        let Some(known) = self.known.get_mut(usize::from(code as u8)) else { return (None, 0.0) };
        if known.run != run || known.code != code {
            *known = Code { run, code, text: glyph.as_unicode(), advance: advance(glyph) };
        }
        (known.text.as_ref(), known.advance)
    }
}

/// Advance width in glyph space.
pub(super) fn advance(glyph: &Glyph<'_>) -> f64 {
    let width = match glyph {
        Glyph::Outline(glyph) => glyph.advance_width(),
        Glyph::Type3(glyph) => glyph.advance_width(),
    };
    width.unwrap_or(0.0).into()
}
