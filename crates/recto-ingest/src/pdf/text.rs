//! Reads the text layer of a PDF page: interprets the page once, then leaves words and order to the format-free modules.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use hayro::hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret_page};
use hayro::hayro_syntax::page::Page;
use hayro::kurbo::Rect;
use recto_page::{HiddenKind, PageNumber, PageSize, Problem, ProblemCode, Stage};

use super::content;
use super::geometry::Geometry;
use super::glyphs::Glyphs;
use super::runs::Sight;
use super::unicode::Fonts;
use crate::document::PageText;
use crate::glyph::Glyph;
use crate::pictures::Picture;
use crate::trust::{Counts, Letters};
use crate::{hidden, pictures, reading_order, words};

/// This many glyphs in a hundred may have no known character before it is a problem.
const UNMAPPED_PERCENT: usize = 2;

/// What reading the pages of a document has in common: make one per document.
pub(crate) struct TextReader<'a> {
    settings: InterpreterSettings,
    cache: InterpreterCache<'a>,
    fonts: RefCell<Fonts<'a>>,
    /// Room for the glyphs of a page.
    room: Cell<Vec<Glyph>>,
}

impl<'a> TextReader<'a> {
    /// For a document whose fonts and character maps are found as the settings say.
    pub(crate) fn new(settings: InterpreterSettings) -> Self {
        let fonts = RefCell::new(Fonts::new(settings.clone()));
        Self { cache: InterpreterCache::new(), fonts, settings, room: Cell::default() }
    }

    /// Reads a page of the document.
    pub(crate) fn read(&self, page: &Page<'a>, number: PageNumber) -> PageText {
        let geometry = Geometry::of(page);
        let size = geometry.size();
        let mut fonts = self.fonts.borrow_mut();
        fonts.turn_to(page.resources());
        let mut found = Glyphs::new(size, &mut fonts, self.room.take());
        let area = Rect::new(0.0, 0.0, size.width.into(), size.height.into());
        let mut context = Context::new(geometry.to_display(), area, &self.cache, page.xref(), self.settings.clone());
        interpret_page(page, &mut context, &mut found);
        found.finish();
        let mut problems = problems(&found, number);
        if !content::is_whole(page) {
            let detail = "its content is cut off or damaged; what could be read of it is kept";
            problems.push(Problem::of_page(ProblemCode::PageDamaged, Stage::Text, number, detail));
        }
        let pictures = pictures::merged(&found.pictures);
        let (hidden, scanner) = part_hidden(&mut found, &pictures, size);
        let letters = Letters::of(found.glyphs.iter().map(|glyph| glyph.char));
        let layer = reading_order::arrange(words::segments(&mut found.glyphs), size);
        found.glyphs.clear();
        self.room.set(std::mem::take(&mut found.glyphs));
        let hidden = hidden::texts(hidden, &layer, size);
        problems.extend(hidden::problem(&hidden, number));
        let draws = !layer.is_empty() || !hidden.is_empty() || found.draws();
        let unread = pictures::unread(&pictures, &layer, size);
        PageText {
            marks: found.rulings.marks,
            added: Vec::new(),
            hidden,
            pictures: unread,
            picture_share: pictures::share(&pictures, size),
            counts: Counts { guessed: found.guessed, scanner, points: found.canvas.points, draws, letters },
            layer,
            problems,
        }
    }
}

/// Takes the glyphs that can't be seen away from the others. Gives them back by why they can't, but those which a scanner
/// added to its picture stay: how many they are comes with the others.
fn part_hidden(
    found: &mut Glyphs<'_, '_>,
    pictures: &[Picture],
    size: PageSize,
) -> (BTreeMap<HiddenKind, Vec<Glyph>>, usize) {
    let (mut hidden, mut scanner) = (BTreeMap::<_, Vec<Glyph>>::new(), 0);
    if !found.off_page.is_empty() {
        hidden.insert(HiddenKind::OffPage, std::mem::take(&mut found.off_page));
    }
    if found.runs.all_seen() {
        return (hidden, scanner);
    }
    let glyphs = std::mem::take(&mut found.glyphs);
    for (sight, place, glyphs) in found.runs.parts(&glyphs) {
        match sight {
            Sight::Seen => found.glyphs.extend_from_slice(glyphs),
            Sight::Veiled(_) if pictures::may_be_read_from(pictures, place, size) => {
                scanner += glyphs.iter().filter(|glyph| !glyph.char.is_whitespace()).count();
                found.glyphs.extend_from_slice(glyphs);
            }
            Sight::Hidden(kind) | Sight::Veiled(kind) => hidden.entry(kind).or_default().extend_from_slice(glyphs),
        }
    }
    (hidden, scanner)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpenDocument, PdfFile};

    const HELVETICA: &str = "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>";

    /// A one-page document of 200 by 100 points. `page` goes into the page's dictionary; `F` is the font.
    fn read(page: &str, font: &str, content: &str) -> PageText {
        let file = format!(
            "%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n\
             2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
             3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] {page} /Contents 4 0 R\n\
             /Resources <</Font <</F 5 0 R>>>>>> endobj\n\
             4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n5 0 obj {font} endobj\n\
             trailer <</Root 1 0 R>>\n",
            content.len() + 1
        );
        PdfFile::open(file.into_bytes(), None).unwrap().document().text(PageNumber::FIRST).unwrap()
    }

    fn text(content: &str) -> String {
        read("", HELVETICA, content).layer.text()
    }

    #[test]
    fn the_text_of_a_page_is_what_is_shown_on_it() {
        let table = [
            ("plain", "BT /F 10 Tf 20 50 Td (Hello) Tj 30 0 Td (World) Tj ET", "Hello World\n"),
            ("array", "BT /F 10 Tf 20 50 Td [(He) 20 (llo) -400 (World)] TJ ET", "Hello World\n"),
            (
                "actual text",
                "BT /F 10 Tf 20 50 Td /Span <</ActualText (final)>> BDC (x-y) Tj EMC ( end) Tj ET",
                "final end\n",
            ),
            (
                "the outer actual text counts",
                "BT /F 10 Tf 20 50 Td /S <</ActualText (out)>> BDC /S <</ActualText (in)>> BDC (a) Tj EMC (b) Tj EMC ET",
                "out\n",
            ),
            ("empty actual text", "BT /F 10 Tf 20 50 Td (a) Tj /S <</ActualText ()>> BDC (-) Tj EMC ET", "a\n"),
            ("open actual text", "BT /F 10 Tf 20 50 Td /S <</ActualText (all)>> BDC (x) Tj ET", "all\n"),
            (
                "behind a clip",
                "q 0 0 10 10 re W n BT /F 10 Tf 20 50 Td (no) Tj ET Q BT /F 10 Tf 20 50 Td (yes) Tj ET",
                "yes\n",
            ),
            ("beside the page", "BT /F 10 Tf 20 150 Td (no) Tj 0 -100 Td (yes) Tj ET", "yes\n"),
            ("outline and clip, not hidden", "BT /F 10 Tf 20 50 Td 1 Tr (a) Tj 7 Tr (b) Tj 3 Tr (c) Tj ET", "ab\n"),
            ("markup is text", "BT /F 10 Tf 20 50 Td (<gene> &amp;) Tj ET", "<gene> &amp;\n"),
            ("no place on earth", "BT /F 10 Tf 99999999999999999999 50 Td (x) Tj ET", ""),
        ];
        for (what, content, want) in table {
            assert_eq!(text(content), want, "{what}");
        }
    }

    #[test]
    fn boxes_are_those_of_the_page_as_displayed() {
        let check = |page: &str, want: [f32; 4]| {
            let got = read(page, HELVETICA, "BT /F 10 Tf 20 50 Td (ll) Tj ET").layer.words[0].region.ltrb();
            let near = got.iter().zip(want).all(|(a, b)| (a - b).abs() < 0.001);
            assert!(near, "{page}: {got:?}");
        };
        // Two letters of 2.22 points from (20, 50) on; 8 points above and 2 below the baseline.
        check("", [0.1, 0.42, 0.1222, 0.52]);
        check("/Rotate 90", [0.48, 0.1, 0.58, 0.1222]);
        check("/Rotate 180", [0.8778, 0.48, 0.9, 0.58]);
        check("/Rotate 270", [0.42, 0.8778, 0.52, 0.9]);
        check("/CropBox [10 0 110 100]", [0.1, 0.42, 0.1444, 0.52]);
        check("/UserUnit 2", [0.1, 0.42, 0.1222, 0.52]);
    }

    #[test]
    fn characters_are_recovered_where_the_font_allows_it() {
        let content = "BT /F 10 Tf 20 50 Td <0102> Tj ET";
        let check = |font: &str, content: &str, want: &str, unmapped: usize| {
            let page = read("", font, content);
            assert_eq!((page.layer.text().as_str(), page.problems.len()), (want, unmapped), "{font}");
        };
        let named = "<</Type /Font /Subtype /Type1 /BaseFont /Odd /Encoding <</Differences [1 /G4F /G6B]>>>>";
        check(named, content, "Ok\n", 0);
        let numbered = "<</Type /Font /Subtype /Type1 /BaseFont /Odd /Encoding <</Differences [1 /G01 /G02]>>>>";
        check(numbered, content, "", 1);
        let composite = |collection: &str| {
            format!(
                "<</Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /Identity-H /DescendantFonts [<</Type /Font\n\
                 /Subtype /CIDFontType2 /BaseFont /Odd /CIDSystemInfo <</Registry (Adobe) /Ordering ({collection})\n\
                 /Supplement 0>>>>]>>"
            )
        };
        check(&composite("Identity"), "BT /F 10 Tf 20 50 Td <00240025> Tj ET", "", 1);
        check(&composite("Japan1"), "BT /F 10 Tf 20 50 Td <034B034C> Tj ET", "あぃ\n", 0);
    }

    #[test]
    fn a_page_draws_if_it_has_words_or_something_can_be_seen() {
        let table = [
            ("", false),
            ("1 g 0 0 200 100 re f", false),
            ("0 g 10 10 50 50 re f", true),
            ("BT /F 10 Tf 20 50 Td 3 Tr (hidden) Tj ET", true),
            ("0 0 10 10 re W n BT /F 10 Tf 20 50 Td 3 Tr (hidden) Tj ET", false),
            ("BT /F 10 Tf 20 50 Td (seen) Tj ET", true),
            ("BT /F 10 Tf 20 50 Td (   ) Tj ET", false),
        ];
        for (content, want) in table {
            assert_eq!(read("", HELVETICA, content).counts.draws, want, "{content}");
        }
    }
}
