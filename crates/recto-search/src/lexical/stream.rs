//! The terms of a page as one text, which is how the engine takes them fastest, and the engine's way to read them from it.
//! Which terms a page has, [`crate::tokenize`] decides.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::tokenize;

/// By what name the engine knows this way.
pub(super) const NAME: &str = "recto";

/// Before a term that stands one position after the last one, and before one that stands at the same. No term holds a
/// control character.
const NEXT: char = '\u{2}';
const SAME: char = '\u{3}';

/// Writes down the terms of a text, in order of their positions; and how many words it has.
pub(super) fn written(text: &str) -> (String, u64) {
    let (mut terms, mut words) = (String::with_capacity(2 * text.len()), 0);
    tokenize::each_term(text, |form, term| {
        words += u64::from(form.is_surface());
        terms.push(if form.is_surface() { NEXT } else { SAME });
        terms.push_str(term);
    });
    (terms, words)
}

/// Reads them.
#[derive(Clone, Default)]
pub(super) struct Terms(Token);

pub(super) struct Stream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl Tokenizer for Terms {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        self.0.reset();
        Stream { rest: text, token: &mut self.0 }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        let mut characters = self.rest.chars();
        let Some(before) = characters.next() else { return false };
        // The first position is 0: it comes after the greatest number there is.
        self.token.position = self.token.position.wrapping_add(usize::from(before == NEXT));
        let rest = characters.as_str();
        let (term, rest) = rest.split_at(rest.find([NEXT, SAME]).unwrap_or(rest.len()));
        self.token.text.clear();
        self.token.text.push_str(term);
        self.rest = rest;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_and_positions_are_read_as_they_were_written() {
        for text in ["", "Long-term debts, 1,000 of it", "東京都 2020", "a\u{2}b"] {
            let tokens = tokenize::tokens(text).into_iter().filter(|token| token.form != tokenize::Form::Pair);
            let (written, words) = written(text);
            let mut terms = Terms::default();
            let mut stream = terms.token_stream(&written);
            let mut read = Vec::new();
            while stream.advance() {
                read.push((stream.token().position, stream.token().text.clone()));
            }
            let want: Vec<_> = tokens.map(|token| (token.position as usize, token.term)).collect();
            assert_eq!(read, want, "{text:?}");
            assert_eq!(words, read.last().map_or(0, |(position, _)| *position as u64 + 1), "{text:?}");
        }
    }
}
