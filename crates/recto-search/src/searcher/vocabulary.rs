//! The words that a segment knows: whether it has one, those that begin alike, those that are written nearly alike.

use std::collections::{BTreeMap, BTreeSet};

use tantivy::Term;
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;

use super::segment::Segment;
use crate::Result;
use crate::boolean::Pattern;

/// How many terms of a segment are looked at for a prefix.
const MAX_SCANNED_TERMS: usize = 1 << 16;
/// And for a pattern, which can begin with a wildcard.
const MAX_LIKE_TERMS: usize = 1 << 21;

impl Segment {
    /// Whether a stored page has the term, live or not, in its text or in a heading.
    pub(super) fn has(&self, term: &str) -> Result<bool> {
        let in_text = self.index.terms().get(term.as_bytes())?.is_some();
        Ok(in_text || self.headings.terms().get(term.as_bytes())?.is_some())
    }

    /// Adds the terms that begin with `prefix`, with the number of pages that have them.
    pub(super) fn terms_with_prefix(&self, prefix: &str, found: &mut BTreeMap<String, u32>) -> Result<()> {
        let mut stream = self.index.terms().range().ge(prefix).into_stream()?;
        for _ in 0..MAX_SCANNED_TERMS {
            if !stream.advance() || !stream.key().starts_with(prefix.as_bytes()) {
                break;
            }
            let term = String::from_utf8_lossy(stream.key()).into_owned();
            *found.entry(term).or_default() += stream.value().doc_freq;
        }
        Ok(())
    }

    /// Adds the terms of a form, with the number of pages that have them.
    pub(super) fn terms_like(&self, pattern: &Pattern, found: &mut BTreeMap<String, u32>) -> Result<()> {
        let prefix = pattern.prefix();
        let mut stream = self.index.terms().range().ge(prefix).into_stream()?;
        for _ in 0..MAX_LIKE_TERMS {
            if !stream.advance() || !stream.key().starts_with(prefix.as_bytes()) {
                break;
            }
            let term = std::str::from_utf8(stream.key()).unwrap_or_default();
            if pattern.fits(term) {
                *found.entry(term.to_owned()).or_default() += stream.value().doc_freq;
            }
        }
        Ok(())
    }

    /// Adds the terms that become `word` by at most so many letters more, less, other or exchanged with their neighbour.
    pub(super) fn terms_near(&self, word: &str, distance: u8, found: &mut BTreeSet<String>) -> Result<()> {
        let term = Term::from_field_text(Field::from_field_id(0), word);
        let automaton = FuzzyTermQuery::new(term, distance, true).automaton()?;
        let mut stream = self.index.terms().search(automaton).into_stream()?;
        while stream.advance() {
            found.insert(String::from_utf8_lossy(stream.key()).into_owned());
        }
        Ok(())
    }
}
