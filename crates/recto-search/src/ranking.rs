//! What a search returns: pages with scores, best first.

use std::collections::BTreeSet;

use recto_page::{DocId, PageId};
use serde::Serialize;

/// Pages, best first: by score descending, then by [`PageId`]. Every score of words is above 0; one of vectors can be any.
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
    /// The terms by which its words were found; the parts sum to the score of `bm25`. Empty if they were not.
    pub parts: Vec<Part>,
    /// What routes of vectors, or several routes together, gave the page; the shares sum to its score. Empty if only its
    /// words were looked for.
    pub shares: Vec<Share>,
}

/// What a route, or something else that a ranking looks at, gave a page.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    /// Which one.
    pub name: &'static str,
    /// The page's place in its own ranking, from 1; 0 where it has none.
    pub rank: u32,
    /// Its own score for the page.
    pub value: f64,
    /// What that adds to the page's score.
    pub score: f64,
    /// Which window of the page's text was nearest, from 0, as its encoder cuts them.
    pub window: Option<u32>,
}

impl Ranking {
    /// Puts hits in their order.
    pub(crate) fn sort(&mut self) {
        self.0.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.page.cmp(&b.page)));
    }
}

/// One term's share of a score.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Part {
    /// The index term; of words side by side, the words with a space between.
    pub term: String,
    /// Its share.
    pub score: f64,
    /// How often it stands on the page.
    pub count: u32,
    /// On how many pages of the corpus it stands.
    pub pages: u64,
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

impl Scope {
    /// Whether a document is looked at.
    pub fn holds(&self, doc: &DocId) -> bool {
        match self {
            Self::All => true,
            Self::Documents(documents) => documents.contains(doc),
        }
    }
}

/// Whoever can search: the index, or a fake in tests.
pub trait Search {
    /// The best `k` pages for the words of `text`, which is taken as plain words: no operator in it has an effect.
    ///
    /// # Errors
    /// When `text` holds nothing to search for, or the index can't be read.
    fn search(&self, text: &str, scope: &Scope, k: usize) -> crate::Result<Ranking>;

    /// The pages of the documents in scope that `text` names by number, label or place (`page 7`, `the last slide`); none of
    /// the whole corpus, and none from who can't tell.
    ///
    /// # Errors
    /// When the index can't be read.
    fn named(&self, _text: &str, _scope: &Scope) -> crate::Result<BTreeSet<PageId>> {
        Ok(BTreeSet::new())
    }
}
