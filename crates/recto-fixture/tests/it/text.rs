//! What readers can extract from each kind of font and annotation.

use crate::reader::texts;
use recto_fixture::{Annotation, Face, Font, Page, Pdf};

fn check(page: Page, right: &str) {
    let bytes = Pdf::new().page(page.clone()).to_bytes();
    assert_eq!(bytes, Pdf::new().page(page).to_bytes(), "equal documents, equal bytes");
    assert_eq!(texts(bytes, "").ok(), Some(vec![right.to_owned()]));
}

#[test]
fn fonts() {
    let next = |c: char| char::from_u32(c as u32 + 3).map_or(String::new(), String::from);
    for (font, right) in [
        (Font::standard("F2", "Times-Roman"), "Wage é|"),
        (Font::type3("F2", Face::Serif), "??????|"),
        (Font::type3_named("F2", Face::Serif), "Wage é|"),
        (Font::type3("F2", Face::Serif).with_unicode(String::from), "Wage é|"),
        (Font::embedded("F2", Face::SansBold), "Wage é|"),
        (Font::embedded("F2", Face::SansBold).without_unicode(), "??????|"),
        (Font::embedded("F2", Face::SerifBold).with_unicode(next), "Zdjh#ì|"),
        (Font::embedded_whole("F2", Face::Sans).without_unicode(), "??????|"),
    ] {
        check(Page::new().text(&font, 72.0, 700.0, 12.0, "Wage é"), right);
    }
}

#[test]
fn pages() {
    let page = Page::new;
    for (page, right) in [
        (page(), ""),
        (page().text_at(72.0, 700.0, 12.0, "a(b)\\c").uncompressed(), "a(b)\\c|"),
        (page().hidden_text_at(72.0, 700.0, 12.0, "hidden"), "hidden|"),
        (page().content("BT /F1 12 Tf (raw) Tj ET"), "raw|"),
        (page().actual_text("fish", |page| page.text_at(9.0, 9.0, 9.0, "f*")), "f*|"),
        (page().image(recto_fixture::image::grey(8, 1, 1, &[0xaa]), 0.0, 0.0, 80.0, 10.0), "[image]"),
        (page().size(200.0, 100.0).crop_box([10.0, 10.0, 90.0, 90.0]).rotate(90).user_unit(2.0), ""),
    ] {
        check(page, right);
    }
}

#[test]
fn annotations() {
    let rect = [72.0, 600.0, 300.0, 620.0];
    for (annotation, right) in [
        (Annotation::text_field(rect, "name", "Ada"), "Ada|"),
        (Annotation::text_field(rect, "name", "Ada").without_appearance(), ""),
        (Annotation::check_box([72.0, 600.0, 84.0, 612.0], "agreed", true), ""),
        (Annotation::free_text(rect, "see below"), "see below|"),
        (Annotation::new_raw(rect, "/Subtype /Stamp").appearance("BT /F1 9 Tf (PAID) Tj ET"), "PAID|"),
        (Annotation::link(rect, "https://example.org/"), ""),
    ] {
        check(Page::new().annotation(annotation), right);
    }
}
