//! What a search returns: pages with scores, best first.

use std::collections::BTreeSet;

use recto_page::{DocId, PageId};
use serde::Serialize;

/// Pages, best first: by score descending, then by [`PageId`]. Every score is above 0.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Ranking(pub Vec<Hit>);

/// A page that was found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Hit {
    /// The page.
    pub page: PageId,
    /// Its score; comparable within one ranking only.
    pub score: f64,
    /// What the score is made of; the parts sum to it.
    pub parts: Vec<Part>,
}

/// One term's share of a score.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part {
    /// The index term.
    pub term: String,
    /// Its share.
    pub score: f64,
}

/// Which documents a search looks at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// All of the corpus.
    #[default]
    All,
    /// These documents only. Statistics (N, df, average length) stay those of the whole corpus: within one document they
    /// rank better than its own (a right page first for 47.5 % instead of 42.5 % of 221 questions), since a word that
    /// the document uses on every page can still be what the question is about.
    Documents(BTreeSet<DocId>),
}

/// Whoever can search: the index, or a fake in tests.
pub trait Search {
    /// The best `k` pages for the words of `text`, which is taken as plain words: no operator in it has an effect.
    ///
    /// # Errors
    /// When `text` holds nothing to search for, or the index can't be read.
    fn search(&self, text: &str, scope: &Scope, k: usize) -> crate::Result<Ranking>;
}
