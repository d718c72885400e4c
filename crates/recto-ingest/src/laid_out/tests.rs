//! What is laid out can be read back.

use recto_page::{PageNumber, Region};

use super::*;
use crate::{OpenDocument, PdfFile};

/// The text of each page.
fn pages(draft: &Draft) -> Vec<String> {
    let file = PdfFile::open(pdf(draft).0, None).unwrap();
    let document = file.document();
    let text = |page| {
        let text = document.text(page).unwrap();
        assert_eq!(text.problems, []);
        text.layer.text()
    };
    PageNumber::first(document.n_pages()).map(text).collect()
}

fn draft(parts: Vec<Part>) -> Draft {
    let mut draft = Draft::default();
    parts.into_iter().for_each(|part| draft.push(part));
    draft
}

#[test]
fn any_text_is_read_back_as_it_was() {
    let check = |text: &str| {
        let got = pages(&draft(vec![Part::Text(text.into())])).concat();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&got), words(text));
    };
    check("Größe naïve façade Łódź 12,40 € — “quoted” state-of-the-art 10² H₂O");
    check("<gene> &amp; <b>not bold</b> &lt; C:\\path\\to (a) [b] {c}");
    check("Ελληνικά κείμενα");
    check("Пример текста на русском языке, ёж");
    check("青色の灯火は、港の入り口を示す。");
    check("한국어 텍스트");
    check("नमस्ते दुनिया");
    check("🦀 𝒳 emoji");
    check("שלום עולם");
    check("مرحبا بالعالم");
    check("هذا النص العربي ١٢٣ في السطر");
    check("گفتگو درباره پژوهش");
}

#[test]
fn headings_become_a_nested_outline() {
    let heading = |level, title: &str| Part::Heading(level, title.into());
    let mut draft = draft(vec![heading(1, "a"), heading(3, "b"), heading(2, "c"), heading(2, "d")]);
    draft.start(Shape::Flow);
    draft.push(heading(1, "e\nf"));
    draft.title = Some("Ti\u{4e00}tle".into());
    let file = PdfFile::open(pdf(&draft).0, None).unwrap();
    let got: Vec<_> =
        file.document().outline().into_iter().map(|e| (e.depth, e.title, e.page.unwrap().get())).collect();
    let want = [(0, "a", 1), (1, "b", 1), (1, "c", 1), (1, "d", 1), (0, "e f", 2)];
    assert_eq!(got, want.map(|(depth, title, page)| (depth, title.to_owned(), page)));
    assert_eq!(file.document().title().as_deref(), Some("Ti\u{4e00}tle"));
}

#[test]
fn pictures_are_shown_and_those_that_cannot_be_read_are_counted() {
    use image::{ExtendedColorType, ImageEncoder, codecs};
    let red = [255, 0, 0].repeat(100 * 50);
    let (mut png, mut jpeg) = (Vec::new(), Vec::new());
    codecs::png::PngEncoder::new(&mut png).write_image(&red, 100, 50, ExtendedColorType::Rgb8).unwrap();
    codecs::jpeg::JpegEncoder::new(&mut jpeg).write_image(&red, 100, 50, ExtendedColorType::Rgb8).unwrap();
    for bytes in [png, jpeg] {
        let mut draft = draft(["p", "gone", "p", "bad"].map(|name| Part::Picture(name.into())).into());
        draft.pictures.extend([("p".into(), bytes), ("bad".into(), b"\xFF\xD8\xFF".to_vec())]);
        let (pdf, problems) = pdf(&draft);
        assert_eq!(problems.len(), 1);
        assert!(problems[0].detail.starts_with("2 pictures"), "{problems:?}");
        let file = PdfFile::open(pdf, None).unwrap();
        let image = file.document().render(PageNumber::FIRST, Region::FULL, 72, 1_000_000).unwrap();
        // 100 x 50 pixels are 75 x 37.5 points, within a margin of 50.
        let at = |x: usize, y: usize| image.rgb[3 * (y * image.width as usize + x)..][..3].to_vec();
        let is_red = |rgb: &[u8]| rgb[0] > 250 && rgb[1] < 5 && rgb[2] < 5;
        assert!(is_red(&at(52, 52)) && is_red(&at(122, 84)) && is_red(&at(52, 104)));
        assert_eq!([at(48, 52), at(127, 52), at(52, 92)], [[255; 3]; 3]);
    }
}

#[test]
fn what_is_too_long_is_cut_and_says_so() {
    let long = "word ".repeat(1 << 20);
    let mut draft = draft(vec![Part::Text("first".into())]);
    assert_eq!(draft.problems(), []);
    (0..6).for_each(|_| draft.push(Part::Text(long.clone())));
    assert_eq!(draft.problems().len(), 1);
    let lengths = |draft: &Draft| {
        let length = |part: &Part| if let Part::Text(text) = part { text.len() } else { 0 };
        draft.sections[0].parts.iter().map(length).collect::<Vec<_>>()
    };
    let whole = long.trim_end().len();
    let kept = lengths(&draft);
    assert!(
        matches!(kept.as_slice(), [5, a, b, c, d, e] if [a, b, c, d] == [&whole; 4] && (1..whole).contains(e)),
        "{kept:?}"
    );
    draft.push(Part::Text("never".into()));
    assert_eq!(lengths(&draft), kept);
}

#[test]
fn all_characters_there_are_do_no_harm() {
    let all: String = (' '..='\u{2ffff}').collect();
    let file = PdfFile::open(pdf(&draft(vec![Part::Text(all)])).0, None).unwrap();
    let document = file.document();
    let text: String =
        PageNumber::first(document.n_pages()).map(|page| document.text(page).unwrap().layer.text()).collect();
    for char in ['A', 'ж', '一', '\u{fffd}'] {
        assert!(text.contains(char), "{char}");
    }
}
