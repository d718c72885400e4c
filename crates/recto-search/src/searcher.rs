//! Finds pages by their words: exact Okapi BM25 over the live pages of one word index, or of several as if they were one.
//! One searcher is one snapshot.

mod best;
mod boolean;
mod candidate;
mod features;
mod folio;
mod list;
mod named;
mod phrase;
mod place_name;
mod segment;
mod spelling;
mod term;
mod vocabulary;
mod wish;

use std::collections::{BTreeMap, BTreeSet};

use recto_page::{DocId, PageId, PageNumber};

use crate::bm25::{Grain, Population};
use crate::language::Language;
use crate::lexical::LexicalReader;
use crate::query::Query;
use crate::top::Top;
use crate::{Hit, Part, Ranking, Result, Scope, Search, SearchError};
use candidate::{Candidate, Spot};
pub(crate) use features::RELATIVE;
use folio::Named;
use segment::{Place, Segment};
pub use spelling::{Corrected, Correction};
use term::{Occurrences, WeightedTerm, with_grain};

/// How many terms a prefix can stand for: the most frequent ones.
const MAX_EXPANSIONS: usize = 64;

/// So many pages, the best by BM25, are looked at more closely.
const WEIGHED: usize = 200;

/// What stop words count where pages are looked at more closely: enough for a page that has nothing else.
const STOP_WORD: f64 = 0.1;

/// Pages by BM25, and by what.
struct Found {
    best: Vec<Candidate>,
    terms: Vec<WeightedTerm>,
}

/// Searches one snapshot of a corpus. Statistics (N, df, average length) are those of the live pages.
pub struct Searcher {
    segments: Vec<Segment>,
    /// The live documents by name: a page's document is a position in this list, so positions order as names do.
    docs: Vec<DocId>,
    /// The live pages of each document.
    populations: Vec<Population>,
}

impl LexicalReader {
    /// A searcher over the pages of the `live` document versions; what else the index holds does not exist for it.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn searcher(&self, live: &BTreeMap<u64, DocId>) -> Result<Searcher> {
        Searcher::over(&[(self, live)])
    }
}

/// Exact BM25 and nothing else; [`route::hybrid`](crate::route::hybrid) is what sets the best pages apart.
impl Search for Searcher {
    fn search(&self, text: &str, scope: &Scope, k: usize) -> Result<Ranking> {
        self.run(&Query::plain(text), scope, k)
    }

    fn named(&self, text: &str, scope: &Scope) -> Result<BTreeSet<PageId>> {
        self.named_by(&Query::plain(text), scope)
    }
}

impl Searcher {
    /// A searcher over several word indexes, each with its live document versions, as if they were one: statistics are
    /// those of all their pages. A document must have the same name in one of them only.
    ///
    /// # Errors
    /// When an index can't be read.
    pub fn over(indexes: &[(&LexicalReader, &BTreeMap<u64, DocId>)]) -> Result<Self> {
        let names: BTreeSet<&DocId> = indexes.iter().flat_map(|(_, live)| live.values()).collect();
        let docs: Vec<DocId> = names.into_iter().cloned().collect();
        let rank = |doc: &DocId| docs.binary_search(doc).ok().and_then(|rank| u32::try_from(rank).ok());
        let mut segments = Vec::new();
        for (index, live) in indexes {
            let ranks = live.iter().filter_map(|(version, doc)| Some((*version, rank(doc)?))).collect();
            for reader in &index.segments {
                segments.push(Segment::open(reader, [index.body, index.headings], &ranks)?);
            }
        }
        let mut populations = vec![Population::default(); docs.len()];
        for place in segments.iter().flat_map(Segment::live) {
            if let Some(population) = populations.get_mut(place.doc as usize) {
                population.pages += 1;
                population.words += u64::from(place.length);
            }
        }
        let mut searcher = Self { segments, docs, populations };
        let average = searcher.population().average_length();
        searcher.segments.iter_mut().for_each(|segment| segment.measure(average));
        Ok(searcher)
    }

    /// The best `k` pages for a query.
    ///
    /// # Errors
    /// When the query holds nothing to search for, or the index can't be read.
    pub fn run(&self, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
        let found = self.found(query, scope, k, 1.0)?;
        self.ranking(found.best, &found.terms)
    }

    /// The best `k` pages by BM25 and what else sets pages apart (see `features`). Of those that BM25 ranks lower than
    /// `WEIGHED` nothing else is looked at: they follow in its order. Pages that the query names are looked at in any case.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_weighed(&self, query: &Query, scope: &Scope, k: usize) -> Result<Ranking> {
        let query = &query.asked();
        let Found { mut best, terms } = self.found(query, scope, k.max(WEIGHED), STOP_WORD)?;
        let mut rest = best.split_off(WEIGHED.min(best.len()));
        let named = self.places_meant(query, scope)?;
        self.add_named(query, scope, &named, &mut best, &mut rest);
        let shares = self.weigh(query, scope, &named, &mut best)?;
        let mut ranking = self.ranking(best, &terms)?;
        ranking.0.iter_mut().zip(shares).for_each(|(hit, shares)| hit.shares = shares);
        ranking.sort();
        ranking.0.extend(self.ranking(rest, &terms)?.0);
        ranking.0.truncate(k);
        Ok(ranking)
    }

    /// Adds the pages that the query names, be it that BM25 does not find them.
    fn add_named(
        &self,
        query: &Query,
        scope: &Scope,
        named: &BTreeMap<Named, f64>,
        best: &mut Vec<Candidate>,
        rest: &mut Vec<Candidate>,
    ) {
        let in_scope = self.in_scope(scope);
        let place = |candidate: &Candidate| (candidate.at.place.doc, candidate.at.place.page);
        for named in named.keys() {
            if best.iter().any(|candidate| place(candidate) == *named) {
                continue;
            }
            if let Some(at) = rest.iter().position(|candidate| place(candidate) == *named) {
                best.push(rest.remove(at));
            } else if in_scope.get(named.0 as usize) == Some(&true) && !query.restricts() {
                best.extend(self.segments.iter().enumerate().find_map(|(segment, stored)| {
                    let local = stored.find(named.0, named.1)?;
                    Some(Candidate { score: 0.0, at: Spot { place: stored.place(local), segment, local } })
                }));
            }
        }
    }

    /// The best `k` pages by BM25, before they are named; of stop words only this part counts.
    fn found(&self, query: &Query, scope: &Scope, k: usize, stop_word: f64) -> Result<Found> {
        if query.is_empty() {
            return Err(SearchError::EmptyQuery);
        }
        let mut terms = self.weighted_terms(query)?;
        let language = Language::of(&query.words());
        let stop_words = terms.iter_mut().filter(|term| language.is_stop_word(&term.name));
        stop_words.for_each(|term| term.weight *= stop_word);
        let in_scope = self.in_scope(scope);
        let mut top: Top<Candidate> = Top::new(k);
        for (i, segment) in self.segments.iter().enumerate() {
            let wanted = segment.wanted(query, scope, &in_scope)?;
            segment.offer_best(i, &terms, wanted.as_deref(), &mut top)?;
        }
        Ok(Found { best: top.into_sorted(), terms })
    }

    /// The pages that the phrases, exclusions and kinds of a query leave; `None` if it has none.
    pub(crate) fn admitted(&self, query: &Query) -> Result<Option<BTreeSet<PageId>>> {
        let mut admitted = BTreeSet::new();
        for segment in &self.segments {
            let Some(allowed) = segment.allowed(query)? else { return Ok(None) };
            let places = allowed.into_iter().enumerate().filter(|(_, allowed)| *allowed);
            admitted.extend(places.filter_map(|(local, _)| self.named(segment.place(local))));
        }
        Ok(query.restricts().then_some(admitted))
    }

    fn named(&self, place: Place) -> Option<PageId> {
        Some(PageId::new(self.docs.get(place.doc as usize)?.clone(), PageNumber::new(place.page)?))
    }

    /// All live pages.
    fn population(&self) -> Population {
        let sum = |a: Population, b: &Population| Population { pages: a.pages + b.pages, words: a.words + b.words };
        self.populations.iter().fold(Population::default(), sum)
    }

    fn in_scope(&self, scope: &Scope) -> Vec<bool> {
        match scope {
            Scope::All => vec![true; self.docs.len()],
            Scope::Documents(wanted) => self.docs.iter().map(|doc| wanted.contains(doc)).collect(),
        }
    }

    /// The terms that score, in the order of their names.
    fn weighted_terms(&self, query: &Query) -> Result<Vec<WeightedTerm>> {
        let population = self.population();
        let mut counts = query.terms.clone();
        for prefix in &query.prefixes {
            for term in self.expand(prefix)? {
                *counts.entry(term).or_default() += 1;
            }
        }
        let weigh = |(name, count): (String, u32)| {
            let found = name.contains(' ').then(|| self.occurrences(&name)).transpose()?;
            let df = match &found {
                Some(found) => found.iter().map(|segment| segment.pages.len() as u64).sum(),
                None => self.segments.iter().map(|segment| segment.df(&name)).sum::<Result<u64>>()?,
            };
            let weight = f64::from(count) * population.idf(df);
            Ok(WeightedTerm { name, weight, df, found, grain: Grain::default() })
        };
        Ok(with_grain(counts.into_iter().map(weigh).collect::<Result<_>>()?))
    }

    /// Where words stand side by side, by segment.
    fn occurrences(&self, words: &str) -> Result<Vec<Occurrences>> {
        let words: Vec<&str> = words.split(' ').collect();
        self.segments.iter().map(|segment| segment.occurrences(&words)).collect()
    }

    /// The terms that begin with `prefix`: the most frequent ones, of equals the first by name.
    fn expand(&self, prefix: &str) -> Result<Vec<String>> {
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        for segment in &self.segments {
            segment.terms_with_prefix(prefix, &mut found)?;
        }
        let mut terms: Vec<(String, u32)> = found.into_iter().collect();
        terms.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        terms.truncate(MAX_EXPANSIONS);
        Ok(terms.into_iter().map(|(term, _)| term).collect())
    }

    /// Names the pages and says which terms their scores come from.
    fn ranking(&self, best: Vec<Candidate>, terms: &[WeightedTerm]) -> Result<Ranking> {
        let mut parts: Vec<Vec<Part>> = vec![Vec::new(); best.len()];
        for (i, segment) in self.segments.iter().enumerate() {
            let mut wanted: Vec<(u32, usize)> = Vec::new();
            for (hit, candidate) in best.iter().enumerate().filter(|(_, c)| c.at.segment == i) {
                wanted.extend(u32::try_from(candidate.at.local).ok().map(|local| (local, hit)));
            }
            wanted.sort_unstable();
            for term in terms {
                segment.shares(i, term, &wanted, |hit, count, score| {
                    if let Some(parts) = parts.get_mut(hit) {
                        parts.push(Part { term: term.name.clone(), score, count, pages: term.df });
                    }
                })?;
            }
        }
        let mut hits = Vec::with_capacity(best.len());
        for (candidate, mut parts) in best.into_iter().zip(parts) {
            let Some(page) = self.named(candidate.at.place) else { continue };
            parts.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.term.cmp(&b.term)));
            hits.push(Hit { page, score: candidate.score, parts, shares: Vec::new() });
        }
        Ok(Ranking(hits))
    }
}
