//! What is asked of encoders and rerankers behind a server, and what becomes of their answers.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use recto_page::PageImage;
use serde_json::{Value, json};

use super::fake_server::{Asked, answer, ok, start};
use super::{EmbeddingApi, Endpoint, Key, RemoteEncoder, RemoteReranker, RemoteTokenEncoder};
use crate::{
    Identity, ModelError, PageEncoder, PageInput, Pooling, Prefix, Reranker, Result, TextEncoder, TokenEncoder, Vector,
    in_batches,
};

/// A key that must not be seen anywhere.
const KEY: &str = "sk-secret";

fn endpoint(url: &str) -> Endpoint {
    let (timeout, patience) = (Duration::from_secs(20), Duration::from_secs(20));
    Endpoint { url: url.into(), key: Some(Key::new(KEY)), model: "m".into(), timeout, patience, batch: 2 }
}

fn identity(normalised: bool, dpi: Option<u32>) -> Identity {
    let prefix = Prefix { query: "q: ".into(), page: "p: ".into() };
    let (model, revision, pooling) = ("m".into(), "1".into(), Pooling::Given);
    Identity { model, revision, dim: 2, normalised, prefix, dpi, pooling }
}

fn encoder(answers: Vec<String>, api: EmbeddingApi, normalised: bool) -> (RemoteEncoder, Receiver<Asked>) {
    let (url, asked) = start(answers);
    (RemoteEncoder::new(endpoint(&url), api, identity(normalised, None)).unwrap(), asked)
}

fn white() -> PageImage {
    PageImage { width: 2, height: 1, dpi: 72, rgb: vec![255; 6] }
}

fn embedding(index: usize, vector: impl Into<Value>) -> Value {
    json!({"index": index, "object": "embedding", "embedding": vector.into()})
}

fn data(data: &[Value]) -> String {
    ok(&json!({"object": "list", "data": data, "usage": {"total_tokens": 3}}))
}

#[test]
fn texts_go_in_batches_and_vectors_come_back_in_their_order() {
    let first = data(&[embedding(1, json!([0, 2])), embedding(0, json!([3, 4]))]);
    let second = data(&[embedding(0, json!([0, 0]))]);
    let (encoder, asked) = encoder(vec![first, second], EmbeddingApi::OpenAi, true);
    let vectors = TextEncoder::encode_pages(&encoder, &["a", "b", "…"]).unwrap();
    assert_eq!(vectors, [[0.6, 0.8], [0.0, 1.0], [0.0, 0.0]]);
    let Asked { head, body } = asked.recv().unwrap();
    assert!(head.starts_with("post /v1 ") && head.contains(&format!("authorization: bearer {KEY}")), "{head}");
    assert_eq!(body, json!({"model": "m", "input": ["p: a", "p: b"], "encoding_format": "float"}));
    assert_eq!(asked.recv().unwrap().body["input"], json!(["p: …"]));
}

#[test]
fn vectors_of_zeros_are_refused_where_there_is_something_to_tell() {
    let zeros = || data(&[embedding(0, json!([0, 0]))]);
    let is_refused = |why: ModelError| {
        assert!(matches!(&why, ModelError::BadReply { why } if why.starts_with("a vector of zeros")), "{why}");
    };
    let (encoder, _asked) = encoder(vec![zeros(), zeros(), zeros()], EmbeddingApi::VllmChat, true);
    is_refused(TextEncoder::encode_query(&encoder, "x").unwrap_err());
    is_refused(PageEncoder::encode_pages(&encoder, &[white()]).unwrap_err());
    assert_eq!(TextEncoder::encode_pages(&encoder, &[" - "]), Ok(vec![vec![0.0, 0.0]]));
    let tokens = data(&[json!({"index": 0, "object": "pooling", "data": [[0, 0], [0, 0]]})]);
    let (encoder, _asked) = token_encoder(vec![tokens], None);
    is_refused(encoder.encode_pages(&[PageInput::Text("a")]).unwrap_err());
}

#[test]
fn base64_is_read() {
    // 1.0 and -2.0 as 32-bit numbers, lowest byte first.
    let reply = data(&[embedding(0, "AACAPwAAAMA=")]);
    let (encoder, asked) = encoder(vec![reply], EmbeddingApi::OpenAiBase64, false);
    assert_eq!(TextEncoder::encode_query(&encoder, "x"), Ok(vec![1.0, -2.0]));
    let want = json!({"model": "m", "input": ["q: x"], "encoding_format": "base64"});
    assert_eq!(asked.recv().unwrap().body, want);
}

/// The picture's address inside a request must hold a PNG.
fn is_png(part: &Value) -> bool {
    part["image_url"]["url"].as_str().is_some_and(|url| url.starts_with("data:image/png;base64,iVBORw0KGgo"))
}

#[test]
fn pictures_go_to_chat_embeddings_one_by_one() {
    let replies = [[1, 0], [0, 1], [2, 0]].map(|vector| data(&[embedding(0, json!(vector))]));
    let (encoder, asked) = encoder(replies.to_vec(), EmbeddingApi::VllmChat, true);
    assert_eq!(PageEncoder::encode_pages(&encoder, &[white(), white()]), Ok(vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
    assert_eq!(PageEncoder::encode_query(&encoder, "x"), Ok(vec![1.0, 0.0]));
    for _ in 0..2 {
        let body = asked.recv().unwrap().body;
        let content = &body["messages"][0]["content"];
        assert!(is_png(&content[0]), "{body}");
        assert_eq!(content[1], json!({"type": "text", "text": "p: "}));
    }
    let want = json!([{"role": "user", "content": [{"type": "text", "text": "q: x"}]}]);
    assert_eq!(asked.recv().unwrap().body["messages"], want);
}

#[test]
fn texts_and_pictures_go_to_cohere_shaped_servers() {
    let reply = ok(&json!({"embeddings": {"float": [[1, 2], [3, 4]]}, "meta": {}}));
    let one = ok(&json!({"embeddings": {"float": [[5, 6]]}}));
    let (encoder, asked) = encoder(vec![reply.clone(), reply, one], EmbeddingApi::Cohere, false);
    let want = Ok(vec![vec![1.0, 2.0], vec![3.0, 4.0]]);
    assert_eq!(TextEncoder::encode_pages(&encoder, &["a", "b"]), want);
    assert_eq!(PageEncoder::encode_pages(&encoder, &[white(), white()]), want);
    assert_eq!(TextEncoder::encode_query(&encoder, "x"), Ok(vec![5.0, 6.0]));
    let body = asked.recv().unwrap().body;
    let want = json!({"model": "m", "texts": ["p: a", "p: b"], "input_type": "search_document",
        "embedding_types": ["float"], "truncate": "END"});
    assert_eq!(body, want);
    let body = asked.recv().unwrap().body;
    assert!(is_png(&body["inputs"][1]["content"][0]), "{body}");
    assert_eq!(asked.recv().unwrap().body["input_type"], "search_query");
}

fn token_encoder(answers: Vec<String>, dpi: Option<u32>) -> (RemoteTokenEncoder, Receiver<Asked>) {
    let (url, asked) = start(answers);
    (RemoteTokenEncoder::new(endpoint(&url), identity(true, dpi)).unwrap(), asked)
}

#[test]
fn pages_may_have_different_numbers_of_vectors() {
    let pooled = |index: usize, rows: Value| json!({"index": index, "object": "pooling", "data": rows});
    let replies =
        [data(&[pooled(1, json!([[0, 9]])), pooled(0, json!([[5, 0], [0, 5]]))]), data(&[pooled(0, json!([]))])];
    let (encoder, asked) = token_encoder(replies.to_vec(), None);
    let pages = encoder.encode_pages(&[PageInput::Text("a"), PageInput::Text("b")]).unwrap();
    assert_eq!(pages, [vec![vec![1.0, 0.0], vec![0.0, 1.0]], vec![vec![0.0, 1.0]]]);
    assert_eq!(encoder.encode_query("x"), Ok(vec![]));
    assert_eq!(asked.recv().unwrap().body, json!({"model": "m", "input": ["p: a", "p: b"], "task": "token_embed"}));
    let refused = encoder.encode_pages(&[PageInput::Image(&white())]);
    assert_eq!(refused, Err(ModelError::WrongInput { wanted: "texts" }));

    let (encoder, asked) = token_encoder(vec![data(&[pooled(0, json!([[1, 0]]))])], Some(144));
    assert_eq!(encoder.encode_pages(&[PageInput::Image(&white())]), Ok(vec![vec![vec![1.0, 0.0]]]));
    assert!(is_png(&asked.recv().unwrap().body["messages"][0]["content"][0]));
    let refused = encoder.encode_pages(&[PageInput::Text("a")]);
    assert_eq!(refused, Err(ModelError::WrongInput { wanted: "pictures" }));
}

#[test]
fn texts_are_scored_in_their_order() {
    let reply = |results: Value| ok(&json!({"id": "1", "results": results}));
    let good = reply(json!([{"index": 1, "relevance_score": 0.9, "document": {"text": "b"}},
        {"index": 0, "score": -1}]));
    let (url, asked) = start(vec![good, reply(json!([{"index": 1, "relevance_score": 0.9}]))]);
    let reranker = RemoteReranker::new(endpoint(&url)).unwrap();
    assert_eq!(reranker.rerank("q", &[]), Ok(vec![]));
    assert_eq!(reranker.rerank("q", &["a", "b"]), Ok(vec![-1.0, 0.9]));
    assert_eq!(asked.recv().unwrap().body, json!({"model": "m", "query": "q", "documents": ["a", "b"], "top_n": 2}));
    assert!(matches!(reranker.rerank("q", &["a", "b"]), Err(ModelError::BadReply { .. })));
}

fn query(answers: Vec<String>, patience: Duration) -> Result<Vector> {
    let (url, _asked) = start(answers);
    let endpoint = Endpoint { patience, ..endpoint(&url) };
    TextEncoder::encode_query(&RemoteEncoder::new(endpoint, EmbeddingApi::OpenAi, identity(false, None))?, "x")
}

#[test]
fn what_waiting_can_help_is_asked_again() {
    let good = || data(&[embedding(0, json!([1, 2]))]);
    let patient = Duration::from_secs(20);
    let busy = |headers: &str| answer("429 Too Many", headers, "");
    let table = [
        vec![busy("Retry-After: 0\r\n"), busy("retry-after-ms: 20\r\nRetry-After: 99\r\n"), good()],
        vec![answer("503 Busy", "Retry-After: 0\r\n", ""), good()],
        vec![answer("529 Overloaded", "Retry-After: 0.01\r\n", "{}"), good()],
        vec!["HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"da".into(), good()],
        vec![String::new(), good()],
    ];
    for answers in table {
        assert_eq!(query(answers.clone(), patient), Ok(vec![1.0, 2.0]), "{answers:?}");
    }
}

#[test]
fn what_waiting_cannot_help_is_said_at_once() {
    let refused = answer("401 No", "", r#"{"error": {"message": "bad\u0007 key"}}"#);
    let long = answer("429 Too Many", "Retry-After: 60\r\n", "");
    let vector = |vector: Value| data(&[embedding(0, vector)]);
    let table = [
        (refused, "the model refused the request: the server says 401 Unauthorized: bad key"),
        (answer("422 No", "", r#"{"detail": "too long"}"#), "too long"),
        (answer("403 No", "", &format!(r#"{{"error": "the key {KEY} is bad"}}"#)), "403 Forbidden: the key *** is bad"),
        (answer("302 Found", "Location: /x\r\n", ""), "302"),
        (long, "not available: the server says 429"),
        (answer("200 OK", "", "<html>"), "of no use"),
        (vector(json!([1, 2, 3])), "3 dimensions, not 2"),
        (vector(json!([1, 1e39])), "of no use"),
        (vector(json!("AA")), "of no use"),
        (data(&[]), "not one result for each of 1 inputs"),
        (data(&[embedding(7, json!([1, 2]))]), "not one result"),
    ];
    for (reply, want) in table {
        let error = query(vec![reply.clone()], Duration::from_secs(9)).unwrap_err().to_string();
        assert!(error.contains(want) && !error.contains(KEY), "{error}, not {want}");
    }
}

#[test]
fn a_failed_batch_takes_nothing_from_those_before() {
    let good = data(&[embedding(0, json!([1, 0])), embedding(1, json!([0, 1]))]);
    let (encoder, _asked) = encoder(vec![good, answer("400 No", "", "")], EmbeddingApi::OpenAi, false);
    let mut kept = Vec::new();
    let encode = |part: &[&str]| TextEncoder::encode_pages(&encoder, part);
    let end = in_batches(&["a", "b", "c"], TextEncoder::batch(&encoder), encode, |first, vectors| {
        kept.push((first, vectors.len()));
        Ok::<(), ModelError>(())
    });
    assert!(matches!(end, Err(ModelError::Refused { .. })));
    assert_eq!(kept, [(0, 2)]);
}

#[test]
fn keys_are_not_printed_and_odd_ones_not_sent() {
    let (encoder, _asked) = encoder(vec![], EmbeddingApi::OpenAi, true);
    assert!(!format!("{encoder:?}").contains(KEY));
    for (url, key) in [("https://x/", "k"), ("http://a b/", "k"), ("http://x/", ""), ("http://x/", "a\r\nb: c")] {
        let endpoint = Endpoint { key: Some(Key::new(key)), ..endpoint(url) };
        assert!(matches!(RemoteReranker::new(endpoint), Err(ModelError::Refused { .. })), "{url} {key}");
    }
}
