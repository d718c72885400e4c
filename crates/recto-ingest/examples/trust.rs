//! What `benches/dev/trust.py` looks at: for each page of each file, as JSON, one a line, where its text comes from and why,
//! which pictures may hold more of it, and what is hidden: `trust FILE...`. Not a tool for users.

use std::io::Write;

use recto_ingest::{OpenDocument, read_page, with_document};
use recto_page::PageNumber;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::env::args().skip(1) {
        let read = |document: &dyn OpenDocument| {
            PageNumber::first(document.n_pages().min(500)).map(|n| read_page(document, n)).collect::<Vec<_>>()
        };
        for page in with_document(std::fs::read(&path)?, None, read).unwrap_or_default() {
            let line = serde_json::json!({
                "file": path, "page": page.number, "reason": page.text_reason, "source": page.text_source,
                "wants_ocr": page.text_reason.distrusts_layer(), "pictures": page.pictures, "hidden": page.hidden,
                "problems": page.problems, "text": page.text_layer.text(),
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
