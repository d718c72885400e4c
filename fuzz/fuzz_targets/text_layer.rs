//! Any bytes as a document: opening it and reading the text of its first pages. Pages are not drawn.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recto_ingest::{read_page, with_document};
use recto_page::PageNumber;

const PAGES: u32 = 4;

fuzz_target!(
    // Panics of the PDF engine are caught where it is called; only what gets past that is a finding.
    init: std::panic::set_hook(Box::new(|_| {})),
    |bytes: &[u8]| {
        let _ = with_document(bytes.to_vec(), None, |document| {
            document.outline();
            for number in PageNumber::first(document.n_pages().min(PAGES)) {
                let page = read_page(document, number);
                assert_eq!(page.number, number);
                page.text();
            }
        });
    }
);
