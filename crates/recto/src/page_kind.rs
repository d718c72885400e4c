//! What a page has or is, as searches can be limited to it: tables, figures, the picture of a sheet of paper.

use recto_page::{BlockKind, Numbered, Page, TextReason, TextSource};

use crate::exit::usage;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PageKind {
    Table,
    Figure,
    Scan,
}

impl PageKind {
    const ALL: [(&'static str, Self); 3] = [("table", Self::Table), ("figure", Self::Figure), ("scan", Self::Scan)];

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, kind)| kind).ok_or_else(|| usage(format!("--kind {text:?}: expected table, figure or scan")))
    }

    pub(crate) fn is_kind_of(self, page: &Page) -> bool {
        match self {
            Self::Table => !page.tables.is_empty(),
            Self::Figure => {
                let is_drawn = page.reading().blocks.iter().any(|block| block.kind == BlockKind::Figure);
                let is_named = |(named, _): &(Numbered, _)| matches!(named.kind, "figure" | "chart");
                !page.pictures.is_empty() || is_drawn || Numbered::on(page).iter().any(is_named)
            }
            Self::Scan => {
                page.text_source == TextSource::OcrLayer
                    || matches!(
                        page.text_reason,
                        TextReason::Scan | TextReason::ScannerLayer | TextReason::WrongScannerLayer
                    )
            }
        }
    }
}
