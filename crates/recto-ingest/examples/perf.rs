//! What `benches/peers` measures of recto: `perf render|text|page|pictures PAGES FILE` draws or reads the first PAGES pages.
//! `text` is the words with their places in reading order, `page` all that is kept of a page: its tables too.
//!
//! Prints the number of pages and the CPU seconds, opening included; `pictures` writes the pages at 144 dpi to standard
//! output instead, one PPM after the other. Not a tool for users.

use std::error::Error;
use std::io::Write;

use recto_ingest::{OpenDocument, read_page, with_document};
use recto_page::{PageNumber, Region};
use rustix::time::{ClockId, clock_gettime};

const DPI: u32 = 144;
const MAX_PIXELS: u64 = 40_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, mode, pages, path] = arguments.as_slice() else {
        return Err("usage: perf render|text|page|pictures PAGES FILE".into());
    };
    let bytes = std::fs::read(path)?;
    let start = cpu_seconds();
    let limit = pages.parse()?;
    let pages = with_document(bytes, None, |document| run(document, mode, limit))??;
    if mode != "pictures" {
        writeln!(std::io::stdout(), "{pages} {:.6}", cpu_seconds() - start)?;
    }
    Ok(())
}

fn run(document: &dyn OpenDocument, mode: &str, limit: u32) -> Result<u32, Box<dyn Error>> {
    let pages = document.n_pages().min(limit);
    for page in PageNumber::first(pages) {
        match mode {
            "render" => drop(document.render(page, Region::FULL, DPI, MAX_PIXELS)?),
            "text" => drop(document.text(page)?),
            "page" => drop(read_page(document, page)),
            _ => {
                let image = document.render(page, Region::FULL, DPI, MAX_PIXELS)?;
                let mut out = std::io::stdout().lock();
                writeln!(out, "P6 {} {} 255", image.width, image.height)?;
                out.write_all(&image.rgb)?;
            }
        }
    }
    Ok(pages)
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
