//! Which files open: passwords, and files that hold nothing.

use recto_fixture::{Cipher, Encryption, Page, Pdf};
use recto_ingest::{IngestError, with_document};
use recto_page::ProblemCode;

use crate::{read, words};

const CIPHERS: [Cipher; 4] = [Cipher::Rc4Key40, Cipher::Rc4Key128, Cipher::Aes128, Cipher::Aes256];

fn locked(cipher: Cipher, password: &str) -> Vec<u8> {
    let page = Page::new().text_at(72.0, 700.0, 12.0, "Sesame");
    Pdf::new().page(page).encrypt(Encryption::new(cipher, password)).to_bytes()
}

fn refusal(bytes: Vec<u8>, password: Option<&str>) -> Option<ProblemCode> {
    match with_document(bytes, password, |_| ()) {
        Ok(()) => None,
        Err(IngestError::Open { code, .. }) => Some(code),
        Err(other) => panic!("{other}"),
    }
}

/// oxidizePdf#379.
#[test]
fn documents_with_an_empty_password_open_without_asking() {
    for cipher in CIPHERS {
        assert_eq!(words(&read(locked(cipher, ""))[0]), ["Sesame"], "{cipher:?}");
        assert_eq!(refusal(locked(cipher, ""), Some("needless")), None, "{cipher:?}");
    }
}

/// pdf-mcp#59, paperless-gpt#872.
#[test]
fn a_missing_password_and_a_wrong_one_are_told_apart() {
    for cipher in CIPHERS {
        for (password, right) in [
            (None, Some(ProblemCode::PasswordRequired)),
            (Some("guess"), Some(ProblemCode::PasswordWrong)),
            (Some("secret"), None),
        ] {
            assert_eq!(refusal(locked(cipher, "secret"), password), right, "{cipher:?} {password:?}");
        }
    }
}

/// LightRAG#2318, morphik#189.
#[test]
fn files_that_hold_nothing_say_what_they_are() {
    for (name, bytes, right) in [
        ("no bytes", Vec::new(), ProblemCode::EmptyFile),
        ("bytes that mean nothing", vec![0, 1, 2, 3, 200], ProblemCode::NotAPdf),
        ("no pages", Pdf::new().to_bytes(), ProblemCode::NoPages),
    ] {
        assert_eq!(refusal(bytes, None), Some(right), "{name}");
    }
}

/// LightRAG#2318.
#[test]
fn pages_of_white_space_are_blank() {
    let white = Page::new().text_at(72.0, 700.0, 12.0, "   ");
    let pages = read(Pdf::new().page(white).page(Page::new()).page(Page::new().text_at(9.0, 9.0, 9.0, "x")).to_bytes());
    let codes: Vec<_> = pages.iter().map(|page| page.problems.first().map(|problem| problem.code)).collect();
    assert_eq!(codes, [Some(ProblemCode::BlankPage), Some(ProblemCode::BlankPage), None]);
}
