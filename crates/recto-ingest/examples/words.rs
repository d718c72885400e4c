//! Prints the words of the first pages of a PDF as JSON, one page a line: `words LIMIT FILE`.

use std::io::Write;

use recto_ingest::{OpenDocument, PdfFile};
use recto_page::PageNumber;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(limit), Some(path)) = (arguments.next(), arguments.next()) else { return Err("words LIMIT FILE".into()) };
    let limit: u32 = limit.parse()?;
    let file = PdfFile::open(std::fs::read(path)?, None)?;
    let document = file.document();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for number in PageNumber::first(document.n_pages().min(limit)) {
        let (size, page) = (document.size(number)?, document.text(number)?);
        let words: Vec<_> = page.layer.words.iter().map(|word| (&word.text, word.region)).collect();
        let line = serde_json::json!({
            "page": number, "size": size, "draws": page.counts.draws, "problems": page.problems,
            "words": words, "text": page.layer.text(), "blocks": page.layer.blocks, "tables": page.tables,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
