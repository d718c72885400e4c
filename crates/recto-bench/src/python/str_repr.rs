//! `repr(str)`. Control characters are escaped; other characters that Python does not print (unassigned, private) stand
//! as they are.

use std::fmt::Write;

/// The text in single quotes, or in double quotes if only single ones stand in it.
pub fn repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            // Writing to a String does not fail.
            c if c.is_control() => drop(write!(out, "\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_chosen_and_escaped() {
        for (text, repr_text) in
            [("a", "'a'"), ("it's", "\"it's\""), ("'\"", "'\\'\"'"), ("a\n\\\u{1}é", "'a\\n\\\\\\x01é'")]
        {
            assert_eq!(repr(text), repr_text);
        }
    }
}
