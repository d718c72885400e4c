//! What is searched for, and the language in which people write it. Any text is a query; none is an error until
//! nothing to search for is left of it.
//!
//! | written | means |
//! |---|---|
//! | `net income` | pages with either word, better with both |
//! | `"net income"` | pages with these words in this order, side by side |
//! | `-draft`, `-"first draft"` | not on pages with this |
//! | `amort*` | any word that begins so |
//!
//! A quote that is never closed runs to the end. Signs elsewhere (`AB-12`, `5 * 3`, `- x`) are text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use recto_page::PageId;

use crate::Kinds;
use crate::asked::asked;
use crate::tokenize::{Form, Token, query_terms, surface_terms, tokens};

/// What is read of a query; the rest is ignored.
pub const MAX_QUERY_BYTES: usize = 1 << 16;
/// How many different terms a query can have; later ones are ignored.
pub const MAX_TERMS: usize = 1024;
/// How many pairs of words of a query are looked for; later ones are ignored.
pub const MAX_PAIRS: usize = 64;
/// How many prefixes, phrases and exclusions a query can have each; later ones are ignored.
pub const MAX_OPERATORS: usize = 16;

/// What is searched for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// What encoders read: the words, those of phrases too, not what is excluded.
    pub text: String,
    /// Terms that score, with how often each stands in the query.
    pub terms: BTreeMap<String, u32>,
    /// Beginnings of terms that score.
    pub prefixes: Vec<String>,
    /// Words that must stand side by side in this order.
    pub phrases: Vec<Vec<String>>,
    /// Words that must not.
    pub excluded: Vec<Vec<String>>,
    /// Pages that the query names (`page iii`), as far as whoever knows their labels has looked them up.
    pub pages: BTreeSet<PageId>,
    /// Only pages that have or are all of this.
    pub kinds: Kinds,
}

impl Query {
    /// All of `text` as plain words.
    pub fn plain(text: &str) -> Self {
        let mut query = Self { text: bounded(text).trim().into(), ..Self::default() };
        query.add_words(bounded(text));
        query
    }

    /// Reads the language of this [module](self).
    pub fn parse(text: &str) -> Self {
        let mut query = Self::default();
        let mut words = String::new();
        for piece in pieces(bounded(text)) {
            query.add_text(&piece);
            match piece {
                Piece::Words(text) => {
                    words.push_str(text);
                    words.push(' ');
                }
                Piece::Phrase(text) => {
                    query.add_words(text);
                    add_operator(&mut query.phrases, surface_terms(text));
                }
                Piece::Excluded(text) => add_operator(&mut query.excluded, surface_terms(text)),
                Piece::Prefix(text) => query.add_prefix(text),
            }
        }
        query.add_words(&words);
        query
    }

    /// The pages that the query names by what is printed on them (`page iii`, `page A-4`), in lower case.
    pub fn page_labels(&self) -> Vec<String> {
        let tokens = tokens(&asked(&self.text));
        let page = |token: &&Token| PAGE_WORDS.contains(&token.term.as_str());
        let named = tokens.iter().filter(page).flat_map(|page| {
            tokens.iter().filter(|token| token.position == page.position.saturating_add(1)).map(|token| &token.term)
        });
        named.filter(|label| is_label(label)).cloned().collect()
    }

    /// Its words, in order.
    pub(crate) fn words(&self) -> Vec<String> {
        let words = tokens(&self.text).into_iter().filter(|token| token.form == Form::Word);
        words.map(|token| token.term).collect()
    }

    /// The query without what a question says about the form of its answer; one with operators is left as it is.
    #[must_use]
    pub(crate) fn asked(&self) -> Self {
        let plain = Self::plain(&asked(&self.text));
        if self.phrases.is_empty() && self.excluded.is_empty() && self.prefixes.is_empty() && !plain.is_empty() {
            Self { pages: self.pages.clone(), kinds: self.kinds, ..plain }
        } else {
            self.clone()
        }
    }

    /// True if phrases, exclusions or kinds leave fewer pages than the words find.
    pub fn restricts(&self) -> bool {
        !(self.phrases.is_empty() && self.excluded.is_empty() && self.kinds.is_empty())
    }

    /// True if there is nothing to search for; exclusions alone find nothing.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.prefixes.is_empty()
    }

    /// The stretches of `text` that are plain words, as opposed to phrases, exclusions and beginnings of words.
    pub(crate) fn plain_words(text: &str) -> Vec<Range<usize>> {
        let text = bounded(text);
        let place = |words: &str| words.as_ptr() as usize - text.as_ptr() as usize;
        let words = pieces(text).into_iter().filter_map(|piece| match piece {
            Piece::Words(words) => Some(place(words)..place(words) + words.len()),
            _ => None,
        });
        words.collect()
    }

    fn add_text(&mut self, piece: &Piece<'_>) {
        if let Piece::Words(text) | Piece::Phrase(text) | Piece::Prefix(text) = piece {
            let space = if self.text.is_empty() { "" } else { " " };
            self.text.extend([space, text.trim()]);
        }
    }

    fn add_words(&mut self, text: &str) {
        let mut pairs = self.terms.keys().filter(|term| term.contains(' ')).count();
        for term in query_terms(text) {
            let is_pair = term.contains(' ');
            let fits = self.terms.len() < MAX_TERMS && !(is_pair && pairs >= MAX_PAIRS);
            if !self.terms.contains_key(&term) {
                if !fits {
                    continue;
                }
                pairs += usize::from(is_pair);
            }
            *self.terms.entry(term).or_default() += 1;
        }
    }

    /// The longest form of `text` is the prefix, so that `AB-12*` finds `AB-1234`.
    fn add_prefix(&mut self, text: &str) {
        let whole = tokens(text).into_iter().map(|t| t.term).max_by_key(String::len);
        if self.prefixes.len() < MAX_OPERATORS {
            self.prefixes.extend(whole);
        }
    }
}

/// What pages are called where one is named.
pub(crate) const PAGE_WORDS: [&str; 6] = ["page", "slide", "seite", "página", "pagina", "folie"];

/// A number, or letters and digits, or a small Roman number.
fn is_label(term: &str) -> bool {
    let is_roman = term.len() <= 6 && term.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'l'));
    is_roman || term.bytes().any(|b| b.is_ascii_digit())
}

fn bounded(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MAX_QUERY_BYTES)).unwrap_or(text)
}

fn add_operator(list: &mut Vec<Vec<String>>, phrase: Vec<String>) {
    if !phrase.is_empty() && list.len() < MAX_OPERATORS {
        list.push(phrase);
    }
}

/// A part of a query as written.
enum Piece<'a> {
    Words(&'a str),
    Phrase(&'a str),
    Excluded(&'a str),
    Prefix(&'a str),
}

/// Cuts a query at spaces and quotes.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (piece, after) = next_piece(rest);
        pieces.push(piece);
        rest = after.trim_start();
    }
    pieces
}

fn next_piece(text: &str) -> (Piece<'_>, &str) {
    let (negated, body) = match text.strip_prefix('-') {
        Some(body) if body.starts_with(|c: char| c.is_alphanumeric() || is_quote(c)) => (true, body),
        _ => (false, text),
    };
    if let Some(quoted) = body.strip_prefix(is_quote) {
        let (inside, after) = quoted.split_once(is_quote).unwrap_or((quoted, ""));
        return (if negated { Piece::Excluded(inside) } else { Piece::Phrase(inside) }, after);
    }
    let (word, after) = body.split_at(body.find(|c: char| c.is_whitespace() || is_quote(c)).unwrap_or(body.len()));
    let piece = match word.strip_suffix('*') {
        _ if negated => Piece::Excluded(word),
        Some(prefix) if prefix.ends_with(char::is_alphanumeric) => Piece::Prefix(prefix),
        _ => Piece::Words(word),
    };
    (piece, after)
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, terms: &str, prefixes: &str, phrases: &str, excluded: &str) {
        let query = Query::parse(text);
        let joined = |list: &[Vec<String>]| list.iter().map(|p| p.join(" ")).collect::<Vec<_>>().join(" | ");
        let names: Vec<&str> = query.terms.keys().map(String::as_str).collect();
        let got = (names.join(" "), query.prefixes.join(" "), joined(&query.phrases), joined(&query.excluded));
        assert_eq!(got, (terms.into(), prefixes.into(), phrases.into(), excluded.into()), "{text:?}");
    }

    #[test]
    fn operators() {
        check("net income", "income net", "", "", "");
        check("\"Net Income\" 2020", "2020 income net", "", "net income", "");
        check("report -draft -\"first cut\"", "report", "", "", "draft | first cut");
        check("amort* loan", "loan", "amort", "", "");
        check("AB-12*", "", "ab-12", "", "");
        check("AB-12 - x 5 * 3", "12 3 5 ab ab-12 ab12 x", "", "", "");
        check("“net income” „ja”", "income ja net", "", "net income | ja", "");
    }

    #[test]
    fn encoders_read_the_words_without_the_signs() {
        for (text, want) in [("“net  income” is -draft amort*", "net  income is amort"), (" a b ", "a b"), ("-a", "")]
        {
            assert_eq!(Query::parse(text).text, want);
        }
        assert_eq!(Query::plain(" -a \"b\" ").text, "-a \"b\"");
    }

    #[test]
    fn hostile_queries() {
        check("\"not closed", "closed not", "", "not closed", "");
        check("\"\" \"", "", "", "", "");
        check("-", "", "", "", "");
        check("-a -b", "", "", "", "a | b");
        check("* ** -*", "", "", "", "");
        check("a\"b\"c-", "a b c", "", "b", "");
        let many: String = (0..1_000_000 / 7).map(|i| format!("w{i:05} ")).collect();
        assert_eq!(Query::parse(&many).terms.len(), MAX_TERMS);
        assert_eq!(Query::parse(&"-a ".repeat(300_000)).excluded.len(), MAX_OPERATORS);
    }

    #[test]
    fn plain_text_has_no_operators() {
        let query = Query::plain("\"a b\" -c d*");
        assert_eq!(query.terms.into_keys().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert!(query.phrases.is_empty() && query.excluded.is_empty() && query.prefixes.is_empty());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_query(text in "(\\PC|[-\"* ab]){0,60}") {
            let _ = Query::parse(&text);
        }
    }
}
