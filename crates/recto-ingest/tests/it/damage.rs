//! Broken files and broken pages: what can be read is read, and the rest is named.

use recto_fixture::{Damage, Object, Page, Pdf, RawFile, deflate, image};
use recto_ingest::{IngestError, with_document};
use recto_page::{PageNumber, ProblemCode};

use crate::{draw, ink, read, words};

fn numbered(number: usize) -> Page {
    (0_u8..40).fold(Page::new(), |page, line| {
        page.text_at(72.0, 780.0 - 18.0 * f32::from(line), 10.0, &format!("Page {number} line {line}"))
    })
}

/// paper-qa#591, paper-qa#1068.
#[test]
fn one_truncated_page_of_ten_is_named_and_the_others_are_whole() {
    let pages = (1..=10).map(|n| if n == 4 { numbered(n).truncated() } else { numbered(n) });
    let read = read(Pdf::new().pages(pages).to_bytes());
    let whole: Vec<usize> = read.iter().filter(|page| words(page).len() == 160).map(|p| p.number.index() + 1).collect();
    assert_eq!(whole, [1, 2, 3, 5, 6, 7, 8, 9, 10]);
    let named: Vec<_> = read.iter().flat_map(|page| &page.problems).map(|p| (p.page, p.code)).collect();
    assert_eq!(named, [(PageNumber::new(4), ProblemCode::PageDamaged)]);
}

/// A document of one page whose content is these streams: by itself if there is one and no array is wanted.
fn content_of(streams: Vec<Object>, array: bool) -> Vec<u8> {
    let mut file = RawFile::new();
    let streams: Vec<String> = streams.into_iter().map(|stream| format!("{} 0 R", file.add(stream))).collect();
    let streams = if array { format!("[{}]", streams.join(" ")) } else { streams.concat() };
    let tree = file.reserve();
    let page = file.add(Object::new(format!(
        "<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 200 200] /Contents {streams} /Resources << /Font << /F1 \
         << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
    )));
    file.set(tree, Object::new(format!("<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>")));
    let catalog = file.add(Object::new(format!("<< /Type /Catalog /Pages {tree} 0 R >>")));
    file.to_bytes(catalog)
}

#[test]
fn content_in_one_stream_or_several_is_whole_or_not() {
    let text = |y: u32| format!("BT /F1 12 Tf 20 {y} Td (Some words) Tj ET 1 0 0 1 0 0 cm");
    let packed = |y| Object::flate("", text(y).as_bytes());
    let padded = |y| Object::stream("/Filter /FlateDecode", [deflate(text(y).as_bytes()), vec![b'\n'; 7]].concat());
    let plain = |y| Object::stream("", text(y));
    for (streams, array, is_whole) in [
        (vec![packed(20)], false, true),
        (vec![packed(20)], true, true),
        (vec![packed(20), packed(50)], true, true),
        (vec![packed(20), plain(50), padded(80)], true, true),
        (vec![padded(20)], false, true),
        (vec![plain(20)], false, true),
        (vec![packed(20).truncated()], false, false),
        (vec![packed(20).truncated()], true, false),
        (vec![packed(20), packed(50).truncated()], true, false),
    ] {
        let what = format!("{streams:?} {array}");
        let page = read(content_of(streams, array)).remove(0);
        let named = page.problems.iter().any(|problem| problem.code == ProblemCode::PageDamaged);
        assert_eq!(!named, is_whole, "{what}");
    }
}

/// anything-llm#1878, hayro#51.
#[test]
fn files_without_a_right_cross_reference_table_are_mended() {
    let whole = || Pdf::new().page(numbered(1)).page(numbered(2));
    let right: Vec<String> = read(whole().to_bytes()).iter().map(recto_page::Page::text).collect();
    assert_eq!(right.len(), 2);
    assert_eq!(problems(whole().to_bytes()), []);
    for (damage, problem) in [
        (Damage::StartxrefOffset, Some(ProblemCode::Repaired)),
        (Damage::XrefEntries, Some(ProblemCode::Repaired)),
        (Damage::LeadingJunk(1500), None),
        (Damage::NoStartxref, Some(ProblemCode::IncompleteFile)),
        (Damage::NoXref, Some(ProblemCode::IncompleteFile)),
    ] {
        let bytes = whole().damage(damage).to_bytes();
        let texts: Vec<String> = read(bytes.clone()).iter().map(recto_page::Page::text).collect();
        assert_eq!(texts, right, "{damage:?}");
        assert_eq!(problems(bytes), Vec::from_iter(problem), "{damage:?}");
    }
}

/// The problems of the document as a whole.
fn problems(bytes: Vec<u8>) -> Vec<ProblemCode> {
    with_document(bytes, None, |document| document.problems().iter().map(|problem| problem.code).collect()).unwrap()
}

#[test]
fn a_file_that_is_cut_off_anywhere_says_so() {
    let pages: Vec<Page> = (1..=6).map(numbered).collect();
    for whole in [Pdf::new().pages(pages.clone()).to_bytes(), Pdf::new().pages(pages).compact().to_bytes()] {
        assert_eq!(problems(whole.clone()), []);
        let updated = [&whole[..], b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"].concat();
        assert_eq!(problems(updated), [ProblemCode::IncompleteFile]);
        for percent in 1..99 {
            let cut = whole[..whole.len() * percent / 100].to_vec();
            match with_document(cut, None, |document| (document.n_pages(), document.problems())) {
                Err(IngestError::Open { .. }) => {}
                Ok((_, problems)) => assert_eq!(problems[0].code, ProblemCode::IncompleteFile, "{percent} %"),
                Err(other) => panic!("{other}"),
            }
        }
    }
    let linearized = |length: usize| {
        let mut file = RawFile::new();
        file.add(Object::new(format!("<< /Linearized 1 /L {length:06} /N 1 >>")));
        let tree = file.reserve();
        let page = file.add(Object::new(format!("<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 9 9] >>")));
        file.set(tree, Object::new(format!("<< /Type /Pages /Kids [{page} 0 R] /Count 1 >>")));
        let catalog = file.add(Object::new(format!("<< /Type /Catalog /Pages {tree} 0 R >>")));
        file.to_bytes(catalog)
    };
    let length = linearized(0).len();
    assert_eq!(problems(linearized(length)), []);
    assert_eq!(problems(linearized(length + 2)), [], "a line end at its end is no part of a file");
    assert_eq!(problems(linearized(length + 5)), [ProblemCode::IncompleteFile]);
}

#[test]
fn pages_that_the_tree_names_but_the_file_lacks_are_counted() {
    let mut file = RawFile::new();
    let tree = file.reserve();
    let page = file.add(Object::new(format!("<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 9 9] >>")));
    file.set(tree, Object::new(format!("<< /Type /Pages /Kids [{page} 0 R 77 0 R 78 0 R] /Count 3 >>")));
    let catalog = file.add(Object::new(format!("<< /Type /Catalog /Pages {tree} 0 R >>")));
    let bytes = file.to_bytes(catalog);
    let problem = with_document(bytes, None, |document| document.problems().remove(0)).unwrap();
    assert_eq!(problem.code, ProblemCode::IncompleteFile);
    assert_eq!(problem.detail, "2 of the pages that it names are missing; 1 were found");
}

/// hayro PR#732.
#[test]
fn a_damaged_picture_leaves_the_rest_of_its_page() {
    // The signature of a JPEG 2000 file, then noise.
    let mut jpeg2000 = b"\x00\x00\x00\x0cjP  \r\n\x87\n\xff\x4f\xff\x51".to_vec();
    jpeg2000.extend((0..400_u32).map(|n| (n * 37 % 251) as u8));
    let pictures = [
        image::encoded(80, 80, "/DeviceRGB", "/JPXDecode", &jpeg2000),
        image::encoded(80, 80, "/DeviceRGB", "/DCTDecode", b"\xff\xd8\xff\xe0 no picture"),
        image::encoded(80, 80, "/DeviceGray", "/CCITTFaxDecode", &[0x55; 90]),
        image::encoded(80, 80, "/DeviceGray", "/JBIG2Decode", &[0x97; 90]),
        Object::stream("/Type /XObject /Subtype /Image", b"nothing".to_vec()),
    ];
    for picture in pictures {
        let page = Page::new().image(picture, 100.0, 300.0, 80.0, 80.0).text_at(72.0, 700.0, 24.0, "Still here");
        let bytes = Pdf::new().page(page).to_bytes();
        assert_eq!(words(&read(bytes.clone())[0]), ["Still", "here"]);
        let top = ink(&draw(bytes, 72)).into_iter().filter(|(_, y)| *y < 0.3).count();
        assert!(top > 200);
    }
}
