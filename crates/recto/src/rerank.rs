//! A second look at the first pages of a ranking: a model behind `/v1/rerank` reads what each of them says about the query
//! and orders them anew. What users write, and what is sent.

use std::time::Duration;

use recto_model::remote::{Endpoint, Key, RemoteReranker};
use recto_page::{Page, Pages};
use recto_search::{Query, Ranking, rerank, snippet_of};

use crate::percent;

/// A reranker as a user names it: `http://host:8000/v1/rerank#model=NAME&top=50`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    url: String,
    model: String,
    /// So many pages are looked at.
    pub(crate) top: usize,
}

const TOP: usize = 50;
/// About the length of what is sent of a page: what most models read, about 500 tokens.
const PASSAGE_CHARS: usize = 2000;
const TIMEOUT: Duration = Duration::from_secs(60);
const PATIENCE: Duration = Duration::from_secs(20);

impl Spec {
    /// Reads what the user wrote; nothing if that is empty.
    ///
    /// # Errors
    /// What was expected.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let expected = || "http://host:8000/v1/rerank#model=NAME, with &top=N for the number of pages".to_owned();
        let (url, rest) = text.split_once('#').unwrap_or((text, ""));
        let mut spec = Self { url: url.into(), model: String::new(), top: TOP };
        for (key, value) in rest.split('&').filter(|pair| !pair.is_empty()).filter_map(|pair| pair.split_once('=')) {
            match key {
                "model" => spec.model = percent::decoded(value),
                "top" => {
                    let top = value.parse().ok().filter(|top| (1..=1000).contains(top));
                    spec.top = top.ok_or("a top from 1 to 1000")?;
                }
                _ => return Err(expected()),
            }
        }
        let is_usable = !spec.model.is_empty() && spec.open(None).is_ok();
        is_usable.then_some(Some(spec)).ok_or_else(expected)
    }

    fn open(&self, key: Option<Key>) -> recto_model::Result<RemoteReranker> {
        let (url, model) = (self.url.clone(), self.model.clone());
        RemoteReranker::new(Endpoint { url, key, model, timeout: TIMEOUT, patience: PATIENCE, batch: 1 })
    }

    /// The ranking with its first pages ordered by the model.
    ///
    /// # Errors
    /// When the model gives no scores or a page can't be read.
    pub(crate) fn rerank(
        &self,
        ranking: Ranking,
        query: &Query,
        pages: &dyn Pages,
        key: Option<Key>,
    ) -> anyhow::Result<Ranking> {
        let mut passages = Vec::new();
        for hit in ranking.0.iter().take(self.top) {
            let text = pages.page(&hit.page)?.as_ref().map(Page::text).unwrap_or_default();
            passages.push(snippet_of(hit, query, None, &text, PASSAGE_CHARS).text);
        }
        Ok(rerank(ranking, &query.text, &passages, &self.open(key)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reranker_is_an_address_and_a_model() {
        let spec = Spec::parse("http://h:1/v1/rerank#model=a%2Fb&top=7").unwrap().unwrap();
        assert_eq!((spec.url.as_str(), spec.model.as_str(), spec.top), ("http://h:1/v1/rerank", "a/b", 7));
        assert_eq!(Spec::parse(""), Ok(None));
        for wrong in ["http://h/v1/rerank", "h#model=m", "http://h/#model=m&top=0", "http://h/#model=m&what=1"] {
            assert!(Spec::parse(wrong).is_err(), "{wrong}");
        }
    }
}
