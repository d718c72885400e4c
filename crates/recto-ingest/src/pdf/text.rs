//! Reads the text layer of a PDF page: interprets the page once, then leaves words and order to the format-free modules.

use std::cell::RefCell;

use hayro::hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::Rect;
use recto_page::{PageNumber, Problem, ProblemCode, Stage};

use super::geometry::Geometry;
use super::glyphs::Glyphs;
use super::unicode::Fonts;
use crate::document::PageText;
use crate::{reading_order, words};

/// This many glyphs in a hundred may have no known character before it is a problem.
const UNMAPPED_PERCENT: usize = 2;

/// What reading the pages of a document has in common: make one per document.
pub(crate) struct TextReader<'a> {
    settings: InterpreterSettings,
    cache: InterpreterCache<'a>,
    fonts: RefCell<Fonts<'a>>,
}

impl<'a> TextReader<'a> {
    /// For a document whose fonts and character maps are found as the settings say.
    pub(crate) fn new(settings: InterpreterSettings) -> Self {
        Self { cache: InterpreterCache::new(), fonts: RefCell::new(Fonts::new(settings.clone())), settings }
    }

    /// Reads a page of the document.
    pub(crate) fn read(&self, page: &Page<'a>, number: PageNumber) -> PageText {
        let geometry = Geometry::of(page);
        let size = geometry.size();
        let mut fonts = self.fonts.borrow_mut();
        fonts.turn_to(page.resources());
        let mut found = Glyphs::new(size, &mut fonts);
        let area = Rect::new(0.0, 0.0, size.width.into(), size.height.into());
        let mut context = Context::new(geometry.to_display(), area, &self.cache, page.xref(), self.settings.clone());
        interpret_page(page, &mut context, &mut found);
        found.finish();
        let problems = problems(&found, number);
        let draws = found.draws;
        PageText { layer: reading_order::arrange(&words::segments(found.glyphs), size), draws, problems }
    }
}

fn problems(found: &Glyphs<'_, '_>, page: PageNumber) -> Vec<Problem> {
    let problem = |code, detail| Problem::of_page(code, Stage::Text, page, detail);
    let mut problems = Vec::new();
    if found.unmapped * 100 > found.met * UNMAPPED_PERCENT {
        let detail = format!("{} of {} glyphs have no known character", found.unmapped, found.met);
        problems.push(problem(ProblemCode::UnmappedGlyphs, detail));
    }
    if found.misplaced > 0 {
        let detail = format!("{} glyphs stand nowhere on the page and were left out", found.misplaced);
        problems.push(problem(ProblemCode::BadGeometry, detail));
    }
    problems
}
