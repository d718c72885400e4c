//! What servers answer: vectors and scores, in the order of what was sent.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::http::bad_reply;
use crate::{MultiVector, Result, Vector};

/// A vector as numbers, or as 32-bit numbers with the lowest byte first in base64.
#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    Plain(Vector),
    Base64(String),
}

#[derive(Deserialize)]
struct List<T> {
    data: Vec<T>,
}

#[derive(Deserialize)]
struct Embedding {
    #[serde(default)]
    index: usize,
    embedding: Numbers,
}

#[derive(Deserialize)]
struct Pooled {
    #[serde(default)]
    index: usize,
    data: MultiVector,
}

#[derive(Deserialize)]
struct Cohere {
    embeddings: CohereTypes,
}

#[derive(Deserialize)]
struct CohereTypes {
    float: MultiVector,
}

#[derive(Deserialize)]
struct Results {
    results: Vec<Scored>,
}

#[derive(Deserialize)]
struct Scored {
    index: usize,
    #[serde(alias = "score")]
    relevance_score: f32,
}

/// `{"data": [{"index", "embedding"}]}` of `/v1/embeddings`, one for each of `count` inputs.
pub(super) fn embeddings(body: &[u8], count: usize, dim: usize) -> Result<Vec<Vector>> {
    let data: List<Embedding> = json(body)?;
    let vectors = data.data.into_iter().map(|one| Ok((one.index, plain(one.embedding)?))).collect::<Result<_>>()?;
    checked(in_order(vectors, count)?, dim)
}

/// `{"data": [{"index", "data": [[..], ..]}]}` of `/pooling`.
pub(super) fn pooled(body: &[u8], count: usize, dim: usize) -> Result<Vec<MultiVector>> {
    let data: List<Pooled> = json(body)?;
    let pages = in_order(data.data.into_iter().map(|one| (one.index, one.data)).collect(), count)?;
    pages.into_iter().map(|page| checked(page, dim)).collect()
}

/// `{"embeddings": {"float": [[..], ..]}}` of `/v2/embed`.
pub(super) fn cohere(body: &[u8], count: usize, dim: usize) -> Result<Vec<Vector>> {
    let reply: Cohere = json(body)?;
    checked(in_order(reply.embeddings.float.into_iter().enumerate().collect(), count)?, dim)
}

/// `{"results": [{"index", "relevance_score"}]}` of `/v1/rerank`.
pub(super) fn scores(body: &[u8], count: usize) -> Result<Vec<f32>> {
    let reply: Results = json(body)?;
    let scores = in_order(reply.results.into_iter().map(|one| (one.index, one.relevance_score)).collect(), count)?;
    if scores.iter().all(|score| score.is_finite()) { Ok(scores) } else { Err(bad_reply("a score that is no number")) }
}

fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(bad_reply)
}

fn plain(numbers: Numbers) -> Result<Vector> {
    match numbers {
        Numbers::Plain(vector) => Ok(vector),
        Numbers::Base64(text) => {
            let bytes = BASE64_STANDARD.decode(text.trim_end()).map_err(bad_reply)?;
            Ok(bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect())
        }
    }
}

/// Each of the places 0 to `count` once.
fn in_order<T>(mut results: Vec<(usize, T)>, count: usize) -> Result<Vec<T>> {
    results.sort_by_key(|(index, _)| *index);
    if !results.iter().map(|(index, _)| *index).eq(0..count) {
        return Err(bad_reply(format!("not one result for each of {count} inputs")));
    }
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

fn checked(vectors: Vec<Vector>, dim: usize) -> Result<Vec<Vector>> {
    match vectors.iter().find(|vector| vector.len() != dim) {
        Some(vector) => Err(bad_reply(format!("a vector of {} dimensions, not {dim}", vector.len()))),
        None if vectors.iter().flatten().all(|value| value.is_finite()) => Ok(vectors),
        None => Err(bad_reply("a vector with what is no number")),
    }
}
