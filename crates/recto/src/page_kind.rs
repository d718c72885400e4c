//! What a page has beside its words: tables, figures; and whether it is the picture of a sheet of paper.

use recto_page::{BlockKind, Numbered, Page, TextReason, TextSource};
use recto_search::Kinds;

/// What the index keeps of a page.
pub(crate) fn kinds(page: &Page) -> Kinds {
    let is = |has: bool, kind: Kinds| if has { kind } else { Kinds::default() };
    is(!page.tables.is_empty(), Kinds::TABLE)
        .and(is(has_figure(page), Kinds::FIGURE))
        .and(is(is_scan(page), Kinds::SCAN))
}

fn has_figure(page: &Page) -> bool {
    let is_drawn = page.reading().blocks.iter().any(|block| block.kind == BlockKind::Figure);
    let is_named = |(named, _): &(Numbered, _)| matches!(named.kind, "figure" | "chart");
    !page.pictures.is_empty() || is_drawn || Numbered::on(page).iter().any(is_named)
}

fn is_scan(page: &Page) -> bool {
    let reasons = [TextReason::Scan, TextReason::ScannerLayer, TextReason::WrongScannerLayer];
    page.text_source == TextSource::OcrLayer || reasons.contains(&page.text_reason)
}
