//! The pages that a question is looked up on, with the places of its terms. Nothing is kept between questions.

use std::collections::{BTreeMap, BTreeSet};

use recto_page::{DocId, Page, PageId, PageNumber, Pages};
use recto_search::{Ranking, Scope, Search, SearchError};

use super::Options;
use super::term::{for_each_term, is_general, is_spaceless, terms};
use crate::{Coverage, Question, Result};

/// The pages in scope, or the best of them if they are too many to read.
pub(crate) struct Reading {
    pub(crate) pages: Vec<Read>,
    pub(crate) coverage: Coverage,
    /// The pages that the question names, as far as whoever searches can tell.
    pub(crate) named: BTreeSet<PageId>,
    /// The documents in scope, with their numbers of pages.
    pub(crate) documents: Vec<(DocId, u32)>,
    /// Lines that hold each of the question's terms.
    pub(crate) frequency: Vec<usize>,
}

/// Relations of a term to what stands elsewhere: in a document about it, on its page, in its document.
pub(crate) const SUBJECT: f64 = 0.7;
const ON_PAGE: f64 = 0.25;
pub(super) const IN_DOCUMENT: f64 = 0.1;

/// A page that was read.
pub(crate) struct Read {
    pub(crate) id: PageId,
    pub(crate) page: Page,
    /// Which word holds which of the question's terms.
    pub(crate) matches: Vec<(usize, usize)>,
    /// Least relation of each term to anything on the page: by the page, by its document, by what that is about.
    pub(crate) base: Vec<f64>,
    /// Which word stands below a head, on an earlier page, that holds which of the question's terms.
    pub(crate) headed: Vec<(usize, usize)>,
    /// Weight of each of the question's terms: those that are rare in the document weigh more, missing ones most. Other
    /// documents make no difference, so that a question says the same of a page whatever else is asked.
    pub(crate) weights: Vec<f64>,
    /// Its share of the search's best score, 0 if the search did not find it.
    pub(crate) found: f64,
}

impl Reading {
    pub(crate) fn new(
        question: &mut Question,
        scope: &Scope,
        search: &dyn Search,
        pages: &dyn Pages,
        options: &Options,
    ) -> Result<Self> {
        let ranking = ranking(question, scope, search, options)?;
        let named = search.named(&question.asked, scope)?;
        let documents = documents(scope, &ranking, pages)?;
        let n_pages = documents.iter().map(|(_, n)| n).sum();
        let total: Option<u32> = matches!(scope, Scope::Documents(_)).then_some(n_pages);
        let hits = ranking.0.iter().map(|hit| hit.page.clone()).filter(|page| scope.holds(&page.doc));
        let by_number = if n_pages <= options.max_pages { Vec::new() } else { named_pages(question, &documents) };
        let whole = whole_documents(&ranking, &documents, options.max_pages);
        let whole =
            whole.into_iter().flat_map(|(doc, n)| PageNumber::first(*n).map(move |p| PageId::new(doc.clone(), p)));
        let ids: BTreeSet<PageId> = hits.chain(by_number).chain(named.iter().cloned()).chain(whole).collect();
        let found = shares(&ranking);
        let mut read = Vec::new();
        for id in ids {
            let Some(page) = pages.page(&id)? else { continue };
            let page = super::sheet::with_layer(page);
            read.push(Read {
                found: found.get(&id).copied().unwrap_or(0.0),
                id,
                page,
                matches: Vec::new(),
                base: Vec::new(),
                headed: Vec::new(),
                weights: Vec::new(),
            });
        }
        match_terms(question, &mut read);
        let headed = super::headed::headed(&read);
        read.iter_mut().zip(headed).for_each(|(read, headed)| read.headed = headed);
        let with_text = read.iter().filter(|r| !r.page.text_layer.is_empty()).count();
        let coverage = Coverage { read: count(read.len()), with_text: count(with_text), of: total };
        let frequency = weigh(question, &mut read);
        let mut reading = Self { pages: read, coverage, named, documents, frequency };
        reading.find_bases(question);
        Ok(reading)
    }

    /// A term that is on the page, or elsewhere in its document, speaks a little for whatever stands there; one that
    /// names the document or stands on nearly all of its pages speaks much.
    fn find_bases(&mut self, question: &Question) {
        let names: BTreeSet<String> = question.names.iter().flat_map(|name| terms(name)).collect();
        let mut on_pages: BTreeMap<&DocId, (usize, Vec<usize>)> = BTreeMap::new();
        for read in &self.pages {
            let (n, seen) = on_pages.entry(&read.id.doc).or_insert_with(|| (0, vec![0; question.terms.len()]));
            *n += 1;
            let terms: BTreeSet<usize> = read.matches.iter().map(|&(_, t)| t).collect();
            terms.into_iter().for_each(|t| seen[t] += 1);
        }
        let bases: Vec<Vec<f64>> = self
            .pages
            .iter()
            .map(|read| {
                let Some((n, seen)) = on_pages.get(&read.id.doc) else { return Vec::new() };
                let named = terms(read.id.doc.as_str());
                let base = |(t, term): (usize, &String)| {
                    let here = read.matches.iter().any(|&(_, m)| m == t);
                    let subject = named.contains(term) || *n >= 3 && 10 * seen[t] >= 9 * *n;
                    match (subject, here, seen[t] > 0) {
                        (true, ..) => SUBJECT,
                        (_, true, _) => ON_PAGE,
                        (.., true) if names.contains(term) => ON_PAGE,
                        (.., true) => IN_DOCUMENT,
                        _ => 0.0,
                    }
                };
                question.terms.iter().enumerate().map(base).collect()
            })
            .collect();
        self.pages.iter_mut().zip(bases).for_each(|(read, base)| read.base = base);
    }

    /// True if the name of a document in scope holds `word` (in lower case, at least four letters).
    pub(crate) fn in_file_name(&self, word: &str) -> bool {
        self.documents.iter().any(|(doc, _)| is_named(doc, word))
    }
}

impl Read {
    /// Sum of the weights of all terms, above 0.
    pub(crate) fn total_weight(&self) -> f64 {
        self.weights.iter().sum::<f64>().max(1e-9)
    }

    /// Share of the question that the terms say for which `said`, 0 to 1.
    pub(crate) fn weighed(&self, said: &[bool]) -> f64 {
        said.iter().zip(&self.weights).filter(|(s, _)| **s).map(|(_, w)| w).sum::<f64>() / self.total_weight()
    }

    /// Share of the question that `words` themselves say.
    pub(crate) fn share(&self, words: &[usize]) -> f64 {
        let mut said = vec![false; self.weights.len()];
        self.matches.iter().filter(|(w, _)| words.contains(w)).for_each(|&(_, term)| said[term] = true);
        self.weighed(&said)
    }

    /// How well the page covers the question, 0 to 1, terms that come often counting a little more.
    pub(crate) fn score(&self) -> f64 {
        let mut times = vec![0.0f64; self.weights.len()];
        for &(_, term) in &self.matches {
            times[term] += 1.0;
        }
        let sum: f64 = times.iter().zip(&self.weights).map(|(n, w)| w * n / (n + 0.5)).sum();
        sum / self.total_weight() + 0.15 * self.found
    }
}

/// True if the name of a document holds `word` (in lower case, at least four letters).
fn is_named(doc: &DocId, word: &str) -> bool {
    word.len() >= 4 && doc.as_str().to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|w| w == word)
}

/// The documents that are read whole, with their numbers of pages: those of the best hits first, then the others, as long
/// as they have at most `most` pages together.
fn whole_documents<'d>(ranking: &Ranking, documents: &'d [(DocId, u32)], most: u32) -> Vec<&'d (DocId, u32)> {
    let rank = |doc: &DocId| ranking.0.iter().position(|hit| hit.page.doc == *doc).unwrap_or(usize::MAX);
    let mut ranked: Vec<&(DocId, u32)> = documents.iter().collect();
    ranked.sort_by_cached_key(|(doc, _)| rank(doc));
    let mut left = most;
    ranked.retain(|(_, n)| left.checked_sub(*n).inspect(|less| left = *less).is_some());
    ranked
}

/// Finds the question's terms on the pages; one that stands nowhere is replaced by one that it could be misspelt from.
fn match_terms(question: &mut Question, read: &mut [Read]) {
    find_matches(question, read);
    let mut seen = vec![false; question.terms.len()];
    read.iter().flat_map(|r| &r.matches).for_each(|&(_, term)| seen[term] = true);
    let missing: Vec<usize> = (0..seen.len()).filter(|&t| !seen[t]).collect();
    let corrections: Vec<(usize, String)> =
        missing.into_iter().filter_map(|t| Some((t, corrected(question, t, read)?))).collect();
    if !corrections.is_empty() {
        corrections.into_iter().for_each(|(t, term)| question.terms[t] = term);
        find_matches(question, read);
    }
}

/// What the term at this position could be misspelt from. Whole words are compared, as stems are short.
fn corrected(question: &Question, term: usize, read: &[Read]) -> Option<String> {
    let words = question.asked.split(|c: char| !c.is_alphanumeric());
    let word = words.into_iter().find(|w| terms(w).first() == question.terms.get(term))?;
    let right = super::spelling::correction(word, read.iter().map(|r| &r.page))?;
    terms(right).into_iter().next()
}

fn find_matches(question: &Question, read: &mut [Read]) {
    let terms: BTreeMap<&str, usize> = question.terms.iter().enumerate().map(|(i, t)| (t.as_str(), i)).collect();
    for read in read {
        read.matches = matches(&read.page, &terms);
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The documents in scope; of the whole corpus those in which the search found something.
fn documents(scope: &Scope, ranking: &Ranking, pages: &dyn Pages) -> Result<Vec<(DocId, u32)>> {
    let docs = match scope {
        Scope::Documents(docs) => docs.clone(),
        Scope::All => ranking.0.iter().map(|hit| hit.page.doc.clone()).collect(),
    };
    let mut found = Vec::new();
    for doc in docs {
        found.extend(pages.n_pages(&doc)?.map(|n| (doc, n)));
    }
    Ok(found)
}

/// The search's ranking; a question without words to search for has an empty one.
fn ranking(question: &Question, scope: &Scope, search: &dyn Search, options: &Options) -> Result<Ranking> {
    match search.search(&question.asked, scope, options.top_k) {
        Err(SearchError::EmptyQuery) => Ok(Ranking::default()),
        result => Ok(result?),
    }
}

/// Pages that the question names by their physical number.
fn named_pages(question: &Question, documents: &[(DocId, u32)]) -> Vec<PageId> {
    let numbers = |n: u32| {
        question.pages.iter().filter_map(move |p| if p == "last" { PageNumber::new(n) } else { p.parse().ok() })
    };
    documents.iter().flat_map(|(doc, n)| numbers(*n).map(|p| PageId::new(doc.clone(), p))).collect()
}

fn shares(ranking: &Ranking) -> BTreeMap<PageId, f64> {
    let best = ranking.0.first().map_or(1.0, |hit| hit.score).max(1e-9);
    ranking.0.iter().map(|hit| (hit.page.clone(), hit.score / best)).collect()
}

fn matches(page: &Page, terms: &BTreeMap<&str, usize>) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (i, word) in page.text_layer.words.iter().enumerate() {
        for_each_term(&word.text, |term| {
            let known = terms.get(term).copied();
            found.extend(known.or_else(|| compound(terms, term)).map(|t| (i, t)));
        });
    }
    found
}

/// The term that a longer word begins with, as `rain` begins `rainfall`.
fn compound(terms: &BTreeMap<&str, usize>, word: &str) -> Option<usize> {
    let begins = |t: &&str| t.len() >= 4 && t.is_ascii() && word.len() >= t.len() + 4 && word.starts_with(*t);
    terms.iter().find(|(t, _)| begins(t)).map(|(_, at)| *at)
}

/// Weighs the question's terms for each page by its document's lines, and tells how many lines of all hold each.
fn weigh(question: &Question, read: &mut [Read]) -> Vec<usize> {
    let mut all = vec![0usize; question.terms.len()];
    for document in read.chunk_by_mut(|a, b| a.id.doc == b.id.doc) {
        let (n_lines, frequency) = frequencies(document, question.terms.len());
        let Some(doc) = document.first().map(|read| read.id.doc.clone()) else { continue };
        let weight = |(term, &n): (&String, &usize)| rarity(n, n_lines) * factor(question, &doc, term, n);
        let weights: Vec<f64> = question.terms.iter().zip(&frequency).map(weight).collect();
        document.iter_mut().for_each(|read| read.weights.clone_from(&weights));
        all.iter_mut().zip(frequency).for_each(|(all, n)| *all += n);
    }
    all
}

/// The number of lines, and of those that hold each term.
fn frequencies(read: &[Read], n_terms: usize) -> (usize, Vec<usize>) {
    let mut frequency = vec![0usize; n_terms];
    for read in read {
        let layer = &read.page.text_layer;
        let line = |word: usize| layer.lines.partition_point(|l| l.words.end <= word);
        let seen: BTreeSet<(usize, usize)> = read.matches.iter().map(|&(w, t)| (line(w), t)).collect();
        for (_, term) in seen {
            frequency[term] += 1;
        }
    }
    (read.iter().map(|read| read.page.text_layer.lines.len()).sum(), frequency)
}

/// Inverse line frequency: `ln(1 + (N - n + 0.5) / (n + 0.5))`, as BM25 weighs documents.
fn rarity(n: usize, n_lines: usize) -> f64 {
    (1.0 + (n_lines.saturating_sub(n) as f64 + 0.5) / (n as f64 + 0.5)).ln()
}

/// What the whole document is about, as its name says, tells no page from another.
/// General words, and those that the unit of a value says, weigh little too.
fn factor(question: &Question, doc: &DocId, term: &String, n: usize) -> f64 {
    let half_seen = n == 0 && term.starts_with(is_spaceless);
    if is_named(doc, term) || half_seen {
        0.2
    } else if is_general(term) || question.measure.terms.contains(term) {
        0.35
    } else {
        1.0
    }
}
