//! The documents in `samples/`, which the demo indexes: invented, and made here.

mod form;
mod letter;

use crate::pdf::Pdf;
use crate::report::{Report, Style};

/// Name and content of each file in `samples/` that is made.
pub fn all() -> Vec<(&'static str, Vec<u8>)> {
    let report = |style: Style, body: &str| Report::new(style).body(body).to_pdf();
    let documents: [(&str, Pdf); 7] = [
        ("river-basin-report.pdf", river()),
        (
            "two-column-paper.pdf",
            report(Style::paper("Reading Water Levels with Cheap Cameras"), include_str!("paper.txt")),
        ),
        ("travel-claim-form.pdf", form::pdf()),
        ("scanned-letter.pdf", letter::pdf()),
        (
            "water-guide-zh.pdf",
            report(Style::chinese("家庭用水指南"), include_str!("water-zh.txt")).entry("/Lang (zh-CN)"),
        ),
        ("product-slides.pdf", report(Style::slides("Kestrel Field Logger, Q2 2025"), include_str!("slides.txt"))),
        ("pump-manual.pdf", report(manual(), include_str!("manual.txt"))),
    ];
    documents.into_iter().map(|(name, pdf)| (name, pdf.to_bytes())).collect()
}

fn river() -> Pdf {
    Report::new(Style::report("Tavrin River Basin: Annual Report 2024"))
        .front(include_str!("river-front.txt"))
        .body(include_str!("river-body.txt"))
        .to_pdf()
}

fn manual() -> Style {
    Style {
        accent: [0.65, 0.12, 0.1],
        headings: [17.0, 12.5, 11.0],
        size: 10.0,
        ..Style::report("Aquila 350 operating manual")
    }
}
