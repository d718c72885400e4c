//! One immutable part of the word index, with the columns that scoring reads for every posting kept in memory. Words side
//! by side are beside it (`phrase`), and the words themselves (`vocabulary`).

use std::collections::BTreeMap;
use std::sync::Arc;

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term};

use super::list::List;
use super::term::WeightedTerm;
use crate::bm25::length_norm;
use crate::lexical::{KINDS, LENGTH, PAGE, VERSION};
use crate::query::Query;
use crate::{Kinds, Result, Scope};

/// Where a stored page belongs and how long it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// Position of its document in the searcher's list; [`Place::DEAD`] has none.
    pub(super) doc: u32,
    /// Its page number.
    pub(super) page: u32,
    /// Its length in words.
    pub(super) length: u32,
    /// What it has beside words.
    pub(super) kinds: Kinds,
}

impl Place {
    /// A page of no live version.
    const DEAD: Self = Self { doc: u32::MAX, page: 0, length: 0, kinds: Kinds::from_bits(0) };

    fn is_live(&self) -> bool {
        *self != Self::DEAD
    }
}

/// A segment as a searcher sees it. Pages are named by their position in it.
pub(super) struct Segment {
    pub(super) index: Arc<InvertedIndexReader>,
    body: Field,
    pub(super) headings: Arc<InvertedIndexReader>,
    heading: Field,
    places: Vec<Place>,
    /// What the length of each page does to its score; infinite, so that it has none, for pages that are not live.
    norms: Vec<f64>,
    pub(super) all_live: bool,
}

impl Segment {
    /// Reads the columns; `ranks` gives each live version its document's position in the searcher's list.
    pub(super) fn open(
        reader: &SegmentReader,
        [body, heading]: [Field; 2],
        ranks: &BTreeMap<u64, u32>,
    ) -> Result<Self> {
        let column = |name| reader.fast_fields().column_first_or_default::<u64>(name);
        let (versions, pages, lengths, kinds) = (column(VERSION)?, column(PAGE)?, column(LENGTH)?, column(KINDS)?);
        let narrow = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
        let mut places = Vec::with_capacity(reader.max_doc() as usize);
        // Pages of a document stand together: what was looked up last is mostly what is needed next.
        let mut last = (u64::MAX, None);
        for local in 0..reader.max_doc() {
            let version = versions.get_val(local);
            if last.0 != version {
                last = (version, ranks.get(&version).copied());
            }
            places.push(match last.1.filter(|_| !reader.is_deleted(local)) {
                Some(doc) => Place {
                    doc,
                    page: narrow(pages.get_val(local)),
                    length: narrow(lengths.get_val(local)),
                    kinds: Kinds::from_bits(kinds.get_val(local)),
                },
                None => Place::DEAD,
            });
        }
        let all_live = places.iter().all(Place::is_live);
        let (index, headings) = (reader.inverted_index(body)?, reader.inverted_index(heading)?);
        Ok(Self { index, body, headings, heading, places, norms: Vec::new(), all_live })
    }

    /// Sets the average length that the lengths of pages are measured by.
    pub(super) fn measure(&mut self, average_length: f64) {
        let norm = |place: &Place| {
            if place.is_live() { length_norm(f64::from(place.length) / average_length) } else { f64::INFINITY }
        };
        self.norms = self.places.iter().map(norm).collect();
    }

    /// The live pages.
    pub(super) fn live(&self) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(|p| p.is_live())
    }

    /// Where the page at a position belongs.
    pub(super) fn place(&self, local: usize) -> Place {
        self.places.get(local).copied().unwrap_or(Place::DEAD)
    }

    pub(super) fn is_live(&self, local: u32) -> bool {
        self.place(local as usize).is_live()
    }

    /// How many pages it stores, live or not.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The live pages of documents in scope: (position, position), sorted.
    pub(super) fn in_scope(&self, in_scope: &[bool]) -> Vec<(u32, usize)> {
        let is_in = |place: &Place| in_scope.get(place.doc as usize) == Some(&true);
        let found = self.places.iter().enumerate().filter(|(_, place)| is_in(place));
        found.filter_map(|(local, _)| Some((u32::try_from(local).ok()?, local))).collect()
    }

    /// The position of a live page.
    pub(super) fn find(&self, doc: u32, page: u32) -> Option<usize> {
        self.places.iter().position(|place| (place.doc, place.page) == (doc, page) && place.is_live())
    }

    /// How many live pages have the term.
    pub(super) fn df(&self, term: &str) -> Result<u64> {
        if self.all_live {
            return Ok(self.index.doc_freq(&Term::from_field_text(self.body, term))?.into());
        }
        let Some(mut postings) = self.postings(term, IndexRecordOption::Basic)? else { return Ok(0) };
        let mut live = 0;
        while postings.doc() != TERMINATED {
            live += u64::from(self.place(postings.doc() as usize).is_live());
            postings.advance();
        }
        Ok(live)
    }

    /// The pages that have a term, or words side by side; `None` if it knows none.
    pub(super) fn list<'a>(&self, nth: usize, term: &'a WeightedTerm) -> Result<Option<List<'a>>> {
        if let Some(occurrences) = term.side_by_side(nth) {
            return Ok(Some(List::found(occurrences)));
        }
        let name = Term::from_field_text(self.body, &term.name);
        Ok(self.index.read_block_postings(&name, IndexRecordOption::WithFreqs)?.map(List::stored))
    }

    /// The score of every page of this segment, the `nth`; 0 where none of the terms stands and for pages that are not
    /// live.
    pub(super) fn scores(&self, nth: usize, terms: &[WeightedTerm]) -> Result<Vec<f64>> {
        let mut scores = vec![0.0; self.places.len()];
        for term in terms {
            let Some(mut list) = self.list(nth, term)? else { continue };
            list.each_before(TERMINATED, |local, tf| {
                let local = local as usize;
                if let (Some(score), Some(norm)) = (scores.get_mut(local), self.norms.get(local)) {
                    *score += term.share(tf, *norm);
                }
            });
        }
        Ok(scores)
    }

    /// What the length of a page does to its score.
    pub(super) fn norm(&self, local: usize) -> f64 {
        self.norms.get(local).copied().unwrap_or(f64::INFINITY)
    }

    /// And of those from `start` on.
    pub(super) fn norms(&self, start: usize) -> &[f64] {
        self.norms.get(start..).unwrap_or_default()
    }

    /// Gives how often `term` stands on each of the `wanted` pages of this segment, the `nth`, that has it, and its share
    /// of the score: (position, tag), sorted.
    pub(super) fn shares(
        &self,
        nth: usize,
        term: &WeightedTerm,
        wanted: &[(u32, usize)],
        mut give: impl FnMut(usize, u32, f64),
    ) -> Result<()> {
        let Some(mut list) = self.list(nth, term)? else { return Ok(()) };
        for (local, tag) in wanted {
            if let Some(tf) = list.seek(*local) {
                give(*tag, tf, term.share(tf, self.norm(*local as usize)));
            }
        }
        Ok(())
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

    /// Which pages a query is about: those that its operators leave of those in scope; `None` if it is about all.
    pub(super) fn wanted(&self, query: &Query, scope: &Scope, in_scope: &[bool]) -> Result<Option<Vec<bool>>> {
        let allowed = self.allowed(query)?;
        if *scope == Scope::All {
            return Ok(allowed);
        }
        let mut wanted = allowed.unwrap_or_else(|| vec![true; self.len()]);
        let is_in_scope = |place: &Place| in_scope.get(place.doc as usize) == Some(&true);
        wanted.iter_mut().zip(&self.places).for_each(|(wanted, place)| *wanted &= is_in_scope(place));
        Ok(Some(wanted))
    }

    /// Which pages the phrases, exclusions and kinds of a query leave; `None` if it has none.
    pub(super) fn allowed(&self, query: &Query) -> Result<Option<Vec<bool>>> {
        if !query.restricts() {
            return Ok(None);
        }
        let mut allowed: Vec<bool> = self.places.iter().map(|place| place.kinds.has(query.kinds)).collect();
        for phrase in &query.phrases {
            let matches = self.has_side_by_side(phrase)?;
            allowed.iter_mut().zip(matches).for_each(|(a, m)| *a &= m);
        }
        for phrase in &query.excluded {
            let matches = self.has_side_by_side(phrase)?;
            allowed.iter_mut().zip(matches).for_each(|(a, m)| *a &= !m);
        }
        Ok(Some(allowed))
    }

    pub(super) fn postings(&self, term: &str, option: IndexRecordOption) -> Result<Option<SegmentPostings>> {
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
