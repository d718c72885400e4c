//! One page, from an opened document to its record.

use recto_page::{Page, PageNumber, PageSize, Problem, ProblemCode, Stage, Table, TextReason, TextSource};

use crate::document::{OpenDocument, PageText};
use crate::pdf::contained;
use crate::trust::{self, Counts};
use crate::{added_text, layout};

/// Reads a page. What can't be read is recorded with the page.
pub fn read_page(document: &dyn OpenDocument, number: PageNumber) -> Page {
    let damaged =
        |e: crate::IngestError| Problem::of_page(ProblemCode::PageDamaged, Stage::Text, number, e.to_string());
    let mut page = Page::empty(number, PageSize { width: 0.0, height: 0.0 });
    match document.size(number) {
        Ok(size) => page.size = size,
        Err(error) => page.problems.push(damaged(error)),
    }
    page.label = document.label(number);
    page.links = document.links(number);
    match document.text(number) {
        Ok(text) => take(&mut page, text, document.has_certain_text()),
        Err(error) => page.problems.push(damaged(error)),
    }
    page
}

/// Lays the text out, keeps it with the page and says what to think of it.
fn take(page: &mut Page, mut text: PageText, is_certain: bool) {
    let detail = "finding its tables failed";
    match contained(|| lay_out(&mut text, page.size)) {
        Some(tables) => page.tables = tables,
        None => text.problems.push(Problem::of_page(ProblemCode::PageDamaged, Stage::Text, page.number, detail)),
    }
    page.text_reason = if is_certain && !text.layer.is_empty() {
        TextReason::GoodLayer
    } else {
        trust::reason(&text.counts, text.picture_share, &text.layer)
    };
    page.text_source = match page.text_reason {
        TextReason::Nonsense => TextSource::None,
        TextReason::ScannerLayer => TextSource::OcrLayer,
        _ if text.layer.is_empty() => TextSource::None,
        _ => TextSource::Layer,
    };
    page.problems.extend(text.problems);
    page.problems.extend(lack(page, &text.counts, text.layer.is_empty()));
    page.text_layer = text.layer;
    page.hidden = text.hidden;
    // What the scanner read is what its picture says.
    page.pictures = if page.text_reason == TextReason::ScannerLayer { Vec::new() } else { text.pictures };
}

/// Finds the tables of the text and what its blocks are, then adds what forms and notes say.
fn lay_out(text: &mut PageText, page: PageSize) -> Vec<Table> {
    let (layer, tables) = layout::lay_out(std::mem::take(&mut text.layer), &text.marks, page);
    text.layer = layer;
    added_text::add(&mut text.layer, std::mem::take(&mut text.added));
    tables
}

/// What the page lacks, if it is not damaged: what is damaged is not blank, whatever is left of it.
fn lack(page: &Page, counts: &Counts, is_empty: bool) -> Option<Problem> {
    let problem = |code, detail: &str| Some(Problem::of_page(code, Stage::Text, page.number, detail));
    let has = |code| page.problems.iter().any(|problem| problem.code == code);
    match page.text_reason {
        TextReason::Nonsense => problem(ProblemCode::GarbledText, "its letters make no words of any language"),
        TextReason::UnmappedGlyphs if !has(ProblemCode::UnmappedGlyphs) => {
            problem(ProblemCode::UnmappedGlyphs, "many of its glyphs have no known character")
        }
        _ if !is_empty || has(ProblemCode::PageDamaged) => None,
        _ if counts.draws => problem(ProblemCode::NoText, "shapes or pictures only"),
        _ => problem(ProblemCode::BlankPage, "nothing is drawn"),
    }
}
