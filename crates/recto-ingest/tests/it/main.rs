//! What pages say, for small documents with the faults that users of other readers reported. Each test names the public
//! report that it comes from; the documents are our own.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step fails the test")]

mod damage;
mod geometry;
mod hidden;
mod images;
mod opening;
mod order;
mod rotation;
mod tables;
mod trust;
mod words;

use recto_fixture::Pdf;
use recto_ingest::{read_page, with_document};
use recto_page::{Page, PageImage, PageNumber, Region};

const MAX_PIXELS: u64 = 4_000_000;

/// The records of all pages.
pub(crate) fn read(bytes: Vec<u8>) -> Vec<Page> {
    let read = |document: &dyn recto_ingest::OpenDocument| {
        PageNumber::first(document.n_pages()).map(|number| read_page(document, number)).collect()
    };
    with_document(bytes, None, read).unwrap()
}

/// The record of a document's only page.
pub(crate) fn read_one(page: recto_fixture::Page) -> Page {
    let mut pages = read(Pdf::new().page(page).to_bytes());
    assert_eq!(pages.len(), 1);
    pages.remove(0)
}

/// The words of a page.
pub(crate) fn words(page: &Page) -> Vec<&str> {
    page.text_layer.words.iter().map(|word| word.text.as_str()).collect()
}

/// The lines of a page.
pub(crate) fn lines(page: &Page) -> Vec<String> {
    page.text_layer.lines.iter().map(|line| page.text_layer.line_text(line)).collect()
}

/// The picture of the first page.
pub(crate) fn draw(bytes: Vec<u8>, dpi: u32) -> PageImage {
    with_document(bytes, None, |document| document.render(PageNumber::FIRST, Region::FULL, dpi, MAX_PIXELS))
        .unwrap()
        .unwrap()
}

/// The dark pixels of a picture.
pub(crate) fn ink(image: &PageImage) -> Vec<(f32, f32)> {
    let (width, height) = (image.width as usize, image.height as f32);
    let dark = image.rgb.chunks_exact(3).enumerate().filter(|(_, rgb)| rgb.iter().all(|v| *v < 100));
    dark.map(|(at, _)| ((at % width) as f32 / width as f32, (at / width) as f32 / height)).collect()
}

/// How many of the points lie in the region widened by `margin`.
pub(crate) fn inside(points: &[(f32, f32)], region: &Region, margin: f32) -> usize {
    let [left, top, right, bottom] = region.ltrb();
    let is_inside = |(x, y): &&(f32, f32)| {
        (left - margin..=right + margin).contains(x) && (top - margin..=bottom + margin).contains(y)
    };
    points.iter().filter(is_inside).count()
}
