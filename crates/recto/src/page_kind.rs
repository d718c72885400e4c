//! What a page has beside its words: tables, figures; and whether it is the picture of a sheet of paper.

use recto_page::{Block, BlockKind, Numbered, Page, TextReason, TextSource};
use recto_search::Kinds;

/// What the index keeps of a page.
pub(crate) fn kinds(page: &Page) -> Kinds {
    let is = |has: bool, kind: Kinds| if has { kind } else { Kinds::default() };
    is(!page.tables.is_empty(), Kinds::TABLE)
        .and(is(has_figure(page), Kinds::FIGURE))
        .and(is(is_scan(page), Kinds::SCAN))
}

/// Labels within a drawing, a caption that is not a table's, or a picture that may hold text.
fn has_figure(page: &Page) -> bool {
    let layer = page.reading();
    let is_of_table = |block: &Block| {
        let first = layer.lines_of(block).first().map(|line| layer.line_text(line));
        first.and_then(|line| Numbered::of_caption(&line)).is_some_and(|named| named.kind == "table")
    };
    let shows = |block: &Block| match block.kind {
        BlockKind::Figure => true,
        BlockKind::Caption => !is_of_table(block),
        _ => false,
    };
    !page.pictures.is_empty() || layer.blocks.iter().any(shows)
}

fn is_scan(page: &Page) -> bool {
    let reasons = [TextReason::Scan, TextReason::ScannerLayer, TextReason::WrongScannerLayer];
    page.text_source == TextSource::OcrLayer || reasons.contains(&page.text_reason)
}
