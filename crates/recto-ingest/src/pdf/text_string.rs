//! Text strings of the file's own structure (titles, labels, field values). Not text that is drawn on pages.

/// Decodes a text string: UTF-16 or UTF-8 if it says so, else PDFDocEncoding. Language escapes and control characters
/// are dropped, line breaks become `\n`.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let raw = match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&b| doc_encoded(b)).collect(),
    };
    cleaned(&raw)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// An escape character starts and ends a language code inside a UTF-16 string.
fn cleaned(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for (i, part) in raw.split('\u{1B}').enumerate() {
        if i % 2 == 0 {
            text.push_str(part);
        }
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect::<String>().trim().to_owned()
}

/// PDFDocEncoding (ISO 32000-1, annex D.2).
fn doc_encoded(byte: u8) -> char {
    const FROM_18: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
    const FROM_80: [char; 31] = [
        '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł',
        'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž',
    ];
    let table = |list: &[char], from: u8| list.get(usize::from(byte - from)).copied().unwrap_or('\u{FFFD}');
    match byte {
        0x18..=0x1F => table(&FROM_18, 0x18),
        0x80..=0x9F => table(&FROM_80, 0x80),
        0xA0 => '€',
        0x7F | 0xAD => char::REPLACEMENT_CHARACTER,
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_of_every_encoding() {
        let table: [(&[u8], &str); 9] = [
            (b"Plain", "Plain"),
            (b"\xFE\xFF\x00A\x03\xB1", "Aα"),
            (b"\xFF\xFEA\x00\xB1\x03", "Aα"),
            (b"\xEF\xBB\xBF\xCE\xB1", "α"),
            (b"\x80 \x93fi\xA0 \x18", "• ﬁfi€ ˘"),
            (b"\xFE\xFF\x00\x1B\x00e\x00n\x00\x1B\x00A", "A"),
            (b"a\r\nb\rc\x00", "a\nb\nc"),
            (b"\xFE\xFF\xD8\x00\x00", "\u{FFFD}"),
            (b" \x9F ", "\u{FFFD}"),
        ];
        for (bytes, want) in table {
            assert_eq!(decode(bytes), want);
        }
    }
}
