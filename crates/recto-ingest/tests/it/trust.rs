//! Which text of a page is to be trusted: what is wrong with text layers, and what wants to be read off the picture.

use recto_fixture::{Face, Font, Page, Pdf, Picture};
use recto_ingest::ocr::Pictures;
use recto_page::{ProblemCode, TextReason, TextSource};

use crate::{lines, read, read_one, words};

const LETTER: [&str; 6] = [
    "Dear Sir, thank you for your letter of last week about the",
    "water level at the old mill. We have read the gauge on four",
    "days and found that the river stood well below the mark that",
    "was agreed in spring. The gate may therefore stay closed until",
    "the end of the month. Should it rain more than expected, we",
    "shall open it by one third and let you know the same day.",
];

type Map = fn(char) -> String;

fn letter(font: &Font) -> Page {
    LETTER
        .iter()
        .zip(0_u8..)
        .fold(Page::new(), |page, (line, at)| page.text(font, 72.0, 700.0 - 16.0 * f32::from(at), 12.0, line))
}

/// The letter as a scanner sees it.
fn scan() -> Page {
    let blank = Picture::new([595.0, 842.0], 60.0);
    let picture = LETTER
        .iter()
        .zip(0_u8..)
        .fold(blank, |picture, (line, at)| picture.text(Face::Serif, 72.0, 142.0 + 16.0 * f32::from(at), 12.0, line));
    Page::new().image(picture.object(), 0.0, 0.0, 595.0, 842.0)
}

fn codes(page: &recto_page::Page) -> Vec<ProblemCode> {
    page.problems.iter().map(|problem| problem.code).collect()
}

/// docling#2963: a font whose codes are numbers of glyphs, without a map to characters.
#[test]
fn text_without_a_map_to_characters_wants_ocr() {
    let page = read_one(letter(&Font::embedded("F2", Face::Serif).without_unicode()));
    assert_eq!(page.text_reason, TextReason::UnmappedGlyphs);
    assert!(page.text_reason.distrusts_layer());
    assert_eq!(words(&page), [""; 0], "no numbers of glyphs in the text");
    assert_eq!(codes(&page), [ProblemCode::UnmappedGlyphs, ProblemCode::NoText]);
}

/// The characters can be found in the font program, so nothing is wrong.
#[test]
fn a_whole_font_tells_its_characters() {
    let page = read_one(letter(&Font::embedded_whole("F2", Face::Serif).without_unicode()));
    assert_eq!((page.text_reason, page.text_source), (TextReason::GoodLayer, TextSource::Layer));
    assert_eq!(lines(&page), LETTER);
}

/// liteparse#413, pdf-inspector#118, pdf-inspector#119: `ToUnicode` maps to other letters, a fixed number of places on.
#[test]
fn shifted_codes_are_nonsense_and_not_used() {
    fn shifted<const BY: i32>(char: char) -> String {
        let code = char as i32 + BY;
        if char == ' ' { String::from(char) } else { u8::try_from(code).map_or('?', char::from).to_string() }
    }
    let maps: [(&str, Map); 5] = [
        ("three on", shifted::<3>),
        ("one back", shifted::<-1>),
        ("the number of the glyph", shifted::<-29>),
        ("four on", shifted::<4>),
        ("twenty back", shifted::<-20>),
    ];
    for (what, map) in maps {
        let page = read_one(letter(&Font::embedded("F2", Face::Serif).with_unicode(map)));
        assert_eq!((page.text_reason, page.text_source), (TextReason::Nonsense, TextSource::None), "{what}");
        assert_eq!(page.text(), "", "{what}: not searched");
        assert!(!page.text_layer.is_empty(), "{what}: yet kept");
        assert_eq!(codes(&page), [ProblemCode::GarbledText], "{what}");
    }
}

/// The letters of the alphabet in another order.
#[test]
fn exchanged_letters_are_nonsense() {
    fn exchanged(char: char) -> String {
        let other = |c: u8| b"qwxzjkvbpfgmycnudtrhsloiea"[usize::from(c - b'a')];
        let byte = u8::try_from(char).unwrap_or(b'?');
        char::from(if byte.is_ascii_lowercase() { other(byte) } else { byte }).to_string()
    }
    let page = read_one(letter(&Font::embedded("F2", Face::Serif).with_unicode(exchanged)));
    assert_eq!((page.text_reason, page.text_source), (TextReason::Nonsense, TextSource::None));
}

/// liteparse#291, pdf-inspector#428: what the page's reason says and what its text is agree.
#[test]
fn drawn_letters_without_characters_want_ocr() {
    let mute = read_one(letter(&Font::type3("F2", Face::Serif)));
    assert_eq!(mute.text_reason, TextReason::UnmappedGlyphs);
    assert_eq!(codes(&mute), [ProblemCode::UnmappedGlyphs]);
    let named = read_one(letter(&Font::type3_named("F2", Face::Serif)));
    assert_eq!(named.text_reason, TextReason::GoodLayer);
    assert_eq!(lines(&named), LETTER);
}

/// zotero-rag#267: one bad page of five.
#[test]
fn one_page_without_characters_leaves_the_others() {
    let mute = Font::embedded("F2", Face::Serif).without_unicode();
    let good = Font::embedded("F3", Face::Serif);
    let pages = read(Pdf::new().pages((1..=5).map(|n| letter(if n == 3 { &mute } else { &good }))).to_bytes());
    let reasons: Vec<_> = pages.iter().map(|page| page.text_reason).collect();
    let mut want = [TextReason::GoodLayer; 5];
    want[2] = TextReason::UnmappedGlyphs;
    assert_eq!(reasons, want);
    for (page, reason) in pages.iter().zip(want) {
        assert_eq!(lines(page) == LETTER, reason == TextReason::GoodLayer, "page {:?}", page.number);
    }
}

/// pdf-inspector#385, anydoc#68: what scanners make. The layer's words are kept, and nothing is asked for.
#[test]
fn the_layer_of_a_scanner_is_the_text() {
    let over = |page: Page| {
        LETTER
            .iter()
            .zip(0_u8..)
            .fold(page, |page, (line, at)| page.hidden_text_at(72.0, 700.0 - 16.0 * f32::from(at), 12.0, line))
    };
    let page = read_one(over(scan()));
    assert_eq!((page.text_reason, page.text_source), (TextReason::ScannerLayer, TextSource::OcrLayer));
    assert_eq!(lines(&page), LETTER);
    assert_eq!((page.hidden.len(), page.pictures.len(), codes(&page).len()), (0, 0, 0));
}

/// Some programs draw the words first, in sight, and the picture over them.
#[test]
fn words_under_a_scan_are_its_layer_too() {
    let size = [595.0, 842.0];
    let blank = Picture::new(size, 60.0).text(Face::Serif, 72.0, 142.0, 12.0, LETTER[0]).object();
    let page = read_one(letter(&Font::standard("F1", "Helvetica")).image(blank, 0.0, 0.0, size[0], size[1]));
    assert_eq!((page.text_reason, page.text_source), (TextReason::ScannerLayer, TextSource::OcrLayer));
    assert_eq!((lines(&page), page.hidden.len()), (LETTER.map(String::from).to_vec(), 0));
}

/// A newspaper of 1901: thousands of words in white, the picture over them.
#[test]
fn white_words_under_a_scan_are_its_layer_however_many() {
    let scan = Picture::new([595.0, 842.0], 60.0).text(Face::Serif, 72.0, 142.0, 12.0, LETTER[0]).object();
    let word = |page: Page, at: u16| {
        page.text_at(20.0 + 28.0 * f32::from(at % 20), 820.0 - 11.0 * f32::from(at / 20), 8.0, &format!("w{at}"))
    };
    let written = (0..1200).fold(Page::new().fill([1.0; 3]), word);
    let page = read_one(written.image(scan, 0.0, 0.0, 595.0, 842.0));
    assert_eq!((page.text_reason, page.text_source), (TextReason::ScannerLayer, TextSource::OcrLayer));
    assert_eq!((words(&page).len(), page.hidden.len()), (1200, 0));
}

/// docling#3839: the picture stands on its head; the page says that it must be read, whichever way up.
#[test]
fn scans_of_any_kind_want_ocr() {
    let stamped = |page: Page| page.text_at(72.0, 20.0, 7.0, "Received 12 May, page 3 of 9");
    let table = [("plain", scan()), ("on its head", scan().rotate(180)), ("with a stamp", stamped(scan()))];
    for (what, page) in table {
        let page = read_one(page);
        assert_eq!(page.text_reason, TextReason::Scan, "{what}");
        assert!(page.text_reason.distrusts_layer(), "{what}");
    }
    let long = "Case 4:17-cv-01234 Document 71 Filed 12 May Page 3 of 9 Received by the clerk of the district court";
    let page = read_one(scan().text_at(72.0, 20.0, 7.0, long));
    assert_eq!(page.text_reason, TextReason::GoodLayer);
    assert_eq!(page.pictures.len(), 1, "the picture under a longer stamp is read beside it");
}

/// Many scanners cut pages in bands.
#[test]
fn a_scan_in_strips_is_a_scan() {
    let strip = || Picture::new([595.0, 42.1], 60.0).text(Face::Serif, 72.0, 20.0, 12.0, LETTER[0]).object();
    let page = (0_u8..20).fold(Page::new(), |page, at| page.image(strip(), 0.0, 42.1 * f32::from(at), 595.0, 42.1));
    let page = read_one(page);
    assert_eq!(page.text_reason, TextReason::Scan);
    assert_eq!(page.pictures.len(), 1);
}

/// A page whose letters are shapes, as some programs print.
#[test]
fn letters_drawn_as_shapes_want_ocr() {
    let glyph = "0 0 m 3 8 l 4 8 l 7 0 l 6 0 l 5 3 l 2 3 l 1 0 l h f";
    let shapes: String =
        (0..200).map(|i| format!("q 1 0 0 1 {} {} cm {glyph} Q\n", 50 + i % 40 * 9, 700 - i / 40 * 14)).collect();
    let page = read_one(Page::new().content(&shapes));
    assert_eq!(page.text_reason, TextReason::Outlines);
    let rules = read_one(Page::new().content("0 0 200 3 re f 0 50 200 3 re f 10 10 m 300 300 l S"));
    assert_eq!(rules.text_reason, TextReason::Blank);
}

#[test]
fn empty_pages_are_blank() {
    let page = read_one(Page::new());
    assert_eq!((page.text_reason, page.text_source), (TextReason::Blank, TextSource::None));
    assert_eq!(codes(&page), [ProblemCode::BlankPage]);
}

/// A chart pasted as a picture is read beside the text; a picture that the text stands on is not, nor is a logo.
#[test]
fn pictures_are_read_unless_text_stands_all_over_them() {
    let picture = || Picture::new([300.0, 200.0], 72.0).text(Face::Serif, 20.0, 40.0, 12.0, "Flow in 1911").object();
    let body = || letter(&Font::standard("F1", "Helvetica"));
    let table = [
        ("a chart", body().image(picture(), 72.0, 300.0, 300.0, 200.0), 1),
        (
            "two charts",
            body().image(picture(), 72.0, 300.0, 300.0, 200.0).image(picture(), 72.0, 50.0, 300.0, 200.0),
            2,
        ),
        ("a logo", body().image(picture(), 400.0, 750.0, 90.0, 60.0), 0),
        ("a background", Page::new().image(picture(), 50.0, 600.0, 500.0, 120.0).content(""), 1),
    ];
    for (what, page, pictures) in table {
        let page = read_one(page);
        assert_eq!(page.pictures.len(), pictures, "{what}: {:?}", page.text_reason);
    }
    let on =
        LETTER.iter().zip(0_u8..).fold(Page::new().image(picture(), 50.0, 600.0, 500.0, 120.0), |page, (line, at)| {
            page.text_at(72.0, 700.0 - 16.0 * f32::from(at), 12.0, line)
        });
    let page = read_one(on);
    assert_eq!((page.text_reason, page.pictures.len()), (TextReason::GoodLayer, 0));
    let chart_on_background =
        Page::new().image(picture(), 0.0, 0.0, 595.0, 842.0).image(picture(), 72.0, 100.0, 300.0, 200.0);
    let rows = (0_u8..20).fold(chart_on_background, |page, at| {
        page.text_at(40.0, 800.0 - 24.0 * f32::from(at), 14.0, "A line of text that goes over the whole of the page")
    });
    let page = read_one(rows);
    assert_eq!(page.pictures.len(), 1, "a chart on a background: {:?}", page.pictures);
}

/// What a text file says is what it says, whatever it looks like.
#[test]
fn text_files_are_never_distrusted() {
    for text in ["x".repeat(3000), "wkh ulyhu ulvhv lq wkh kloov ".repeat(20), "\u{fffd}\u{e000} ".repeat(200)] {
        for page in read(text.clone().into_bytes()) {
            assert_eq!(page.text_reason, TextReason::GoodLayer, "{text:.20}");
            assert_eq!(Pictures::Needed.of(&page), [], "{text:.20}");
        }
    }
}
