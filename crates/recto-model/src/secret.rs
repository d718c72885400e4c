//! Text that nobody is to see: it prints as `***`, and is taken out of what others say.

use std::fmt;
use std::sync::Arc;

/// A shorter text is not looked for in what others say: it would be found in words.
const SHORTEST_SCRUBBED: usize = 8;

/// A key. It never prints, and cannot be written to a file.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// From its text, without the white space around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().into())
    }

    /// The text, to be sent to whom it is meant for and nowhere else.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it can stand in a header.
    pub(crate) fn is_sendable(&self) -> bool {
        !self.0.is_empty() && self.0.chars().all(|c| c.is_ascii_graphic())
    }

    /// A text in which `***` stands for this secret, also where JSON writes its slashes with a backslash, and for the
    /// beginning of it where the text breaks off.
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SCRUBBED {
            return text.into();
        }
        let mut clean = text.replace(&*self.0, "***").replace(&self.0.replace('/', "\\/"), "***");
        let begun = |length: &usize| self.0.get(..*length).is_some_and(|start| clean.ends_with(start));
        if let Some(length) = (SHORTEST_SCRUBBED..self.0.len()).rev().find(begun) {
            clean.truncate(clean.len() - length);
            clean.push_str("***");
        }
        clean
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_seen() {
        let secret = Secret::new(" sk-or-12345678\n");
        assert_eq!(format!("{secret} {secret:?} {:?}", Some(&secret)), "*** *** Some(***)");
        assert_eq!(secret.scrub("bad key sk-or-12345678, sk-or-12345678"), "bad key ***, ***");
        assert_eq!(secret.scrub("it is sk-or-123"), "it is ***");
        assert_eq!(Secret::new("sk/or/1234").scrub(r#""sk\/or\/1234""#), "\"***\"");
        assert_eq!(Secret::new("EMPTY").scrub("EMPTY page"), "EMPTY page");
        let table = [("sk-1", true), ("", false), ("a b", false), ("a\r\nb: c", false)];
        table.into_iter().for_each(|(key, want)| assert_eq!(Secret::new(key).is_sendable(), want, "{key:?}"));
    }
}
