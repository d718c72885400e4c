//! The glyphs of a page with their characters and places, as hayro's interpreter meets them. Neither words nor order:
//! those are made in [`crate::words`] and [`crate::reading_order`].

use hayro::hayro_interpret::color::Color;
use hayro::hayro_interpret::font::{Glyph as Drawn, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask,
};
use hayro::hayro_syntax::object::dict::keys::ACTUAL_TEXT;
use hayro::hayro_syntax::object::{Dict, String as PdfString};
use hayro::kurbo::{BezPath, Rect};
use recto_page::PageSize;

use super::actual_text::replace;
use super::place::Place;
use super::rulings::Rulings;
use super::text_string::decode;
use super::unicode::Fonts;
use crate::bidi::is_rtl;
use crate::glyph::Glyph;

/// Glyph space: 1000 units are one em.
pub(super) const EM: f64 = 1000.0;

/// So many colours wait for the question whether anything of the page can be seen.
const MOST_COLORS: usize = 1000;

/// Collects the glyphs that a page draws within its displayed area.
pub(super) struct Glyphs<'f, 'a> {
    /// What was collected, in the order of drawing, in points from the top left of the page as displayed.
    pub(super) glyphs: Vec<Glyph>,
    /// How many glyphs were met on the page.
    pub(super) met: usize,
    /// How many of them have no known character.
    pub(super) unmapped: usize,
    /// How many have a place that is no number.
    pub(super) misplaced: usize,
    /// Ruling lines and drawings.
    pub(super) rulings: Rulings,
    draws: bool,
    colors: Vec<Color>,
    fonts: &'f mut Fonts<'a>,
    page: Rect,
    clips: Vec<Rect>,
    marked: Vec<bool>,
    replacement: Option<Replacement>,
}

/// An open span of marked content whose glyphs stand for another text.
struct Replacement {
    text: String,
    first: usize,
}

impl<'f, 'a> Glyphs<'f, 'a> {
    /// Collects what falls on a page of this size.
    pub(super) fn new(page: PageSize, fonts: &'f mut Fonts<'a>) -> Self {
        Self {
            glyphs: Vec::new(),
            met: 0,
            unmapped: 0,
            misplaced: 0,
            rulings: Rulings::default(),
            draws: false,
            colors: Vec::new(),
            fonts,
            page: Rect::new(0.0, 0.0, page.width.into(), page.height.into()),
            clips: Vec::new(),
            marked: Vec::new(),
            replacement: None,
        }
    }

    /// Ends spans that the page left open.
    pub(super) fn finish(&mut self) {
        if let Some(span) = self.replacement.take() {
            replace(&mut self.glyphs, span.first, &span.text);
        }
    }

    /// True if something visible was drawn.
    pub(super) fn draws(&self) -> bool {
        self.draws || self.colors.iter().any(shows)
    }

    /// Notes that something is drawn. Whether its colour can be seen is left open: the engine takes long to tell.
    fn note(&mut self, paint: Paint<'_>) {
        match paint {
            _ if self.draws => {}
            Paint::Color(color) if self.colors.len() < MOST_COLORS => self.colors.push(color),
            Paint::Color(color) => self.draws = shows(&color),
            Paint::Pattern(_) => self.draws = true,
        }
    }

    /// The part of the page that is not clipped away.
    fn window(&self) -> Rect {
        self.clips.last().copied().unwrap_or(self.page)
    }

    fn push_clip(&mut self, clip: Rect) {
        let window = self.window();
        self.clips.push(if clip.is_finite() { window.intersect(clip) } else { window });
    }

    fn add(&mut self, glyph: &Drawn<'_>, text: Option<BfString>, place: &Place) {
        if !place.is_finite() {
            self.misplaced += 1;
        } else if place.is_inside(&self.window()) {
            self.met += 1;
            match text {
                Some(BfString::Char(char)) => place.emit(char, 0, 1, &mut self.glyphs),
                Some(BfString::String(text)) => self.add_text(&text, place),
                None => self.add_unmapped(glyph, place),
            }
        }
    }

    fn add_text(&mut self, text: &str, place: &Place) {
        let count = text.chars().count();
        let is_rtl = text.chars().any(is_rtl);
        for (i, char) in text.chars().enumerate() {
            place.emit(char, if is_rtl { count - 1 - i } else { i }, count, &mut self.glyphs);
        }
    }

    fn add_unmapped(&mut self, glyph: &Drawn<'_>, place: &Place) {
        let recovered = self.fonts.recover(glyph);
        if recovered.is_none() && self.replacement.is_none() {
            self.unmapped += 1;
        }
        place.emit(recovered.unwrap_or(char::REPLACEMENT_CHARACTER), 0, 1, &mut self.glyphs);
    }
}

impl<'a> Device<'a> for Glyphs<'_, 'a> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let Some(first) = run.glyphs().first() else { return };
        let (ascent, descent) = self.fonts.ascent_and_descent(first);
        let height = height(run);
        let mut has_letters = false;
        for glyph in run.glyphs() {
            let to_page = props.transform * glyph.transform();
            let mut place = match run.writing_mode() {
                WritingMode::Horizontal => Place::horizontal(to_page, advance(glyph), height, ascent, descent),
                WritingMode::Vertical => Place::vertical(to_page),
            };
            // Nor does it say which way up Type 3 glyphs are.
            place.mirrored &= matches!(**glyph, Drawn::Outline(_));
            let text = glyph.as_unicode();
            has_letters |= !is_space(text.as_ref());
            self.add(glyph, text, &place);
        }
        if has_letters && !matches!(mode, DrawMode::Invisible) {
            self.note(props.paint);
        }
    }

    fn begin_marked_content(&mut self, _tag: &[u8], properties: Option<&Dict<'_>>) {
        let text = properties.filter(|_| self.replacement.is_none()).and_then(|p| p.get::<PdfString<'_>>(ACTUAL_TEXT));
        self.marked.push(text.is_some());
        if let Some(text) = text {
            self.replacement = Some(Replacement { text: decode(text.as_bytes()), first: self.glyphs.len() });
        }
    }

    fn end_marked_content(&mut self) {
        if self.marked.pop() == Some(true) {
            self.finish();
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.push_clip(clip.path.control_box());
    }

    fn push_clip_rect(&mut self, rect: &Rect) {
        self.push_clip(*rect);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.rulings.add_path(path, &props, mode, self.window());
        self.note(props.paint);
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        self.rulings.add_rect(rect, &props, mode, self.window());
        self.note(props.paint);
    }

    fn draw_image(&mut self, _: Image<'a, '_>, _: ImageDrawProps<'a>) {
        self.draws = true;
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn pop_transparency_group(&mut self) {}
}

/// True unless the paint is a colour that shows nothing on paper.
pub(super) fn is_seen(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(color) => shows(color),
        Paint::Pattern(_) => true,
    }
}

/// True unless the colour is white or see-through, which shows nothing on paper.
fn shows(color: &Color) -> bool {
    !matches!(color.to_rgba().to_rgba8(), [255, 255, 255, _] | [_, _, _, 0])
}

/// True for white space, which shows nothing.
fn is_space(text: Option<&BfString>) -> bool {
    matches!(text, Some(BfString::Char(char)) if char.is_whitespace())
}

/// Advance width in glyph space.
fn advance(glyph: &Drawn<'_>) -> f64 {
    let width = match glyph {
        Drawn::Outline(glyph) => glyph.advance_width(),
        Drawn::Type3(glyph) => glyph.advance_width(),
    };
    width.unwrap_or(0.0).into()
}

/// Height of an em in glyph space. The nominal font size says nothing of it in Type 3 fonts, whose glyphs may be drawn
/// in any unit; they are as high as two of their glyphs are wide.
fn height(run: &GlyphRun<'_, '_>) -> f64 {
    let widths =
        || run.glyphs().iter().filter(|g| matches!(***g, Drawn::Type3(_))).map(|g| advance(g)).filter(|w| *w > 0.0);
    let mean = widths().sum::<f64>() / widths().count().max(1) as f64;
    if mean == 0.0 || (0.15 * EM..1.2 * EM).contains(&mean) { EM } else { 2.0 * mean }
}
