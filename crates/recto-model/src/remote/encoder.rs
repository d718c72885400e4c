//! Encoders that a server runs.

use recto_page::PageImage;
use serde_json::{Value, json};

use super::http::{Client, Endpoint};
use super::picture::data_url;
use super::reply;
use crate::local::normalise;
use crate::{
    Identity, ModelError, MultiVector, PageEncoder, PageInput, Result, TextEncoder, TokenEncoder, Vector, in_batches,
};

/// The shape of requests and replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmbeddingApi {
    /// `/v1/embeddings` of OpenAI, vLLM, llama-server and others: texts; vectors as numbers.
    OpenAi,
    /// The same with vectors in base64: a third of the bytes.
    OpenAiBase64,
    /// `/v1/embeddings` of vLLM with `messages`: texts and pictures, one a request.
    VllmChat,
    /// `/v2/embed` of Cohere and vLLM: texts and pictures.
    Cohere,
}

/// An encoder of texts, and of pictures where its shape of requests has them: one vector each.
#[derive(Debug)]
pub struct RemoteEncoder {
    client: Client,
    api: EmbeddingApi,
    identity: Identity,
}

impl RemoteEncoder {
    /// An encoder behind an `http://` address. `identity` is what its vectors are taken to be: their dimensions are
    /// checked; if they are to be normalised, they are; its prefixes are written before texts.
    ///
    /// # Errors
    /// [`ModelError::Refused`] for any other kind of address, or a key that can be none.
    pub fn new(endpoint: Endpoint, api: EmbeddingApi, identity: Identity) -> Result<Self> {
        Ok(Self { client: Client::new(endpoint)?, api, identity })
    }

    fn texts(&self, texts: &[&str], side: Side) -> Result<Vec<Vector>> {
        let prefix = side.of(&self.identity);
        let prefixed: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let model = &self.client.endpoint.model;
        let vectors = self.batches(&prefixed, |texts| match self.api {
            EmbeddingApi::OpenAi => Ok(json!({"model": model, "input": texts, "encoding_format": "float"})),
            EmbeddingApi::OpenAiBase64 => Ok(json!({"model": model, "input": texts, "encoding_format": "base64"})),
            EmbeddingApi::VllmChat => {
                let content: Vec<Value> = texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
                Ok(chat(model, content))
            }
            EmbeddingApi::Cohere => Ok(json!({"model": model, "texts": texts, "input_type": side.cohere(),
                "embedding_types": ["float"], "truncate": "END"})),
        })?;
        let is_told = |(text, vector): (&&str, &Vector)| !says(text) || tells(vector);
        if texts.iter().zip(&vectors).all(is_told) { Ok(vectors) } else { Err(zeros()) }
    }

    fn pictures(&self, images: &[PageImage]) -> Result<Vec<Vector>> {
        let model = &self.client.endpoint.model;
        let text = &self.identity.prefix.page;
        let vectors = self.batches(images, |images| {
            let part = |image| Ok(json!({"type": "image_url", "image_url": {"url": data_url(image)?}}));
            let parts = images.iter().map(part).collect::<Result<Vec<_>>>()?;
            match self.api {
                EmbeddingApi::VllmChat => Ok(chat(model, with_text(parts, text))),
                EmbeddingApi::Cohere => {
                    let inputs = parts.into_iter().map(|part| json!({"content": with_text(vec![part], text)}));
                    let inputs: Vec<Value> = inputs.collect();
                    Ok(json!({"model": model, "inputs": inputs, "input_type": Side::Page.cohere(),
                        "embedding_types": ["float"], "truncate": "END"}))
                }
                EmbeddingApi::OpenAi | EmbeddingApi::OpenAiBase64 => Err(ModelError::WrongInput { wanted: "texts" }),
            }
        })?;
        if vectors.iter().all(tells) { Ok(vectors) } else { Err(zeros()) }
    }

    fn batches<I>(&self, inputs: &[I], body: impl Fn(&[I]) -> Result<Value>) -> Result<Vec<Vector>> {
        let dim = self.identity.dim as usize;
        let read = match self.api {
            EmbeddingApi::Cohere => reply::cohere,
            EmbeddingApi::OpenAi | EmbeddingApi::OpenAiBase64 | EmbeddingApi::VllmChat => reply::embeddings,
        };
        let ask = |part: &[I]| self.client.ask(&body(part)?, |bytes| read(bytes, part.len(), dim));
        let mut vectors = all(inputs, self.per_request(), ask)?;
        if self.identity.normalised {
            vectors.iter_mut().for_each(normalise);
        }
        Ok(vectors)
    }

    fn per_request(&self) -> usize {
        if self.api == EmbeddingApi::VllmChat { 1 } else { self.client.endpoint.batch.max(1) }
    }
}

/// Whether a text holds what a vector can tell.
fn says(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Whether a vector has a direction: one of zeros is as near to this as to that, and its page is never found by it.
fn tells(vector: &Vector) -> bool {
    vector.iter().any(|value| *value != 0.0)
}

fn zeros() -> ModelError {
    ModelError::BadReply { why: "a vector of zeros, which tells nothing; is it the right model?".into() }
}

/// Whether a text is of a page or a query.
#[derive(Clone, Copy)]
enum Side {
    Page,
    Query,
}

impl Side {
    fn of(self, identity: &Identity) -> &str {
        match self {
            Self::Page => &identity.prefix.page,
            Self::Query => &identity.prefix.query,
        }
    }

    fn cohere(self) -> &'static str {
        match self {
            Self::Page => "search_document",
            Self::Query => "search_query",
        }
    }
}

fn with_text(mut parts: Vec<Value>, text: &str) -> Vec<Value> {
    if !text.is_empty() {
        parts.push(json!({"type": "text", "text": text}));
    }
    parts
}

fn chat(model: &str, content: Vec<Value>) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": content}], "encoding_format": "float"})
}

/// The results of all batches; the first failure is the result.
fn all<I, V>(inputs: &[I], batch: usize, encode: impl Fn(&[I]) -> Result<Vec<V>>) -> Result<Vec<V>> {
    let mut results = Vec::with_capacity(inputs.len());
    in_batches(inputs, batch, encode, |_, part| {
        results.extend(part);
        Ok::<(), ModelError>(())
    })?;
    Ok(results)
}

impl TextEncoder for RemoteEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn batch(&self) -> usize {
        self.per_request()
    }

    fn encode_pages(&self, texts: &[&str]) -> Result<Vec<Vector>> {
        self.texts(texts, Side::Page)
    }

    fn encode_query(&self, query: &str) -> Result<Vector> {
        Ok(self.texts(&[query], Side::Query)?.pop().unwrap_or_default())
    }
}

impl PageEncoder for RemoteEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn batch(&self) -> usize {
        self.per_request()
    }

    fn encode_pages(&self, images: &[PageImage]) -> Result<Vec<Vector>> {
        self.pictures(images)
    }

    fn encode_query(&self, query: &str) -> Result<Vector> {
        TextEncoder::encode_query(self, query)
    }
}

/// An encoder behind vLLM's `/pooling`: one vector for each token or patch.
#[derive(Debug)]
pub struct RemoteTokenEncoder {
    client: Client,
    identity: Identity,
}

impl RemoteTokenEncoder {
    /// As [`RemoteEncoder::new`]. With `dpi` in its identity it wants pictures of pages, otherwise texts.
    ///
    /// # Errors
    /// [`ModelError::Refused`] as there.
    pub fn new(endpoint: Endpoint, identity: Identity) -> Result<Self> {
        Ok(Self { client: Client::new(endpoint)?, identity })
    }

    fn texts(&self, texts: &[&str], side: Side) -> Result<Vec<MultiVector>> {
        let prefix = side.of(&self.identity);
        let prefixed: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let body = |part: &[String]| json!({"model": self.client.endpoint.model, "input": part, "task": "token_embed"});
        let pages = all(&prefixed, self.client.endpoint.batch, |part| self.ask(&body(part), part.len()))?;
        let is_told = |(text, page): (&&str, &MultiVector)| !says(text) || page.is_empty() || page.iter().any(tells);
        if texts.iter().zip(&pages).all(is_told) { Ok(pages) } else { Err(zeros()) }
    }

    fn picture(&self, image: &PageImage) -> Result<MultiVector> {
        let part = json!({"type": "image_url", "image_url": {"url": data_url(image)?}});
        let content = with_text(vec![part], &self.identity.prefix.page);
        Ok(self.ask(&chat(&self.client.endpoint.model, content), 1)?.pop().unwrap_or_default())
    }

    fn ask(&self, body: &Value, count: usize) -> Result<Vec<MultiVector>> {
        let dim = self.identity.dim as usize;
        let mut pages = self.client.ask(body, |bytes| reply::pooled(bytes, count, dim))?;
        if self.identity.normalised {
            pages.iter_mut().flatten().for_each(normalise);
        }
        Ok(pages)
    }
}

impl TokenEncoder for RemoteTokenEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn batch(&self) -> usize {
        if self.identity.dpi.is_some() { 1 } else { self.client.endpoint.batch.max(1) }
    }

    fn encode_pages(&self, pages: &[PageInput<'_>]) -> Result<Vec<MultiVector>> {
        let pictures = self.identity.dpi.is_some();
        let text = |page: &PageInput<'_>| matches!(page, PageInput::Text(_));
        if pages.iter().any(|page| text(page) == pictures) {
            return Err(ModelError::WrongInput { wanted: if pictures { "pictures" } else { "texts" } });
        }
        let mut texts = Vec::new();
        let mut images = Vec::new();
        for page in pages {
            match page {
                PageInput::Text(text) => texts.push(*text),
                PageInput::Image(image) => images.push(self.picture(image)?),
            }
        }
        if pictures { Ok(images) } else { self.texts(&texts, Side::Page) }
    }

    fn encode_query(&self, query: &str) -> Result<MultiVector> {
        Ok(self.texts(&[query], Side::Query)?.pop().unwrap_or_default())
    }
}
