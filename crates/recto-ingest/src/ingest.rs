//! One page, from an opened document to its record.

use recto_page::{Page, PageNumber, PageSize, Problem, ProblemCode, Stage, TextReason, TextSource};

use crate::document::OpenDocument;

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
        Ok(text) => {
            page.problems.extend(text.problems);
            page.text_layer = text.layer;
            page.tables = text.tables;
            if page.text_layer.is_empty() {
                // What is damaged is not blank, whatever is left of it.
                if !page.problems.iter().any(|problem| problem.code == ProblemCode::PageDamaged) {
                    page.problems.push(no_text(number, text.draws));
                    page.text_reason = if text.draws { TextReason::Scan } else { TextReason::Blank };
                }
            } else {
                page.text_source = TextSource::Layer;
                page.text_reason = TextReason::GoodLayer;
            }
        }
        Err(error) => page.problems.push(damaged(error)),
    }
    page
}

fn no_text(number: PageNumber, draws: bool) -> Problem {
    let (code, detail) = match draws {
        true => (ProblemCode::NoText, "shapes or pictures only"),
        false => (ProblemCode::BlankPage, "nothing is drawn"),
    };
    Problem::of_page(code, Stage::Text, number, detail)
}
