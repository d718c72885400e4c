//! Which pages a [`Boolean`] query means, and in which order: those of them that have its words, by exact BM25.

use std::collections::BTreeMap;

use recto_page::PageId;

use super::Searcher;
use super::candidate::{Candidate, Spot};
use super::segment::Segment;
use crate::boolean::{Boolean, Pattern};
use crate::query::Query;
use crate::top::Top;
use crate::{Ranking, Result, Scope};

/// How many terms a pattern can stand for: the most frequent ones.
const MAX_FORMS: usize = 512;

impl Searcher {
    /// The best `k` of the pages that are meant.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn run_boolean(&self, query: &Boolean, scope: &Scope, k: usize) -> Result<Ranking> {
        let query = &self.spelt_out(query)?;
        let mut terms = BTreeMap::new();
        collect(query, &mut terms);
        let terms = self.weighted_terms(&Query { terms, ..Query::default() })?;
        let in_scope = self.in_scope(scope);
        let mut top = Top::new(k);
        for (i, segment) in self.segments.iter().enumerate() {
            let meant = meant(segment, query)?;
            let scores = segment.scores(i, &terms)?;
            let scored = scores.into_iter().zip(meant).enumerate().filter(|(_, (score, meant))| *meant && *score > 0.0);
            for (local, (score, _)) in scored {
                let place = segment.place(local);
                if in_scope.get(place.doc as usize) == Some(&true) {
                    top.offer(Candidate { score, at: Spot { place, segment: i, local } });
                }
            }
        }
        self.ranking(top.into_sorted(), &terms)
    }

    /// Every page that is meant, in order.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn meant(&self, query: &Boolean, scope: &Scope) -> Result<Vec<PageId>> {
        let query = &self.spelt_out(query)?;
        let in_scope = self.in_scope(scope);
        let mut pages = Vec::new();
        for segment in &self.segments {
            let meant = meant(segment, query)?.into_iter().enumerate().filter(|(_, meant)| *meant);
            let places = meant.map(|(local, _)| segment.place(local));
            let wanted = places.filter(|place| in_scope.get(place.doc as usize) == Some(&true));
            pages.extend(wanted.filter_map(|place| self.named(place)));
        }
        pages.sort();
        Ok(pages)
    }

    /// Number of pages that can be searched.
    pub fn n_pages(&self) -> u64 {
        self.population().pages
    }

    /// The query with the terms that each pattern stands for.
    fn spelt_out(&self, query: &Boolean) -> Result<Boolean> {
        let each = |parts: &[Boolean]| parts.iter().map(|part| self.spelt_out(part)).collect::<Result<Vec<_>>>();
        Ok(match query {
            Boolean::Phrase(terms) => Boolean::Phrase(terms.clone()),
            Boolean::Like(pattern) => {
                Boolean::Or(self.forms(pattern)?.into_iter().map(|term| Boolean::Phrase(vec![term])).collect())
            }
            Boolean::And(parts) => Boolean::And(each(parts)?),
            Boolean::Or(parts) => Boolean::Or(each(parts)?),
            Boolean::Not(part) => Boolean::Not(Box::new(self.spelt_out(part)?)),
        })
    }

    fn forms(&self, pattern: &Pattern) -> Result<Vec<String>> {
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        for segment in &self.segments {
            segment.terms_like(pattern, &mut found)?;
        }
        let mut forms: Vec<(String, u32)> = found.into_iter().collect();
        forms.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        Ok(forms.into_iter().take(MAX_FORMS).map(|(term, _)| term).collect())
    }
}

/// Which pages of a segment are meant, live or not.
fn meant(segment: &Segment, query: &Boolean) -> Result<Vec<bool>> {
    match query {
        Boolean::Phrase(terms) => segment.has_side_by_side(terms),
        Boolean::Like(_) => Ok(vec![false; segment.len()]),
        Boolean::And(parts) => joined(segment, parts, true, |a, b| a && b),
        Boolean::Or(parts) => joined(segment, parts, false, |a, b| a || b),
        Boolean::Not(part) => Ok(meant(segment, part)?.into_iter().map(|meant| !meant).collect()),
    }
}

fn joined(segment: &Segment, parts: &[Boolean], none: bool, join: fn(bool, bool) -> bool) -> Result<Vec<bool>> {
    let mut all = vec![none; segment.len()];
    for part in parts {
        all.iter_mut().zip(meant(segment, part)?).for_each(|(all, one)| *all = join(*all, one));
    }
    Ok(all)
}

/// The terms that a page can have, not those that it must lack.
fn collect(query: &Boolean, terms: &mut BTreeMap<String, u32>) {
    match query {
        Boolean::Phrase(of) => of.iter().for_each(|term| *terms.entry(term.clone()).or_default() += 1),
        Boolean::And(parts) | Boolean::Or(parts) => parts.iter().for_each(|part| collect(part, terms)),
        Boolean::Like(_) | Boolean::Not(_) => {}
    }
}
