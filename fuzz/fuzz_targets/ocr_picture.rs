//! Any picture of bounded size, read with networks that answer anything: all of OCR but the networks themselves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recto_model::local::ocr::fuzzing::recognize;
use recto_page::PageImage;

const MOST: usize = 400;

fuzz_target!(|bytes: &[u8]| {
    let [w0, w1, h0, h1, rest @ ..] = bytes else { return };
    let side = |low: u8, high: u8| u16::from_le_bytes([low, high]) as usize % MOST;
    let (width, height) = (side(*w0, *w1), side(*h0, *h1));
    let rgb = rest.iter().copied().cycle().chain(std::iter::repeat(255)).take(width * height * 3).collect();
    recognize(&PageImage { width: width as u32, height: height as u32, rgb, dpi: 144 }, rest);
});
