//! VisDocAgentBench's BM25: every page is ranked, those without a word of the query too.

use std::collections::BTreeMap;

use recto_page::PageId;

use crate::python::word_runs::word_runs;
use crate::row::RankedPage;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Pages that can be ranked.
#[derive(Clone, Debug)]
pub struct Bm25 {
    pages: Vec<PageId>,
    /// Number of words of each page.
    lengths: Vec<f64>,
    /// Their mean, rounded to a 32-bit float as in the reference.
    mean: f64,
    /// By word: (position of the page, how often).
    postings: BTreeMap<String, Vec<(usize, u32)>>,
}

impl Bm25 {
    /// Takes pages with their texts.
    pub fn new<'t>(texts: impl IntoIterator<Item = (PageId, &'t str)>) -> Self {
        let (mut pages, mut lengths) = (Vec::new(), Vec::new());
        let mut postings: BTreeMap<String, Vec<(usize, u32)>> = BTreeMap::new();
        for (at, (page, text)) in texts.into_iter().enumerate() {
            let words = word_runs(text);
            lengths.push(words.len() as f64);
            let mut counts = BTreeMap::new();
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
            counts.into_iter().for_each(|(word, n)| postings.entry(word).or_default().push((at, n)));
            pages.push(page);
        }
        let mean = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64) as f32;
        Self { pages, lengths, mean: mean.into(), postings }
    }

    /// All pages: by score descending, then by page. A word that the query has twice counts twice.
    pub fn rank(&self, query: &str) -> Vec<RankedPage> {
        let mut scores = vec![0.0; self.pages.len()];
        let mut words: BTreeMap<String, u32> = BTreeMap::new();
        word_runs(query).into_iter().for_each(|word| *words.entry(word).or_default() += 1);
        for (word, n_query) in words {
            let Some(postings) = self.postings.get(&word) else { continue };
            let (n, df) = (self.pages.len() as f64, postings.len() as f64);
            let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln() * f64::from(n_query);
            for (at, count) in postings {
                let tf = f64::from(*count);
                let norm = K1 * (1.0 - B + B * self.lengths[*at] / self.mean);
                scores[*at] += idf * tf * (K1 + 1.0) / (tf + norm);
            }
        }
        let mut ranking: Vec<RankedPage> =
            self.pages.iter().zip(scores).map(|(page, score)| RankedPage { page: page.clone(), score }).collect();
        ranking.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.page.cmp(&b.page)));
        ranking
    }
}
