//! What a person finds who looks for the question's own words, n in a row (MADQA's lexical solvability, source 001 table 8).

use std::collections::BTreeSet;

use recto_page::PageId;

use crate::python::word_runs::word_runs;
use crate::row::RankedPage;

/// Pages by the runs of `n` words that they hold.
#[derive(Clone, Debug)]
pub struct CtrlF {
    n: usize,
    pages: Vec<(PageId, BTreeSet<String>)>,
}

impl CtrlF {
    /// Takes pages with their texts. `n` is at least 1.
    pub fn new<'t>(n: usize, texts: impl IntoIterator<Item = (PageId, &'t str)>) -> Self {
        let n = n.max(1);
        Self { n, pages: texts.into_iter().map(|(page, text)| (page, runs(text, n))).collect() }
    }

    /// Pages with at least one run of the query; their score is how many they have.
    pub fn rank(&self, query: &str) -> Vec<RankedPage> {
        let wanted = runs(query, self.n);
        let ranked = |(page, has): &(PageId, BTreeSet<String>)| {
            let score = wanted.intersection(has).count() as f64;
            (score > 0.0).then(|| RankedPage { page: page.clone(), score })
        };
        let mut ranking: Vec<RankedPage> = self.pages.iter().filter_map(ranked).collect();
        ranking.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.page.cmp(&b.page)));
        ranking
    }
}

fn runs(text: &str, n: usize) -> BTreeSet<String> {
    word_runs(text).windows(n).map(|run| run.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};

    use super::*;

    #[test]
    fn longer_runs_find_fewer_pages() {
        let texts = ["The toll is 35 crowns", "35 crowns was the old toll", "Nothing"];
        let page = |at| PageId::new(DocId::new("a"), PageNumber::from_index(at));
        for (n, found) in [(1, vec![0, 1]), (2, vec![0, 1]), (3, vec![0, 1]), (4, vec![0]), (9, vec![])] {
            let baseline = CtrlF::new(n, texts.iter().enumerate().map(|(at, text)| (page(at), *text)));
            let ours: Vec<usize> = baseline
                .rank("What is the old toll is 35 crowns?")
                .iter()
                .map(|ranked| ranked.page.page.index())
                .collect();
            assert_eq!(ours, found, "{n}");
        }
    }
}
