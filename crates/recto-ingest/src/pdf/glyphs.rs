//! The glyphs of a page with their characters and places, as hayro's interpreter meets them. Neither words nor order:
//! those are made in [`crate::words`] and [`crate::reading_order`].

use hayro::hayro_interpret::color::Color;
use hayro::hayro_interpret::font::{Glyph as Drawn, GlyphRun};
use hayro::hayro_interpret::hayro_cmap::{BfString, WritingMode};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask,
};
use hayro::hayro_syntax::object::dict::keys::ACTUAL_TEXT;
use hayro::hayro_syntax::object::dict::keys::{MASK, SMASK, SMASK_IN_DATA};
use hayro::hayro_syntax::object::{Dict, String as PdfString};
use hayro::kurbo::{BezPath, Rect};
use recto_page::{HiddenKind, PageSize};

use super::actual_text::replace;
use super::canvas::{Canvas, is_box, is_opaque};
use super::codes::{Codes, advance};
use super::ink::{hides, shows};
use super::place::{Pen, Place};
use super::rulings::Rulings;
use super::runs::{Ink, Runs, Sight};
use super::text_string::decode;
use super::unicode::Fonts;
use crate::bidi::is_rtl;
use crate::glyph::Glyph;
use crate::pictures::Picture;

/// Glyph space: 1000 units are one em.
pub(super) const EM: f64 = 1000.0;

/// What lets more through than this can't be seen.
const LEAST_OPACITY: f32 = 0.02;

/// So many glyphs outside the page are kept.
const MOST_OFF_PAGE: usize = 20_000;

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
    /// How many have a character by their code only.
    pub(super) guessed: usize,
    /// How many have a place that is no number.
    pub(super) misplaced: usize,
    /// Those outside the page as displayed.
    pub(super) off_page: Vec<Glyph>,
    /// Which of them can be seen.
    pub(super) runs: Runs,
    /// What else is painted.
    pub(super) canvas: Canvas,
    /// The pictures, in the order of drawing.
    pub(super) pictures: Vec<Picture>,
    /// Ruling lines and drawings.
    pub(super) rulings: Rulings,
    draws: bool,
    colors: Vec<Color>,
    fonts: &'f mut Fonts<'a>,
    codes: Codes,
    marked: Vec<bool>,
    replacement: Option<Replacement>,
}

/// An open span of marked content whose glyphs stand for another text.
struct Replacement {
    text: String,
    first: usize,
}

impl<'f, 'a> Glyphs<'f, 'a> {
    /// Collects what falls on a page of this size. `room` is an empty list to put the glyphs in.
    pub(super) fn new(page: PageSize, fonts: &'f mut Fonts<'a>, room: Vec<Glyph>) -> Self {
        Self {
            glyphs: room,
            met: 0,
            unmapped: 0,
            guessed: 0,
            misplaced: 0,
            off_page: Vec::new(),
            runs: Runs::new(),
            canvas: Canvas::new(Rect::new(0.0, 0.0, page.width.into(), page.height.into())),
            pictures: Vec::new(),
            rulings: Rulings::default(),
            draws: false,
            colors: Vec::new(),
            fonts,
            codes: Codes::default(),
            marked: Vec::new(),
            replacement: None,
        }
    }

    /// Ends spans that the page left open.
    pub(super) fn finish(&mut self) {
        if let Some(span) = self.replacement.take() {
            replace(&mut self.glyphs, span.first, &span.text);
            self.runs.join(span.first);
        }
    }

    /// True if something visible was drawn, or words that may be hidden.
    pub(super) fn draws(&self) -> bool {
        self.draws || self.colors.iter().any(shows)
    }

    /// Notes that something is drawn. Whether its colour can be seen is left open: that takes long to tell.
    fn note(&mut self, paint: Paint<'_>) {
        match paint {
            _ if self.draws => {}
            Paint::Color(color) if self.colors.len() < MOST_COLORS => self.colors.push(color),
            Paint::Color(color) => self.draws = shows(&color),
            Paint::Pattern(_) => self.draws = true,
        }
    }

    fn add(&mut self, glyph: &Drawn<'_>, text: Option<&BfString>, place: &Place<'_>, window: &Rect) {
        if !place.is_finite() {
            self.misplaced += 1;
        } else if place.is_inside(window) {
            self.met += 1;
            match text {
                Some(text) => emit(text, place, &mut self.glyphs),
                None => self.add_unmapped(glyph, place),
            }
        } else if let Some(text) = text
            && self.off_page.len() < MOST_OFF_PAGE
            && !place.is_inside(&self.canvas.page())
        {
            emit(text, place, &mut self.off_page);
        }
    }

    fn add_unmapped(&mut self, glyph: &Drawn<'_>, place: &Place<'_>) {
        let recovered = self.fonts.recover(glyph);
        if self.replacement.is_none() {
            self.unmapped += usize::from(recovered.is_none());
            self.guessed += usize::from(recovered.is_some() && matches!(glyph, Drawn::Type3(_)));
        }
        place.emit(recovered.unwrap_or(char::REPLACEMENT_CHARACTER), 0, 1, &mut self.glyphs);
    }

    /// What a run is drawn with. The colour of Type 3 glyphs is their own business.
    fn ink<'p>(&self, glyph: &Drawn<'_>, props: &'p DrawProps<'a>, mode: &DrawMode) -> Ink<'p> {
        let opacity = self.canvas.opacity();
        if matches!(mode, DrawMode::Invisible) || opacity.is_some_and(|opacity| opacity < LEAST_OPACITY) {
            return Ink::None;
        }
        let plain = opacity.is_some() && props.soft_mask.is_none() && props.blend_mode == BlendMode::Normal;
        match &props.paint {
            Paint::Color(color) if plain && matches!(glyph, Drawn::Outline(_)) => Ink::Color(color),
            _ => Ink::Anything,
        }
    }

    /// Hides the text under an area that was painted over.
    fn cover(&mut self, area: Option<Rect>, paint: &Paint<'_>) {
        self.runs.interrupt();
        if let Some(area) = area
            && let Paint::Color(color) = paint
            && self.runs.any_under(area)
            && hides(color)
        {
            self.runs.cover(area, Sight::Hidden(HiddenKind::Covered));
        }
    }
}

impl<'a> Device<'a> for Glyphs<'_, 'a> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let Some(first) = run.glyphs().first() else { return };
        let is_vertical = matches!(run.writing_mode(), WritingMode::Vertical);
        let extent = self.fonts.ascent_and_descent(first);
        let height = height(run);
        // How Type 3 glyphs stand is known to their drawings only.
        let upright = matches!(**first, Drawn::Outline(_));
        let pen_of = |in_run| {
            if is_vertical {
                Pen::vertical(props.transform, in_run)
            } else {
                Pen::horizontal(props.transform, in_run, height, extent, upright)
            }
        };
        let mut pen = pen_of(first.transform());
        let mut has_letters = false;
        let (start, window) = (self.glyphs.len(), self.canvas.window());
        let mut codes = std::mem::take(&mut self.codes);
        codes.begin_run();
        for glyph in run.glyphs() {
            let in_run = glyph.transform();
            let (text, advance) = codes.of(glyph);
            if !pen.fits(in_run) {
                pen = pen_of(in_run);
            }
            let place = pen.place(in_run, if is_vertical { EM } else { advance });
            has_letters |= !is_space(text);
            self.add(glyph, text, &place, &window);
        }
        self.codes = codes;
        // Such a letter is a word or part of one, hidden or not: no colour needs to be asked.
        self.draws = self.draws || self.glyphs.iter().skip(start).any(|glyph| glyph.char.is_ascii_alphanumeric());
        let ink = self.ink(first, &props, mode);
        self.runs.push(&self.glyphs, start, ink, &self.canvas);
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
        self.runs.clip(&clip.path);
        self.canvas.push_clip(clip.path.control_box(), is_box(&clip.path));
    }

    fn push_clip_rect(&mut self, rect: &Rect) {
        self.canvas.push_clip(*rect, true);
    }

    fn pop_clip(&mut self) {
        self.canvas.pop_clip();
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        let area = self.canvas.path(path, &props, mode);
        self.cover(area, &props.paint);
        self.rulings.add_path(path, &props, mode, self.canvas.window());
        self.note(props.paint);
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        let area = self.canvas.rect(rect, &props, mode);
        self.cover(area, &props.paint);
        self.rulings.add_rect(rect, &props, mode, self.canvas.window());
        self.note(props.paint);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let size = (image.width(), image.height());
        let (area, exact) = self.canvas.picture(size, props.transform);
        self.pictures.push(Picture::new(area, props.transform));
        self.runs.interrupt();
        if exact && is_solid(&image) && self.canvas.opacity().is_some_and(is_opaque) {
            self.runs.cover(area, Sight::Veiled(HiddenKind::Covered));
        }
        self.draws = true;
    }

    fn push_transparency_group(&mut self, opacity: f32, mask: Option<SoftMask<'a>>, blend: BlendMode) {
        self.canvas.push_group(opacity, mask.is_some(), blend);
    }

    fn pop_transparency_group(&mut self) {
        self.canvas.pop_group();
    }
}

/// Adds the characters of a glyph.
fn emit(text: &BfString, place: &Place<'_>, glyphs: &mut Vec<Glyph>) {
    match text {
        BfString::Char(char) => place.emit(*char, 0, 1, glyphs),
        BfString::String(text) => {
            let count = text.chars().count();
            let is_rtl = text.chars().any(is_rtl);
            for (i, char) in text.chars().enumerate() {
                place.emit(char, if is_rtl { count - 1 - i } else { i }, count, glyphs);
            }
        }
    }
}

/// True if nothing shows through the picture.
fn is_solid(image: &Image<'_, '_>) -> bool {
    match image {
        Image::Stencil(_) => false,
        Image::Raster(raster) => {
            let raster = raster.stream().dict();
            [SMASK, MASK, SMASK_IN_DATA].iter().all(|key| !raster.contains_key(*key))
        }
    }
}

/// True unless the paint is a colour that shows nothing on paper.
pub(super) fn is_seen(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(color) => shows(color),
        Paint::Pattern(_) => true,
    }
}

/// True for white space, which shows nothing.
fn is_space(text: Option<&BfString>) -> bool {
    matches!(text, Some(BfString::Char(char)) if char.is_whitespace())
}

/// Height of an em in glyph space. The nominal font size says nothing of it in Type 3 fonts, whose glyphs may be drawn
/// in any unit; they are as high as two of their glyphs are wide.
fn height(run: &GlyphRun<'_, '_>) -> f64 {
    if !run.glyphs().first().is_some_and(|glyph| matches!(**glyph, Drawn::Type3(_))) {
        return EM;
    }
    let widths =
        || run.glyphs().iter().filter(|g| matches!(***g, Drawn::Type3(_))).map(|g| advance(g)).filter(|w| *w > 0.0);
    let mean = widths().sum::<f64>() / widths().count().max(1) as f64;
    if mean == 0.0 || (0.15 * EM..1.2 * EM).contains(&mean) { EM } else { 2.0 * mean }
}
