//! The typefaces that this crate carries: metrics and outlines. See `assets/README.md` for origin and licence.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// A typeface with real metrics. Advances of `Sans` equal those of Helvetica.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    /// Liberation Sans.
    Sans,
    /// Liberation Sans Bold.
    SansBold,
    /// Liberation Serif.
    Serif,
    /// Liberation Serif Bold.
    SerifBold,
}

/// One step of a glyph's outline, in thousandths of an em, y upwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    Move([f32; 2]),
    Line([f32; 2]),
    Curve([f32; 6]),
    Close,
}

impl Face {
    /// The font file.
    pub fn data(self) -> &'static [u8] {
        match self {
            Self::Sans => include_bytes!("../assets/LiberationSans-Regular.ttf"),
            Self::SansBold => include_bytes!("../assets/LiberationSans-Bold.ttf"),
            Self::Serif => include_bytes!("../assets/LiberationSerif-Regular.ttf"),
            Self::SerifBold => include_bytes!("../assets/LiberationSerif-Bold.ttf"),
        }
    }

    /// The PostScript name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sans => "LiberationSans",
            Self::SansBold => "LiberationSans-Bold",
            Self::Serif => "LiberationSerif",
            Self::SerifBold => "LiberationSerif-Bold",
        }
    }

    /// The width of `text` in points when set at `size` points.
    pub fn width(self, text: &str, size: f32) -> f32 {
        text.chars().map(|c| self.advance(self.glyph(c))).sum::<f32>() * size / 1000.0
    }

    /// The glyph of a character; glyph 0 (a box) where the face has none.
    pub(crate) fn glyph(self, c: char) -> u16 {
        let glyph = self.reader().charmap().map(c).unwrap_or_default();
        u16::try_from(glyph.to_u32()).unwrap_or(0)
    }

    /// The advance width of a glyph in thousandths of an em.
    pub(crate) fn advance(self, glyph: u16) -> f32 {
        let metrics = self.reader().glyph_metrics(Size::new(1000.0), LocationRef::default());
        metrics.advance_width(glyph.into()).unwrap_or(0.0)
    }

    /// The outline of a character, without curves of second degree.
    pub(crate) fn outline(self, c: char) -> Vec<Step> {
        let glyphs = self.reader().outline_glyphs();
        let mut pen = Pen::default();
        if let Some(glyph) = glyphs.get(GlyphId::from(self.glyph(c))) {
            let settings = DrawSettings::unhinted(Size::new(1000.0), LocationRef::default());
            // Without hinting only a broken font can fail here, and what was drawn until then stays.
            let _ = glyph.draw(settings, &mut pen);
        }
        pen.steps
    }

    #[expect(clippy::expect_used, reason = "the fonts are part of this crate and a test reads each of them")]
    fn reader(self) -> FontRef<'static> {
        FontRef::new(self.data()).expect("a font of this crate")
    }
}

#[derive(Default)]
struct Pen {
    steps: Vec<Step>,
    at: [f32; 2],
}

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.steps.push(Step::Move([x, y]));
        self.at = [x, y];
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.steps.push(Step::Line([x, y]));
        self.at = [x, y];
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let toward = |from: f32, control: f32| from + (control - from) * 2.0 / 3.0;
        let [fx, fy] = self.at;
        self.curve_to(toward(fx, cx), toward(fy, cy), toward(x, cx), toward(y, cy), x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.steps.push(Step::Curve([x1, y1, x2, y2, x, y]));
        self.at = [x, y];
    }

    fn close(&mut self) {
        self.steps.push(Step::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics() {
        for face in [Face::Sans, Face::SansBold, Face::Serif, Face::SerifBold] {
            assert!(face.outline('A').len() > 5, "{face:?}");
        }
        assert_eq!(Face::Sans.width("Hi", 10.0).round(), 9.0);
    }
}
