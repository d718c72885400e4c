//! Raw PDF objects: what stands between `obj` and `endobj`. Knows the syntax, not the meaning.

/// One indirect object: a dictionary (or any other body) and, where it is a stream, the stream's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    pub(crate) body: String,
    pub(crate) stream: Option<Vec<u8>>,
}

impl Object {
    /// An object with this body, e.g. `<< /Type /Catalog /Pages 2 0 R >>`.
    pub fn new(body: impl Into<String>) -> Self {
        Self { body: body.into(), stream: None }
    }

    /// A stream whose bytes are written as they are. `entries` stands in its dictionary, without `/Length`.
    pub fn stream(entries: &str, data: impl Into<Vec<u8>>) -> Self {
        Self { body: entries.to_owned(), stream: Some(data.into()) }
    }

    /// A stream compressed with Flate. `entries` stands in its dictionary, without `/Length` and `/Filter`.
    pub fn flate(entries: &str, data: &[u8]) -> Self {
        Self::stream(&format!("{entries} /Filter /FlateDecode"), deflate(data))
    }

    /// Cuts the stream's bytes to the first half, as a broken download or disk would.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        if let Some(data) = &mut self.stream {
            data.truncate(data.len() / 2);
        }
        self
    }
}

/// `data` in the zlib format. The same bytes on every machine, whatever other crates ask of their compressors.
pub fn deflate(data: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(data, 9)
}

/// A PDF text string: a literal string where the text is plain ASCII, else UTF-16 with a byte order mark.
pub fn string(text: &str) -> String {
    if text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
        return literal(text.as_bytes());
    }
    format!("<FEFF{}>", text.encode_utf16().map(|unit| format!("{unit:04X}")).collect::<String>())
}

/// A literal string of these bytes, special ones escaped.
pub(crate) fn literal(bytes: &[u8]) -> String {
    let mut out = String::from("(");
    for &b in bytes {
        match b {
            b'(' | b')' | b'\\' => out.extend(['\\', char::from(b)]),
            0x20..0x7f => out.push(char::from(b)),
            _ => out.push_str(&format!("\\{b:03o}")),
        }
    }
    out.push(')');
    out
}

/// A hexadecimal string of these bytes.
pub(crate) fn hex(bytes: &[u8]) -> String {
    format!("<{}>", bytes.iter().map(|b| format!("{b:02X}")).collect::<String>())
}

/// A number with at most three decimals, so that rounding noise never reaches a file.
pub(crate) fn num(value: f32) -> String {
    let rounded = (f64::from(value) * 1000.0).round() / 1000.0;
    if rounded == 0.0 { "0".to_owned() } else { format!("{rounded}") }
}

/// Numbers separated by spaces.
pub(crate) fn nums(values: &[f32]) -> String {
    values.iter().map(|&v| num(v)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings() {
        for (text, right) in [("a(b)\\", r"(a\(b\)\\)"), ("é", "<FEFF00E9>"), ("", "()")] {
            assert_eq!(string(text), right);
        }
        assert_eq!(literal(&[0xe9, b'x']), r"(\351x)");
    }

    #[test]
    fn numbers() {
        for (value, right) in [(0.1_f32 + 0.2, "0.3"), (72.0, "72"), (-0.0001, "0"), (1e6, "1000000")] {
            assert_eq!(num(value), right);
        }
    }
}
