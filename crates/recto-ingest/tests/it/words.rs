//! Characters to words: spaces that nobody wrote, kerning, hyphens, marked text, and values of form fields.

use recto_fixture::{Annotation, Font, Page};

use crate::{draw, ink, inside, lines, read_one, words};

/// xberg#1613, xberg#1581. How hyphens are searched is tested with the program.
#[test]
fn hyphens_of_compounds_soft_breaks_and_suspended_ones_are_kept() {
    let shown = ["Spending on long-", "term storage needs infor-", "mation from pre- and post-war surveys."];
    let page = shown
        .into_iter()
        .zip(0_u8..)
        .fold(Page::new(), |page, (line, at)| page.text_at(72.0, 700.0 - 14.0 * f32::from(at), 11.0, line));
    assert_eq!(lines(&read_one(page)), shown);
}

/// xberg#431.
#[test]
fn a_number_with_wide_kerning_is_one_word() {
    for kern in [40, 90, 140] {
        let show = format!("BT /F1 12 Tf 72 700 Td [(1) -{kern} (2) -{kern} (,) -{kern} (4) -{kern} (0)] TJ ET");
        assert_eq!(words(&read_one(Page::new().content(&show))), ["12,40"], "{kern}");
    }
}

/// pdf_oxide#104.
#[test]
fn spaces_made_by_distance_alone_part_words() {
    let by_kerning = Page::new().content("BT /F1 12 Tf 72 700 Td [(No) -278 (space) -300 (glyphs) -500 (here)] TJ ET");
    let by_moves = Page::new()
        .content("BT /F1 12 Tf 72 700 Td (No) Tj 18.7 0 Td (space) Tj 36 0 Td (glyphs) Tj 38 0 Td (here) Tj ET");
    for page in [by_kerning, by_moves] {
        assert_eq!(lines(&read_one(page)), ["No space glyphs here"]);
    }
}

/// pdf_oxide#104.
#[test]
fn actual_text_stands_for_what_is_drawn() {
    let page = Page::new()
        .text_at(72.0, 700.0, 12.0, "Plain")
        .actual_text("office", |page| page.text_at(72.0, 650.0, 12.0, "o??ce"))
        .text_at(72.0, 600.0, 12.0, "end");
    assert_eq!(words(&read_one(page)), ["Plain", "office", "end"]);
}

/// pdf_oxide#104, liteparse PR#401.
#[test]
fn values_of_form_fields_are_text() {
    let rect = [72.0, 600.0, 300.0, 620.0];
    let field = || Annotation::text_field(rect, "Cost centre", "CC-4471");
    for (field, drawn) in [(field(), true), (field().without_appearance(), false)] {
        let page = read_one(Page::new().text_at(72.0, 700.0, 12.0, "Claim").annotation(field));
        let text = page.text();
        assert!(text.contains("Claim") && text.contains("CC-4471"), "drawn {drawn}: {text}");
        assert_eq!(text.matches("4471").count(), 1, "drawn {drawn}: {text}");
    }
}

/// marker#624.
#[test]
fn marks_that_look_like_markup_are_text() {
    let shown = "The <gene> &amp; its <b>product</b>";
    assert_eq!(lines(&read_one(Page::new().text_at(72.0, 700.0, 12.0, shown))), [shown]);
}

/// xberg#398: characters of several bytes are never cut.
#[test]
fn characters_of_several_bytes_stand_anywhere_in_a_word() {
    let font = Font::embedded("F2", recto_fixture::Face::Serif);
    for length in 1..9 {
        let word = format!("{}ß€{}", "é".repeat(length), "ö".repeat(9 - length));
        assert_eq!(words(&read_one(Page::new().text(&font, 72.0, 700.0, 12.0, &word))), [word.as_str()]);
    }
}

/// liteparse PR#401, liteparse PR#359: fields and a signature are drawn, and their values are text.
#[test]
fn fields_and_signatures_are_drawn_and_read() {
    let signature = Annotation::new_raw([72.0, 400.0, 272.0, 440.0], "/Subtype /Widget /FT /Sig /T (Signature)")
        .appearance("BT /F1 12 Tf 4 14 Td (Signed by Ada) Tj ET 0 0 200 2 re f");
    let page = Page::new()
        .annotation(Annotation::text_field([72.0, 600.0, 300.0, 620.0], "Name", "Ada"))
        .annotation(Annotation::check_box([72.0, 500.0, 92.0, 520.0], "Agreed", true))
        .annotation(signature);
    let text = read_one(page.clone()).text();
    assert!(text.contains("Ada") && text.contains("Signed by Ada"), "{text}");
    let picture = draw(recto_fixture::Pdf::new().page(page).to_bytes(), 72);
    let ink = ink(&picture);
    let at = |left: f64, top: f64, right: f64, bottom: f64| {
        let region = recto_page::Region::new(left / 595.0, 1.0 - top / 842.0, right / 595.0, 1.0 - bottom / 842.0);
        inside(&ink, &region, 0.0)
    };
    assert!(at(72.0, 620.0, 300.0, 600.0) > 10, "the field");
    assert!(at(72.0, 520.0, 92.0, 500.0) > 3, "the check box");
    assert!(at(72.0, 440.0, 272.0, 400.0) > 100, "the signature");
}

/// pdf-inspector#297, pdf-inspector#288.
#[test]
fn marks_of_footnotes_and_exponents_are_raised_digits() {
    let cell = |page: Page, y: f32, name: &str, mark: &str, value: &str, power: &str| {
        page.text_at(72.0, y, 11.0, name)
            .text_at(72.0 + 6.2 * name.len() as f32, y + 4.0, 7.0, mark)
            .text_at(300.0, y, 11.0, value)
            .text_at(300.0 + 6.2 * value.len() as f32, y + 4.0, 7.0, power)
    };
    let page = cell(Page::new(), 700.0, "Marsham", "1", "10", "2");
    let page = cell(page, 680.0, "Dunning", "2", "10", "3");
    let page = read_one(page);
    assert_eq!(page.text_layer.lines.len(), 2, "{:?}", lines(&page));
    let text = page.text();
    assert!(text.contains("10²") && text.contains("10³") && !text.contains("102"), "{text}");
}
