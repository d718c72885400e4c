//! A reranker that a server runs: `/v1/rerank` of Cohere, Jina, vLLM and llama-server.

use serde_json::json;

use super::http::{Client, Endpoint};
use super::reply;
use crate::{Reranker, Result};

/// Scores texts against a query, all in one request: scores of different requests need not compare.
#[derive(Debug)]
pub struct RemoteReranker {
    client: Client,
}

impl RemoteReranker {
    /// A reranker behind an `http://` address. The endpoint's `batch` has no meaning here.
    ///
    /// # Errors
    /// [`ModelError::Refused`](crate::ModelError::Refused) for any other kind of address, or a key that can be none.
    pub fn new(endpoint: Endpoint) -> Result<Self> {
        Ok(Self { client: Client::new(endpoint)? })
    }
}

impl Reranker for RemoteReranker {
    fn name(&self) -> &str {
        &self.client.endpoint.model
    }

    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let count = texts.len();
        let body = json!({"model": self.client.endpoint.model, "query": query, "documents": texts, "top_n": count});
        self.client.ask(&body, |bytes| reply::scores(bytes, count))
    }
}
