//! Files of text: plain text, Markdown, HTML, tables parted by commas or the like, and mail. What a file is shows from
//! its content; nothing that it refers to is fetched.

mod html;
mod html_tables;
mod mail;
mod prose;
mod rows;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use crate::laid_out::Draft;

/// So much of a file shows what it is.
const HEAD: usize = 64 << 10;

/// So much of a file is read: more than a draft holds.
const MOST_BYTES: usize = 64 << 20;

/// One in so many characters may be a control character in what is taken for text, and one in a shorter file.
const CONTROLS: usize = 200;

/// Reads a file of text; `None` if the bytes are none.
pub(crate) fn read(bytes: &[u8]) -> Option<Draft> {
    // A message is one even if binary parts were not encoded.
    let is_mail = mail::is_mail(bytes);
    if !is_mail && !is_text(bytes) {
        return None;
    }
    let whole = bytes.len();
    let bytes = bytes.get(..MOST_BYTES).unwrap_or(bytes);
    let mut draft = if is_mail { mail::read(bytes)? } else { read_text(&decoded(bytes).replace('\0', " ")) };
    if bytes.len() < whole {
        draft.cut();
    }
    Some(draft)
}

fn read_text(text: &str) -> Draft {
    if html::is_html(text) {
        return html::read(text);
    }
    rows::read(text).unwrap_or_else(|| prose::read(text))
}

/// True if a file holds text and no PDF, whatever it is called; false if it can't be read.
pub fn is_text_file(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut head));
    read.is_ok() && is_text(&head)
}

/// True if the beginning of a file is text in some encoding, and no PDF.
fn is_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let in_head = |mark: &[u8]| head.get(..1024).unwrap_or(head).windows(mark.len()).any(|window| window == mark);
    if in_head(b"%PDF-") || head.starts_with(b"%!PS") {
        return false;
    }
    if Encoding::for_bom(head).is_some() {
        return true;
    }
    let is_odd = |byte: &&u8| **byte < b' ' && !b"\t\n\r\x0B\x0C\x1B".contains(byte);
    !head.is_empty() && head.iter().filter(is_odd).count() <= (head.len() / CONTROLS).max(1)
}

/// The text of a file: by its byte order mark, as UTF-8, by the encoding that it names, or by the one that it looks like.
fn decoded(bytes: &[u8]) -> String {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode(bytes).0.into_owned();
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let encoding = html::declared_encoding(bytes).unwrap_or_else(|| {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(bytes, true);
        detector.guess(None, Utf8Detection::Allow)
    });
    // What is UTF-8 with a few bad bytes must not become nonsense throughout.
    let encoding = if mostly_utf8(bytes) { UTF_8 } else { encoding };
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

/// True if most characters outside of ASCII are right UTF-8.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|char| !char.is_ascii()).count();
        bad += chunk.invalid().len();
    }
    good > 10 * bad
}
