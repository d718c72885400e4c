//! Words of a query that no page has, and the words of the index that may be meant. Whoever asks decides whether to
//! search for those, and says so.

use std::collections::BTreeSet;
use std::ops::Range;

use serde::Serialize;

use super::Searcher;
use super::place_name::is_page;
use crate::Result;
use crate::language::Language;
use crate::query::Query;
use crate::tokenize::{Form, Token, tokens};

/// A word that no page has, and one that pages have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Correction {
    /// As it was typed.
    pub typed: String,
    /// What may be meant.
    pub instead: String,
}

/// A query with other words for those that no page has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Corrected {
    /// The whole query.
    pub text: String,
    /// What was changed, in order; at least one.
    pub corrections: Vec<Correction>,
}

/// Shorter words are near to too many others.
const SHORTEST: usize = 4;
/// From so many letters on, two of them may be wrong, but not the first.
const LONG: usize = 8;
/// So many words of a query are looked at.
const MOST: usize = 8;

impl Searcher {
    /// The query with words of the index for the words that no page has, where one is written nearly alike; `None` if
    /// every word is known or nothing is near. What is quoted, excluded or cut short is left alone, and so are
    /// identifiers: words with digits, signs or capitals throughout.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn corrected(&self, text: &str) -> Result<Option<Corrected>> {
        let (mut corrected, mut corrections) = (text.to_owned(), Vec::new());
        for span in self.unknown_words(text)?.into_iter().take(MOST).rev() {
            let typed = text.get(span.clone()).unwrap_or_default();
            if let Some(instead) = self.nearest_word(typed)? {
                corrected.replace_range(span, &instead);
                corrections.push(Correction { typed: typed.to_owned(), instead });
            }
        }
        corrections.reverse();
        Ok((!corrections.is_empty()).then_some(Corrected { text: corrected, corrections }))
    }

    /// Where words stand that could be misspelt and that no page has in any form.
    fn unknown_words(&self, text: &str) -> Result<Vec<Range<usize>>> {
        let mut unknown = Vec::new();
        for stretch in Query::plain_words(text) {
            let words = text.get(stretch.clone()).unwrap_or_default();
            if is_identifier(words) {
                continue;
            }
            let tokens = tokens(words);
            for word in tokens.iter().filter(|token| is_spelt(token, words)) {
                let here = tokens.iter().filter(|token| token.position == word.position);
                // `slide` names a page, whether any says so or not.
                if !is_page(&word.term) && !self.knows(here)? {
                    unknown.push(stretch.start + word.span.start..stretch.start + word.span.end);
                }
            }
        }
        Ok(unknown)
    }

    /// Whether a page has one of the terms.
    fn knows<'t>(&self, tokens: impl Iterator<Item = &'t Token>) -> Result<bool> {
        for token in tokens {
            if self.has(&token.term)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Another form of the word, or else the word with the fewest letters other than in `typed`; of equals the one on
    /// most pages, then the first.
    fn nearest_word(&self, typed: &str) -> Result<Option<String>> {
        let typed = typed.to_lowercase();
        let forms = Language::of(std::slice::from_ref(&typed)).forms(&typed);
        if let Some(form) = self.most_frequent(forms)? {
            return Ok(Some(form));
        }
        let distances = if typed.chars().count() < LONG { 1..=1 } else { 1..=2 };
        for distance in distances {
            let mut near = BTreeSet::new();
            for segment in &self.segments {
                segment.terms_near(&typed, distance, &mut near)?;
            }
            let same_start = |term: &String| distance == 1 || term.chars().next() == typed.chars().next();
            let is_word = |term: &String| term.chars().count() >= SHORTEST && term.chars().all(char::is_alphabetic);
            let near = near.into_iter().filter(|term| is_word(term) && same_start(term));
            if let Some(term) = self.most_frequent(near)? {
                return Ok(Some(term));
            }
        }
        Ok(None)
    }

    /// The term that most pages have, of equals the first; `None` if no page has one.
    fn most_frequent(&self, terms: impl IntoIterator<Item = String>) -> Result<Option<String>> {
        let mut best = (0, None);
        for term in terms {
            let df = self.df(&term)?;
            if df > best.0 {
                best = (df, Some(term));
            }
        }
        Ok(best.1)
    }

    fn df(&self, term: &str) -> Result<u64> {
        self.segments.iter().map(|segment| segment.df(term)).sum()
    }
}

/// A word of letters that is long enough to be misspelt.
fn is_spelt(token: &Token, text: &str) -> bool {
    let written = text.get(token.span.clone()).unwrap_or_default();
    token.form == Form::Word
        && token.term.chars().count() >= SHORTEST
        && token.term.chars().all(char::is_alphabetic)
        && written.chars().any(char::is_lowercase)
}

fn is_identifier(word: &str) -> bool {
    word.chars().any(|c| c.is_numeric() || matches!(c, '_' | '@' | '/' | '#'))
}
