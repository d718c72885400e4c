//! What an engine sees in a file: pages, and the text it can extract.

use hayro::hayro_interpret::font::GlyphRun;
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, DrawMode, DrawProps, Image, ImageDrawProps, InterpreterCache,
    InterpreterSettings, SoftMask, interpret_page,
};
use hayro::hayro_syntax::{LoadPdfError, Pdf, page::Page};
use hayro::kurbo::{Affine, BezPath, Rect};

/// The text of each page; a character that means nothing to the reader is a question mark.
pub(crate) fn texts(bytes: Vec<u8>, password: &str) -> Result<Vec<String>, LoadPdfError> {
    let pdf = Pdf::new_with_password(bytes, password)?;
    Ok(pdf.pages().iter().map(text).collect())
}

fn text(page: &Page<'_>) -> String {
    let cache = InterpreterCache::new();
    let bounds = Rect::new(0.0, 0.0, 2000.0, 2000.0);
    let mut context = Context::new(Affine::IDENTITY, bounds, &cache, page.xref(), InterpreterSettings::default());
    let mut seen = Seen::default();
    interpret_page(page, &mut context, &mut seen);
    seen.text
}

#[derive(Default)]
struct Seen {
    text: String,
}

impl<'a> Device<'a> for Seen {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, _: DrawProps<'a>, _: &DrawMode) {
        for glyph in run.glyphs() {
            match glyph.as_unicode() {
                Some(BfString::Char(c)) => self.text.push(c),
                Some(BfString::String(s)) => self.text.push_str(&s),
                None => self.text.push('?'),
            }
        }
        self.text.push('|');
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.text.push_str("[image]");
    }

    fn draw_path(&mut self, _: &BezPath, _: DrawProps<'a>, _: &DrawMode) {}
    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn pop_clip(&mut self) {}
    fn pop_transparency_group(&mut self) {}
}
