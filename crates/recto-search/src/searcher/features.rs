//! What sets pages apart beside how often the query's words stand there: how many of them stand close together, which
//! are in headings and captions, and whether the page has the figure that is named.
//!
//! A small linear model over BM25: `words = bm25 + 4 window + 2 heading`; and as parts of what words give the best page: 0.2 for
//! pages with a figure where the question asks for one, 0.05 for pages with a table where it counts something, and what is
//! `named` (see there). The numbers were chosen on the development questions, cross-validated by document; see
//! `docs/performance.md`. A word counts in all its forms, stop words count for nothing. It weighs half by the whole corpus
//! and half by the documents in scope, since what tells one page of a report from the next need not tell reports apart.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::Candidate;
use super::folio::Named;
use super::named::{Thing, things};
use super::{Searcher, wish};
use crate::bm25::Population;
use crate::language::Language;
use crate::query::Query;
use crate::tokenize::{Form, Token, tokens};
use crate::{Kinds, Result, Scope, Share};

/// So many words are close together.
const WINDOW: u32 = 20;
/// What the best window of a page weighs, beside its BM25.
const WINDOW_WEIGHT: f64 = 4.0;
/// What words in headings and captions weigh.
const HEADING_WEIGHT: f64 = 2.0;
/// The shares that are parts of what words give the best page: for a figure or a table where one is asked for, for what is
/// named.
pub(crate) const RELATIVE: [&str; 3] = ["figure", "table", "named"];
/// What a figure weighs where one is asked for, as a part of what the words of the best page weigh.
const FIGURE_WEIGHT: f64 = 0.2;
/// What a table weighs where something is counted.
const TABLE_WEIGHT: f64 = 0.05;
/// Words beyond these are not looked for: each costs a walk over the pages that have it.
const MAX_CONCEPTS: usize = 64;

/// A word of the query in all forms that the index has.
struct Concept {
    terms: Vec<String>,
    weight: f64,
}

/// What is found of the query on one page.
#[derive(Clone, Debug, Default)]
struct Found {
    /// Where a concept stands: (position, concept).
    places: Vec<(u32, usize)>,
    /// Concepts in headings and captions.
    headings: BTreeSet<usize>,
    /// What being named, or having what is named, weighs.
    named: f64,
}

impl Searcher {
    /// Adds what the features give to the scores of candidates; the shares of each, in the order of the candidates.
    pub(super) fn weigh(
        &self,
        query: &Query,
        scope: &Scope,
        named: &BTreeMap<Named, f64>,
        candidates: &mut [Candidate],
    ) -> Result<Vec<Vec<Share>>> {
        let concepts = self.concepts(query, scope)?;
        let words = tokens(&query.text);
        let weights: Vec<f64> = concepts.iter().map(|concept| concept.weight).collect();
        let mut all = self.find(&concepts, &things(&words), candidates)?;
        let mut shares = Vec::with_capacity(candidates.len());
        for (candidate, found) in candidates.iter_mut().zip(&mut all) {
            let place = candidate.at.place;
            found.named += named.get(&(place.doc, place.page)).copied().unwrap_or(0.0);
            shares.push(found.shares(candidate.score, &weights));
            candidate.score = shares.last().into_iter().flatten().map(|share| share.score).sum();
        }
        // If no word of the query is anywhere, what it names is all there is.
        let best = candidates.iter().map(|candidate| candidate.score).fold(0.0, f64::max);
        let best = if best > 0.0 { best } else { 1.0 };
        let wishes = wishes(&words);
        for ((candidate, found), shares) in candidates.iter_mut().zip(all).zip(&mut shares) {
            let kinds = wishes.iter().filter(|(_, kind, _)| candidate.at.place.kinds.has(*kind));
            let kinds = kinds.map(|(name, _, weight)| (*name, 1.0, *weight));
            for (name, value, weight) in kinds.chain((found.named > 0.0).then_some(("named", found.named, 1.0))) {
                shares.push(Share { name, rank: 0, value, score: value * weight * best, window: None });
            }
            candidate.score = shares.iter().map(|share| share.score).sum();
        }
        Ok(shares)
    }

    /// What is found of the query on each candidate, in their order.
    fn find(&self, concepts: &[Concept], things: &[Thing], candidates: &[Candidate]) -> Result<Vec<Found>> {
        let mut found = vec![Found::default(); candidates.len()];
        for (i, segment) in self.segments.iter().enumerate() {
            let here = candidates.iter().enumerate().filter(|(_, candidate)| candidate.at.segment == i);
            let mut wanted: Vec<(u32, usize)> =
                here.filter_map(|(at, candidate)| Some((u32::try_from(candidate.at.local).ok()?, at))).collect();
            wanted.sort_unstable();
            for (n, concept) in concepts.iter().enumerate() {
                for term in &concept.terms {
                    segment.positions(term, &wanted, |at, positions| {
                        found[at].places.extend(positions.iter().map(|position| (*position, n)));
                    })?;
                    segment.headed(term, &wanted, |at| {
                        found[at].headings.insert(n);
                    })?;
                }
            }
            for thing in things {
                thing.weigh(segment, &wanted)?.into_iter().for_each(|(at, weight)| found[at].named += weight);
            }
        }
        Ok(found)
    }

    fn concepts(&self, query: &Query, scope: &Scope) -> Result<Vec<Concept>> {
        let tokens = tokens(&query.text);
        let language = Language::of(&query.words());
        let mut forms: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for token in &tokens {
            match token.form {
                Form::Word if !language.is_stop_word(&token.term) => {
                    forms.entry(language.stem(&token.term)).or_insert_with(|| language.forms(&token.term));
                }
                Form::Bigram => {
                    forms.insert(token.term.clone(), vec![token.term.clone()]);
                }
                _ => {}
            }
        }
        let in_scope = self.in_scope(scope);
        let all = self.population();
        let pages: u64 = self.populations.iter().zip(&in_scope).filter(|(_, is)| **is).map(|(of, _)| of.pages).sum();
        let scoped = Population { pages, words: 0 };
        let mut concepts = Vec::new();
        for forms in forms.into_values().take(MAX_CONCEPTS) {
            // Most forms that a word could have stand nowhere: they are looked up once.
            let mut terms = Vec::new();
            for form in forms {
                if self.has(&form)? {
                    terms.push(form);
                }
            }
            let (df, df_in_scope) = self.pages_with_any(&terms, &in_scope)?;
            if df > 0 {
                let weight = 0.5 * all.idf(df) + 0.5 * scoped.idf(df_in_scope);
                concepts.push(Concept { terms, weight });
            }
        }
        Ok(concepts)
    }

    pub(super) fn has(&self, term: &str) -> Result<bool> {
        for segment in &self.segments {
            if segment.has(term)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many live pages have one of the terms, of all and of those in scope.
    fn pages_with_any(&self, terms: &[String], in_scope: &[bool]) -> Result<(u64, u64)> {
        let (mut all, mut scoped) = (0, 0);
        let is_all = in_scope.iter().all(|is| *is);
        for segment in &self.segments {
            // One term has its number of pages written down.
            if let ([term], true) = (terms, is_all) {
                let df = segment.df(term)?;
                (all, scoped) = (all + df, scoped + df);
                continue;
            }
            segment.pages_with_any(terms, |place| {
                all += 1;
                scoped += u64::from(in_scope.get(place.doc as usize) == Some(&true));
            })?;
        }
        Ok((all, scoped))
    }
}

/// The kinds of page that are asked for, and what they weigh.
fn wishes(query: &[Token]) -> Vec<(&'static str, Kinds, f64)> {
    let figure = ("figure", Kinds::FIGURE, FIGURE_WEIGHT);
    let table = ("table", Kinds::TABLE, TABLE_WEIGHT);
    let figure = wish::is_for_figure(query).then_some(figure);
    figure.into_iter().chain(wish::is_for_amount(query).then_some(table)).collect()
}

impl Found {
    fn shares(&mut self, bm25: f64, weights: &[f64]) -> Vec<Share> {
        self.places.sort_unstable();
        let heading: f64 = self.headings.iter().filter_map(|n| weights.get(*n)).sum();
        let share = |name, value, weight| Share { name, rank: 0, value, score: weight * value, window: None };
        let all = [
            share("bm25", bm25, 1.0),
            share("window", best_window(&self.places, weights), WINDOW_WEIGHT),
            share("heading", heading, HEADING_WEIGHT),
        ];
        all.into_iter().filter(|share| share.value > 0.0).collect()
    }
}

/// The greatest weight of concepts that stand within [`WINDOW`] words; each counts once. `places` are in order.
fn best_window(places: &[(u32, usize)], weights: &[f64]) -> f64 {
    let mut counts = vec![0_usize; weights.len()];
    let (mut first, mut best) = (0, 0.0_f64);
    for (at, (position, concept)) in places.iter().enumerate() {
        while let Some((_, left)) = places.get(first).filter(|(left, _)| position - left >= WINDOW) {
            counts[*left] -= 1;
            first += 1;
        }
        counts[*concept] += 1;
        // Summed anew in the order of concepts: a running sum would depend on what stood before.
        if at + 1 == places.len() || counts[*concept] == 1 {
            let sum = counts.iter().zip(weights).filter(|(count, _)| **count > 0).map(|(_, weight)| weight).sum();
            best = best.max(sum);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_counts_each_word_once() {
        let weights = [1.0, 2.0, 4.0];
        for (places, best) in [
            (vec![], 0.0),
            (vec![(0, 0), (1, 0), (2, 0)], 1.0),
            (vec![(0, 0), (19, 1)], 3.0),
            (vec![(0, 0), (20, 1)], 2.0),
            (vec![(0, 2), (10, 0), (21, 1), (25, 0)], 5.0),
            (vec![(0, 2), (19, 0), (21, 1), (38, 2)], 7.0),
        ] {
            assert_eq!(best_window(&places, &weights), best, "{places:?}");
        }
    }
}
