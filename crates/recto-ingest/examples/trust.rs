//! What `benches/dev/trust.py` looks at: for each page of each file, as JSON, one a line, where its text comes from and why,
//! which pictures may hold more of it and look as if they did, and what is hidden: `trust FILE...`. Not a tool for users.

use std::io::Write;

use recto_ingest::picture_look::may_hold_text;
use recto_ingest::{OpenDocument, read_page, with_document};
use recto_page::{PageNumber, Region};

const DPI: u32 = 144;
const MAX_PIXELS: u64 = 40_000_000;
const MOST_PAGES: u32 = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::env::args().skip(1) {
        let rows = with_document(std::fs::read(&path)?, None, rows).unwrap_or_default();
        for mut row in rows {
            row["file"] = path.as_str().into();
            writeln!(out, "{row}")?;
        }
    }
    Ok(())
}

fn rows(document: &dyn OpenDocument) -> Vec<serde_json::Value> {
    let row = |number| {
        let page = read_page(document, number);
        let looks_like_text = |region: &Region| {
            document.render(number, *region, DPI, MAX_PIXELS).is_ok_and(|image| may_hold_text(&image))
        };
        serde_json::json!({
            "page": number, "reason": page.text_reason, "source": page.text_source,
            "wants_ocr": page.text_reason.distrusts_layer(), "pictures": page.pictures,
            "pictures_with_text": page.pictures.iter().filter(|region| looks_like_text(region)).collect::<Vec<_>>(),
            "hidden": page.hidden, "problems": page.problems, "text": page.text_layer.text(),
        })
    };
    PageNumber::first(document.n_pages().min(MOST_PAGES)).map(row).collect()
}
