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

    /// A text in which `***` stands for this secret.
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SCRUBBED { text.into() } else { text.replace(&*self.0, "***") }
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
        assert_eq!(Secret::new("EMPTY").scrub("EMPTY page"), "EMPTY page");
        let table = [("sk-1", true), ("", false), ("a b", false), ("a\r\nb: c", false)];
        table.into_iter().for_each(|(key, want)| assert_eq!(Secret::new(key).is_sendable(), want, "{key:?}"));
    }
}
