//! Whole files: encryption, damage, page trees, bombs.

use crate::reader::texts;
use hayro::hayro_syntax::LoadPdfError;
use recto_fixture::{Cipher, Damage, Encryption, Object, Page, Pdf, RawFile, bomb};

fn two_pages() -> Pdf {
    let font = recto_fixture::Font::embedded("F2", recto_fixture::Face::Sans);
    Pdf::new()
        .title("Two (2) pages é")
        .page(Page::new().text_at(72.0, 700.0, 12.0, "first"))
        .page(Page::new().text(&font, 72.0, 700.0, 12.0, "second"))
}

const RIGHT: [&str; 2] = ["first|", "second|"];

#[test]
fn passwords() {
    for cipher in [Cipher::Rc4Key40, Cipher::Rc4Key128, Cipher::Aes128, Cipher::Aes256] {
        let open = two_pages().encrypt(Encryption::new(cipher, "")).to_bytes();
        assert_eq!(texts(open, "").expect("no password needed"), RIGHT, "{cipher:?}");

        let packed = two_pages().encrypt(Encryption::new(cipher, "")).compact().to_bytes();
        assert_eq!(texts(packed, "").unwrap(), RIGHT, "{cipher:?}");

        let closed = two_pages().encrypt(Encryption::new(cipher, "secret")).to_bytes();
        assert_eq!(texts(closed.clone(), "secret").expect("the right password"), RIGHT, "{cipher:?}");
        for wrong in ["", "Secret"] {
            let result = texts(closed.clone(), wrong);
            assert!(matches!(result, Err(LoadPdfError::Decryption(_))), "{cipher:?} {wrong:?}");
        }
    }
}

#[test]
fn compact() {
    let (plain, packed) = (two_pages().to_bytes(), two_pages().compact().to_bytes());
    assert!(packed.len() < plain.len());
    assert_eq!(texts(packed, "").unwrap(), RIGHT);
}

#[test]
fn damage() {
    for damage in
        [Damage::StartxrefOffset, Damage::XrefEntries, Damage::NoStartxref, Damage::NoXref, Damage::LeadingJunk(2000)]
    {
        let bytes = two_pages().damage(damage).to_bytes();
        assert_ne!(bytes, two_pages().to_bytes(), "{damage:?}");
        assert_eq!(texts(bytes, "").expect("a file that can be mended"), RIGHT, "{damage:?}");
        // Without any table the engine does not look for the catalog inside packed objects.
        if damage != Damage::NoXref {
            let packed = two_pages().compact().damage(damage).to_bytes();
            assert_eq!(texts(packed, "").expect("a file that can be mended"), RIGHT, "compact, {damage:?}");
        }
    }
}

#[test]
fn one_truncated_page_of_three() {
    let page =
        |n| (1..=40).fold(Page::new(), |page, line| page.text_at(72.0, 20.0 * line as f32, 9.0, &format!("{n}{line}")));
    let whole = Pdf::new().page(page(1)).page(page(2)).page(page(3));
    let broken = Pdf::new().page(page(1)).page(page(2).truncated()).page(page(3));
    let (whole, broken) = (texts(whole.to_bytes(), "").unwrap(), texts(broken.to_bytes(), "").unwrap());
    assert_eq!([&broken[0], &broken[2]], [&whole[0], &whole[2]]);
    assert!(broken[1].len() < whole[1].len());
}

#[test]
fn labels_and_outline_do_not_disturb() {
    let bytes = two_pages()
        .label(0, "/S /r")
        .label(1, "/S /D")
        .outline(1, "A", 1)
        .outline(2, "A.1", 1)
        .outline(2, "A.2", 2)
        .outline(1, "B", 2)
        .to_bytes();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    for part in ["/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >> ] >>", "/Title (A.2) /Parent", "/Count 2"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(texts(bytes, "").unwrap(), RIGHT);
}

#[test]
fn bombs_that_can_be_read_to_an_end() {
    for (bytes, pages) in [
        (bomb::flate(1 << 20, 3), 1),
        (bomb::huge_image(3000), 1),
        (bomb::huge_page(14_400.0, "tiny"), 1),
        (bomb::form_laughs(2), 1),
        (bomb::page_tree_cycle(), 1),
        (bomb::many_pages(500), 500),
    ] {
        assert!(bytes.len() < 200_000, "{} bytes", bytes.len());
        assert_eq!(texts(bytes, "").expect("a readable file").len(), pages);
    }
    assert!(bomb::form_cycle().len() < 2000);
}

#[test]
fn no_pages() {
    assert_eq!(texts(Pdf::new().to_bytes(), "").map_or(0, |pages| pages.len()), 0);
    let mut file = RawFile::new();
    let catalog = file.add(Object::new("<< /Type /Catalog >>"));
    assert!(texts(file.to_bytes(catalog), "").map_or(true, |pages| pages.is_empty()));
}
