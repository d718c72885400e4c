//! Text in addresses: `%20` and the like.

/// All but letters, digits and `-._~` as `%20` and the like.
pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// `%20` and the like as what they stand for; what is none stays.
pub(crate) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_their_addresses() {
        for (name, right) in [("a b/c.pdf", "a%20b%2Fc.pdf"), ("水.pdf", "%E6%B0%B4.pdf"), ("50%.pdf", "50%25.pdf")] {
            assert_eq!(encoded(name), right);
            assert_eq!(decoded(right), name);
        }
        for (text, want) in [("a%20b", "a b"), ("100%", "100%"), ("%zz", "%zz"), ("%C3%A9", "é")] {
            assert_eq!(decoded(text), want);
        }
    }
}
