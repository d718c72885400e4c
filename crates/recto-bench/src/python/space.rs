//! White space as `str.strip`, `str.split` and `\s` know it: Unicode's, and the four separators U+001C to U+001F.

/// Whether `str.isspace` holds.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.strip()`.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `str.split()`: the runs between white space, none of them empty.
pub fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}

/// `" ".join(text.split())`.
pub fn fold(text: &str) -> String {
    split(text).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_space() {
        assert_eq!(strip("\u{1c} a\u{a0}b\u{85}"), "a\u{a0}b");
        assert_eq!(fold(" a \u{1f}b\u{3000}c\n"), "a b c");
        assert!(!is_space('\u{200b}'));
    }
}
