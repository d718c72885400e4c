//! Pictures of every kind on a page. xberg#552.

use recto_fixture::{Object, Page, Pdf};
use recto_ingest::{IngestError, with_document};
use recto_page::{PageNumber, Region, TextReason};

use crate::{draw, read, words};

fn picture(entries: &str, data: &[u8]) -> Object {
    Object::flate(&format!("/Type /XObject /Subtype /Image {entries}"), data)
}

/// What the middle of a page shows that is covered by the picture.
#[track_caller]
fn check(entries: &str, data: &[u8], right: [u8; 3]) {
    let page = Page::new()
        .size(100.0, 100.0)
        .image(picture(entries, data), 0.0, 0.0, 100.0, 80.0)
        .text_at(10.0, 85.0, 10.0, "Caption");
    let bytes = Pdf::new().page(page).to_bytes();
    assert_eq!(words(&read(bytes.clone())[0]), ["Caption"], "{entries}");
    let image = draw(bytes, 72);
    let at = 3 * (60 * image.width as usize + 50);
    let shown = &image.rgb[at..at + 3];
    assert!(shown.iter().zip(right).all(|(a, b)| a.abs_diff(b) <= 8), "{entries}: {shown:?}, right is {right:?}");
}

#[test]
fn pictures_of_every_kind_are_drawn() {
    let grey = |bits| format!("/Width 1 /Height 1 /BitsPerComponent {bits} /ColorSpace /DeviceGray");
    check(&grey(8), &[128], [128; 3]);
    check(&grey(1), &[0], [0; 3]);
    check(&grey(16), &[64, 200], [64; 3]);
    let rgb = "/Width 1 /Height 1 /BitsPerComponent 16 /ColorSpace /DeviceRGB";
    check(rgb, &[255, 0, 0, 0, 0, 0], [255, 0, 0]);
    check("/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceCMYK", &[0, 0, 0, 0], [255; 3]);
    let indexed = "/Width 2 /Height 1 /BitsPerComponent 4 /ColorSpace [/Indexed /DeviceRGB 1 <00FF000000FF>]";
    check(indexed, &[0x11], [0, 0, 255]);
    check("/Width 1 /Height 1 /BitsPerComponent 1 /ImageMask true", &[0], [0; 3]);
    check("/Width 1 /Height 1 /BitsPerComponent 1 /ImageMask true", &[0x80], [255; 3]);
    let masked = "/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Mask [10 20]";
    check(masked, &[15], [255; 3]);
    check(masked, &[25], [25; 3]);
}

#[test]
fn pictures_without_sense_leave_the_page() {
    let wrong = [
        "/Width 0 /Height 0 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        "/Width -5 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        "/Width 2 /Height 2 /BitsPerComponent 7 /ColorSpace /DeviceGray",
        "/Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /NoSuchSpace",
        "/Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 300 <00>]",
        "/Width 9 /Height 9 /BitsPerComponent 16 /ColorSpace /DeviceCMYK",
    ];
    for entries in wrong {
        let page = Page::new().image(picture(entries, &[1, 2, 3]), 0.0, 0.0, 100.0, 80.0);
        let bytes = Pdf::new().page(page.text_at(72.0, 700.0, 12.0, "Caption")).to_bytes();
        assert_eq!(words(&read(bytes.clone())[0]), ["Caption"], "{entries}");
        assert_eq!(draw(bytes, 36).width, 298, "{entries}");
    }
}

/// The engine can't multiply so far. The picture of the page is lost, its text and the program are not.
#[test]
fn a_picture_of_absurd_size_leaves_the_text() {
    let entries = "/Width 4000000000 /Height 4000000000 /BitsPerComponent 8 /ColorSpace /DeviceRGB";
    let page = Page::new().image(picture(entries, &[1, 2, 3]), 0.0, 0.0, 100.0, 80.0);
    let bytes = Pdf::new().page(page.text_at(72.0, 700.0, 12.0, "Caption")).to_bytes();
    assert_eq!(words(&read(bytes.clone())[0]), ["Caption"]);
    let drawn = with_document(bytes, None, |document| document.render(PageNumber::FIRST, Region::FULL, 36, 1_000_000));
    assert!(matches!(drawn.unwrap(), Ok(_) | Err(IngestError::NotDrawn { .. })));
}

/// hayro PR#732: a damaged JPEG 2000 picture.
#[test]
fn a_damaged_picture_leaves_the_rest_of_the_page() {
    let head = b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 \0\0\0\0jp2 \xff\x4f\xff\x51\0\x29";
    for data in [&head[..], b"", b"no picture at all"] {
        let image = recto_fixture::image::encoded(40, 40, "/DeviceRGB", "/JPXDecode", data);
        let page = Page::new().image(image, 0.0, 0.0, 300.0, 300.0).text_at(72.0, 700.0, 24.0, "Caption");
        let bytes = Pdf::new().page(page).to_bytes();
        assert_eq!(words(&read(bytes.clone())[0]), ["Caption"]);
        assert!(crate::ink(&draw(bytes, 72)).len() > 100);
    }
}

/// docling#3671: none of many scanned pages is left out. (That memory stays flat is measured, not tested.)
#[test]
fn many_pages_of_pictures_are_all_there() {
    let page = |i: usize| {
        let shade =
            picture("/Width 64 /Height 96 /BitsPerComponent 8 /ColorSpace /DeviceGray", &[(i % 200) as u8; 64 * 96]);
        Page::new().size(100.0, 150.0).image(shade, 0.0, 0.0, 100.0, 150.0)
    };
    let pages = read(Pdf::new().pages((0..200).map(page)).to_bytes());
    assert_eq!(pages.len(), 200);
    assert!(pages.iter().all(|page| page.text_reason == TextReason::Scan && page.pictures.len() == 1));
}

/// pdf_oxide#1244, inference PR#5299: pages as large as the format allows, and larger.
#[test]
fn huge_pages_are_drawn_as_sharp_as_the_budget_allows() {
    for side in [14_400.0, 20_000.0] {
        let bytes =
            Pdf::new().page(Page::new().size(side, side).text_at(72.0, side - 700.0, 600.0, "Poster")).to_bytes();
        assert_eq!(words(&read(bytes.clone())[0]), ["Poster"], "{side}");
        let image = draw(bytes, 144);
        assert!(u64::from(image.width) * u64::from(image.height) <= crate::MAX_PIXELS, "{side}");
        let sharpest = (crate::MAX_PIXELS as f32).sqrt() * 72.0 / side;
        assert!((sharpest - 1.0..=sharpest).contains(&(image.dpi as f32)), "{side}: {} dpi of {sharpest}", image.dpi);
        assert!(crate::ink(&image).len() > 500, "{side}");
    }
}
