//! One immutable part of the word index, with the columns that scoring reads for every posting kept in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use crate::Result;
use crate::bm25::saturation;
use crate::boolean::Pattern;
use crate::lexical::{LENGTH, PAGE, VERSION};
use crate::query::Query;

/// How many terms of a segment are looked at for a prefix.
const MAX_SCANNED_TERMS: usize = 1 << 16;
/// And for a pattern, which can begin with a wildcard.
const MAX_LIKE_TERMS: usize = 1 << 21;

/// A term and what it weighs: its idf times how often the query has it.
pub(super) struct WeightedTerm {
    pub(super) name: String,
    pub(super) weight: f64,
}

/// Where a stored page belongs and how long it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// Position of its document in the searcher's list; [`Place::DEAD`] has none.
    pub(super) doc: u32,
    /// Its page number.
    pub(super) page: u32,
    /// Its length in words.
    pub(super) length: u32,
}

impl Place {
    /// A page of no live version.
    const DEAD: Self = Self { doc: u32::MAX, page: 0, length: 0 };

    fn is_live(&self) -> bool {
        *self != Self::DEAD
    }
}

/// A segment as a searcher sees it. Pages are named by their position in it.
pub(super) struct Segment {
    index: Arc<InvertedIndexReader>,
    body: Field,
    headings: Arc<InvertedIndexReader>,
    heading: Field,
    places: Vec<Place>,
    all_live: bool,
}

impl Segment {
    /// Reads the columns; `ranks` gives each live version its document's position in the searcher's list.
    pub(super) fn open(
        reader: &SegmentReader,
        [body, heading]: [Field; 2],
        ranks: &BTreeMap<u64, u32>,
    ) -> Result<Self> {
        let column = |name| reader.fast_fields().column_first_or_default::<u64>(name);
        let (versions, pages, lengths) = (column(VERSION)?, column(PAGE)?, column(LENGTH)?);
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let place = |i| match ranks.get(&versions.get_val(i)) {
            Some(&doc) if !reader.is_deleted(i) => {
                Place { doc, page: narrow(pages.get_val(i)), length: narrow(lengths.get_val(i)) }
            }
            _ => Place::DEAD,
        };
        let places: Vec<Place> = (0..reader.max_doc()).map(place).collect();
        let all_live = places.iter().all(Place::is_live);
        let (index, headings) = (reader.inverted_index(body)?, reader.inverted_index(heading)?);
        Ok(Self { index, body, headings, heading, places, all_live })
    }

    /// The live pages.
    pub(super) fn live(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|p| p.is_live())
    }

    /// Where the page at a position belongs.
    pub(super) fn place(&self, local: usize) -> Place {
        self.places.get(local).copied().unwrap_or(Place::DEAD)
    }

    /// How many live pages have the term.
    pub(super) fn df(&self, term: &str) -> Result<u64> {
        let Some(mut postings) = self.postings(term, IndexRecordOption::Basic)? else { return Ok(0) };
        if self.all_live {
            return Ok(postings.doc_freq().into());
        }
        let mut live = 0;
        while postings.doc() != TERMINATED {
            live += u64::from(self.place(postings.doc() as usize).is_live());
            postings.advance();
        }
        Ok(live)
    }

    /// The score of every page, 0 where none of the terms stands and for pages that are not live.
    pub(super) fn scores(&self, terms: &[WeightedTerm], average_length: f64) -> Result<Vec<f64>> {
        let mut scores = vec![0.0; self.places.len()];
        for term in terms {
            let Some(mut postings) = self.postings(&term.name, IndexRecordOption::WithFreqs)? else { continue };
            while postings.doc() != TERMINATED {
                let local = postings.doc() as usize;
                if let (Some(score), Some(place)) = (scores.get_mut(local), self.places.get(local))
                    && place.is_live()
                {
                    *score += share(term, postings.term_freq(), place, average_length);
                }
                postings.advance();
            }
        }
        Ok(scores)
    }

    /// Gives the share of `term` in each of the `wanted` pages that has it: (position, tag), sorted.
    pub(super) fn shares(
        &self,
        term: &WeightedTerm,
        average_length: f64,
        wanted: &[(u32, usize)],
        mut give: impl FnMut(usize, f64),
    ) -> Result<()> {
        let postings = self.postings(&term.name, IndexRecordOption::WithFreqs)?;
        each_of(postings, wanted, |postings, tag| {
            let place = self.place(postings.doc() as usize);
            give(tag, share(term, postings.term_freq(), &place, average_length));
        });
        Ok(())
    }

    /// How many pages it stores, live or not.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether a stored page has the term, live or not, in its text or in a heading.
    pub(super) fn has(&self, term: &str) -> Result<bool> {
        let in_text = self.index.terms().get(term.as_bytes())?.is_some();
        Ok(in_text || self.headings.terms().get(term.as_bytes())?.is_some())
    }

    /// Gives each live page that has one of the terms.
    pub(super) fn pages_with_any(&self, terms: &[String], mut give: impl FnMut(&Place)) -> Result<()> {
        let mut seen = vec![false; self.places.len()];
        for term in terms {
            let Some(mut postings) = self.postings(term, IndexRecordOption::Basic)? else { continue };
            while postings.doc() != TERMINATED {
                let local = postings.doc() as usize;
                if let (Some(seen), Some(place)) = (seen.get_mut(local), self.places.get(local))
                    && !std::mem::replace(seen, true)
                    && place.is_live()
                {
                    give(place);
                }
                postings.advance();
            }
        }
        Ok(())
    }

    /// Gives where `term` stands on each of the `wanted` pages that has it: (position, tag), sorted.
    pub(super) fn positions(
        &self,
        term: &str,
        wanted: &[(u32, usize)],
        mut give: impl FnMut(usize, &[u32]),
    ) -> Result<()> {
        let postings = self.postings(term, IndexRecordOption::WithFreqsAndPositions)?;
        let mut positions = Vec::new();
        each_of(postings, wanted, |postings, tag| {
            postings.positions(&mut positions);
            give(tag, &positions);
        });
        Ok(())
    }

    /// Gives the `wanted` pages that have `term` in a heading or caption.
    pub(super) fn headed(&self, term: &str, wanted: &[(u32, usize)], mut give: impl FnMut(usize)) -> Result<()> {
        let term = Term::from_field_text(self.heading, term);
        let postings = self.headings.read_postings(&term, IndexRecordOption::Basic)?;
        each_of(postings, wanted, |_, tag| give(tag));
        Ok(())
    }

    /// Adds the terms that begin with `prefix`, with the number of pages that have them; not pairs of words.
    pub(super) fn terms_with_prefix(&self, prefix: &str, found: &mut BTreeMap<String, u32>) -> Result<()> {
        let mut stream = self.index.terms().range().ge(prefix).into_stream()?;
        for _ in 0..MAX_SCANNED_TERMS {
            if !stream.advance() || !stream.key().starts_with(prefix.as_bytes()) {
                break;
            }
            if !stream.key().contains(&b' ') {
                let term = String::from_utf8_lossy(stream.key()).into_owned();
                *found.entry(term).or_default() += stream.value().doc_freq;
            }
        }
        Ok(())
    }

    /// Adds the terms of a form, with the number of pages that have them; not pairs of words.
    pub(super) fn terms_like(&self, pattern: &Pattern, found: &mut BTreeMap<String, u32>) -> Result<()> {
        let prefix = pattern.prefix();
        let mut stream = self.index.terms().range().ge(prefix).into_stream()?;
        for _ in 0..MAX_LIKE_TERMS {
            if !stream.advance() || !stream.key().starts_with(prefix.as_bytes()) {
                break;
            }
            let term = std::str::from_utf8(stream.key()).unwrap_or_default();
            if !term.contains(' ') && pattern.fits(term) {
                *found.entry(term.to_owned()).or_default() += stream.value().doc_freq;
            }
        }
        Ok(())
    }

    /// Which pages the phrases and exclusions of a query leave; `None` if it has neither.
    pub(super) fn allowed(&self, query: &Query) -> Result<Option<Vec<bool>>> {
        if query.phrases.is_empty() && query.excluded.is_empty() {
            return Ok(None);
        }
        let mut allowed = vec![true; self.places.len()];
        for phrase in &query.phrases {
            let matches = self.phrase_matches(phrase)?;
            allowed.iter_mut().zip(matches).for_each(|(a, m)| *a &= m);
        }
        for phrase in &query.excluded {
            let matches = self.phrase_matches(phrase)?;
            allowed.iter_mut().zip(matches).for_each(|(a, m)| *a &= !m);
        }
        Ok(Some(allowed))
    }

    /// Which pages have the terms side by side in this order.
    pub(super) fn phrase_matches(&self, phrase: &[String]) -> Result<Vec<bool>> {
        let mut matches = vec![false; self.places.len()];
        let mut lists = Vec::with_capacity(phrase.len());
        for term in phrase {
            match self.postings(term, IndexRecordOption::WithFreqsAndPositions)? {
                Some(postings) => lists.push(postings),
                None => return Ok(matches),
            }
        }
        while let Some(doc) = next_common(&mut lists) {
            if let Some(m) = matches.get_mut(doc as usize) {
                *m = stand_side_by_side(&mut lists);
            }
            if let Some(first) = lists.first_mut() {
                first.advance();
            }
        }
        Ok(matches)
    }

    fn postings(&self, term: &str, option: IndexRecordOption) -> Result<Option<SegmentPostings>> {
        Ok(self.index.read_postings(&Term::from_field_text(self.body, term), option)?)
    }
}

/// Stops `postings` at each of the `wanted` pages that it has: (position, tag), sorted.
fn each_of(
    postings: Option<SegmentPostings>,
    wanted: &[(u32, usize)],
    mut give: impl FnMut(&mut SegmentPostings, usize),
) {
    let Some(mut postings) = postings else { return };
    for &(local, tag) in wanted {
        if postings.doc() < local {
            postings.seek(local);
        }
        if postings.doc() == local {
            give(&mut postings, tag);
        }
    }
}

fn share(term: &WeightedTerm, tf: u32, place: &Place, average_length: f64) -> f64 {
    term.weight * saturation(f64::from(tf), f64::from(place.length) / average_length)
}

/// Moves all lists to the next page that each of them has.
fn next_common(lists: &mut [SegmentPostings]) -> Option<u32> {
    let mut target = lists.first()?.doc();
    loop {
        if target == TERMINATED {
            return None;
        }
        let mut furthest = target;
        for list in lists.iter_mut() {
            if list.doc() < target {
                list.seek(target);
            }
            furthest = furthest.max(list.doc());
        }
        if furthest == target {
            return Some(target);
        }
        target = furthest;
    }
}

/// True if, on the page that all lists stand at, some position of the first is followed by one of each next list.
fn stand_side_by_side(lists: &mut [SegmentPostings]) -> bool {
    let mut starts: Vec<u32> = Vec::new();
    let mut positions = Vec::new();
    for (i, list) in lists.iter_mut().enumerate() {
        list.positions(&mut positions);
        if i == 0 {
            starts.clone_from(&positions);
        } else {
            let offset = u32::try_from(i).unwrap_or(u32::MAX);
            starts.retain(|start| positions.binary_search(&start.saturating_add(offset)).is_ok());
        }
    }
    !starts.is_empty()
}
