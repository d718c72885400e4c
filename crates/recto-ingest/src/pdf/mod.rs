//! PDF documents through hayro: the only module that knows which engine reads them.
//!
//! [`PdfFile`] owns the parsed file; [`PdfDocument`] borrows it together with the engine's caches, which refer to it.
//! So a worker keeps both: `let file = PdfFile::open(bytes, None)?; let document = file.document();`

mod actual_text;
mod annotations;
mod canvas;
mod codes;
mod composite;
mod content;
mod destination;
mod font_resolver;
mod form_fields;
mod geometry;
mod glyph_names;
mod glyphs;
mod ink;
mod links;
mod outline;
mod page_labels;
mod page_list;
mod place;
mod render;
mod rulings;
mod runs;
#[cfg(test)]
mod tests;
mod text;
mod text_string;
mod tree;
mod unicode;
mod wholeness;

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use hayro::RenderCache;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::page::Page;
use hayro::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use recto_page::{Link, OutlineEntry, PageImage, PageNumber, PageSize, Problem, ProblemCode, Region, Stage};

use crate::document::{OpenDocument, PageText};
use crate::{Counts, IngestError, Result};

pub(crate) use font_resolver::FALLBACK as FALLBACK_FONT;

use destination::Destinations;
use geometry::Geometry;
use page_labels::PageLabels;
use page_list::PageList;
use text::TextReader;

/// A parsed PDF.
pub struct PdfFile {
    pdf: Pdf,
    pages: PageList,
    /// What is known to be wrong with it as a whole.
    problems: Vec<Problem>,
    /// True if it was made here for a document without pages.
    is_laid_out: bool,
}

impl PdfFile {
    /// Parses a PDF. A file that opens without a password ignores the one given.
    ///
    /// # Errors
    /// [`IngestError::Open`] with the code `empty_file`, `not_a_pdf`, `damaged`, `password_required`, `password_wrong`
    /// or `no_pages`.
    pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Self> {
        if bytes.is_empty() {
            return refuse(ProblemCode::EmptyFile, "the file has no bytes");
        }
        let bytes = Arc::new(bytes);
        let mut opened = load(&bytes, "");
        if let (Err(_), Some(password)) = (&opened, password) {
            opened = load(&bytes, password);
        }
        match opened {
            Ok(pdf) if pdf.pages().is_empty() => refuse(ProblemCode::NoPages, "the document has no page"),
            Ok(pdf) => {
                let pages = PageList::of(&pdf);
                let problems = wholeness::problems(&bytes, &pages);
                Ok(Self { pdf, pages, problems, is_laid_out: false })
            }
            Err(error) => Err(explain(error, &bytes, password.is_some())),
        }
    }

    /// The file as one that was made here for a document without pages, with what is known to be wrong with that.
    pub(crate) fn laid_out(self, problems: Vec<Problem>) -> Self {
        Self { problems, is_laid_out: true, ..self }
    }

    /// The document in the file, with fresh caches.
    pub fn document(&self) -> PdfDocument<'_> {
        PdfDocument {
            pdf: &self.pdf,
            pages: &self.pages,
            problems: &self.problems,
            is_laid_out: self.is_laid_out,
            settings: font_resolver::settings(),
            pictures: RenderCache::new(),
            destinations: OnceCell::new(),
            labels: OnceCell::new(),
            text: TextReader::new(font_resolver::settings()),
        }
    }
}

/// An opened PDF.
pub struct PdfDocument<'a> {
    pdf: &'a Pdf,
    pages: &'a PageList,
    problems: &'a [Problem],
    is_laid_out: bool,
    settings: InterpreterSettings,
    pictures: RenderCache<'a>,
    destinations: OnceCell<Destinations<'a>>,
    labels: OnceCell<PageLabels>,
    text: TextReader<'a>,
}

impl<'a> PdfDocument<'a> {
    fn page(&self, number: PageNumber) -> Result<&'a Page<'a>> {
        self.pages.get(number).and_then(|index| self.pdf.pages().get(index)).ok_or(IngestError::NoPage(number))
    }

    fn destinations(&self) -> &Destinations<'a> {
        self.destinations.get_or_init(|| Destinations::of(self.pdf, self.pages))
    }
}

impl OpenDocument for PdfDocument<'_> {
    fn n_pages(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    fn title(&self) -> Option<String> {
        let title = text_string::decode(self.pdf.metadata().title.as_deref()?);
        (!title.is_empty()).then_some(title)
    }

    fn outline(&self) -> Vec<OutlineEntry> {
        contained(|| outline::outline(self.pdf, self.destinations())).unwrap_or_default()
    }

    fn problems(&self) -> Vec<Problem> {
        self.problems.to_vec()
    }

    fn has_certain_text(&self) -> bool {
        self.is_laid_out
    }

    fn label(&self, page: PageNumber) -> Option<String> {
        self.labels.get_or_init(|| contained(|| PageLabels::of(self.pdf)).unwrap_or_default()).get(page)
    }

    fn size(&self, page: PageNumber) -> Result<PageSize> {
        Ok(Geometry::of(self.page(page)?).size())
    }

    fn text(&self, page: PageNumber) -> Result<PageText> {
        let source = self.page(page)?;
        let read = || {
            let mut text = self.text.read(source, page);
            text.added = annotations::texts(source);
            text
        };
        Ok(contained(read).unwrap_or_else(|| unreadable(page)))
    }

    fn links(&self, page: PageNumber) -> Vec<Link> {
        let Ok(source) = self.page(page) else { return Vec::new() };
        contained(|| links::links(source, self.destinations())).unwrap_or_default()
    }

    fn render(&self, page: PageNumber, region: Region, dpi: u32, max_pixels: u64) -> Result<PageImage> {
        let source = self.page(page)?;
        contained(|| render::render(source, &self.pictures, &self.settings, region, dpi, max_pixels))
            .ok_or("the renderer failed on it")
            .and_then(|image| image.ok_or("it does not fit the pixel budget even at 1 dpi"))
            .map_err(|why| IngestError::NotDrawn { page, why: why.into() })
    }
}

fn load(bytes: &Arc<Vec<u8>>, password: &str) -> std::result::Result<Pdf, LoadPdfError> {
    contained(|| Pdf::new_with_password(Arc::clone(bytes), password)).unwrap_or(Err(LoadPdfError::Invalid))
}

fn refuse<T>(code: ProblemCode, detail: &str) -> Result<T> {
    Err(IngestError::Open { code, detail: detail.into() })
}

fn explain(error: LoadPdfError, bytes: &[u8], password_given: bool) -> IngestError {
    let (code, detail) = match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) if password_given => {
            (ProblemCode::PasswordWrong, "the given password does not open the document")
        }
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            (ProblemCode::PasswordRequired, "the document asks for a password")
        }
        LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => {
            (ProblemCode::Damaged, "the document is encrypted in a way that recto does not know")
        }
        LoadPdfError::Decryption(_) => (ProblemCode::Damaged, "the document's encryption is damaged"),
        LoadPdfError::Invalid if bytes.windows(5).any(|w| w == b"%PDF-") => {
            (ProblemCode::Damaged, "the document's structure is damaged beyond repair")
        }
        LoadPdfError::Invalid => (ProblemCode::NotAPdf, "the file holds no document that recto knows"),
    };
    IngestError::Open { code, detail: detail.into() }
}

fn unreadable(page: PageNumber) -> PageText {
    let problem = Problem::of_page(ProblemCode::PageDamaged, Stage::Text, page, "reading its text failed");
    PageText { problems: vec![problem], counts: Counts { draws: true, ..Default::default() }, ..Default::default() }
}

/// Runs engine code that may panic on hostile input; `None` if it did.
///
/// What it shares is caches only, which are valid after every single step.
pub(crate) fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
