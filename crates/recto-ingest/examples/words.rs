//! Prints the words of the first pages of a PDF as JSON, one page a line: `words LIMIT FILE`.

use std::io::Write;

use recto_ingest::{OpenDocument, PdfFile, read_page};
use recto_page::PageNumber;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(limit), Some(path)) = (arguments.next(), arguments.next()) else { return Err("words LIMIT FILE".into()) };
    let limit: u32 = limit.parse()?;
    let file = PdfFile::open(std::fs::read(path)?, None)?;
    let document = file.document();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for number in PageNumber::first(document.n_pages().min(limit)) {
        let page = read_page(&document, number);
        let words: Vec<_> = page.text_layer.words.iter().map(|word| (&word.text, word.region)).collect();
        let line = serde_json::json!({
            "page": number, "size": page.size, "problems": page.problems, "words": words,
            "text": page.text_layer.text(), "blocks": page.text_layer.blocks, "tables": page.tables,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}
