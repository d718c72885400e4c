//! Models that say how well texts answer a query.

use crate::Result;

/// A model that scores texts against a query.
pub trait Reranker: Send + Sync {
    /// Which model it is. Equal names give equal scores.
    fn name(&self) -> &str;

    /// A score for each text, in their order; higher is better, comparable within one call only.
    ///
    /// # Errors
    /// When the model gives no result.
    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>>;
}

/// A reranker that counts the words of the query that a text holds.
#[cfg(any(test, feature = "fake"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct FakeReranker;

#[cfg(any(test, feature = "fake"))]
impl Reranker for FakeReranker {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>> {
        let score = |text: &&str| query.split_whitespace().filter(|word| text.contains(word)).count() as f32;
        Ok(texts.iter().map(score).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_counts_words() {
        assert_eq!(FakeReranker.rerank("red fox", &["a red fox", "a fox", ""]), Ok(vec![2.0, 1.0, 0.0]));
    }
}
