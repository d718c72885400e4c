//! What is laid out can be read back.

use recto_page::PageNumber;

use super::*;
use crate::{OpenDocument, PdfFile};

/// The text of each page.
fn pages(draft: &Draft) -> Vec<String> {
    let file = PdfFile::open(pdf(draft), None).unwrap();
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
}
