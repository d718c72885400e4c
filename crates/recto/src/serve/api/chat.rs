//! `/v1/chat/completions` and `/v1/models`, as other front ends ask them: a collection is a model, its answers cite pages.

use axum::Json;
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{AskBody, Mode, listen, submit, waited};
use crate::serve::endpoint::{Endpoint, Needs};
use crate::serve::extract::Body;
use crate::serve::fault::Fault;
use crate::serve::jobs::Job;
use crate::serve::keys::Right;
use crate::serve::stream::sent;
use crate::serve::visit::{Caller, Visit};

const TAG: &str = "chat";
/// Before the names of collections, where they are models.
const PREFIX: &str = "recto/";

/// A conversation. The last thing that the user said is the question; other members are not looked at.
#[derive(Deserialize, JsonSchema)]
struct ChatBody {
    /// `recto/COLLECTION`
    model: String,
    messages: Vec<Message>,
    /// Whether the answer comes as server-sent events
    #[serde(default)]
    stream: bool,
}

/// What somebody said.
#[derive(Deserialize, JsonSchema)]
struct Message {
    role: String,
    /// A text, or parts of which those with a `text` count
    #[serde(default)]
    content: Value,
}

/// An answer.
#[derive(Serialize, JsonSchema)]
struct Completion {
    id: String,
    /// `chat.completion`
    object: &'static str,
    created: u64,
    model: String,
    choices: Vec<Choice>,
    usage: Tokens,
    /// The answer with its citations, as `/v1/collections/{collection}/ask` gives it
    recto: Value,
}

/// The one choice.
#[derive(Serialize, JsonSchema)]
struct Choice {
    index: u32,
    message: Said,
    /// `stop`
    finish_reason: &'static str,
}

/// What is said.
#[derive(Serialize, JsonSchema)]
struct Said {
    /// `assistant`
    role: &'static str,
    content: String,
    /// The cited pages, in the order of their numbers in the text
    annotations: Vec<Value>,
}

/// What it took.
#[derive(Clone, Copy, Default, Serialize, JsonSchema)]
struct Tokens {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
}

/// Collections that may be asked, as models.
#[derive(Serialize, JsonSchema)]
struct Models {
    /// `list`
    object: &'static str,
    data: Vec<Model>,
}

/// A collection as a model.
#[derive(Serialize, JsonSchema)]
struct Model {
    id: String,
    /// `model`
    object: &'static str,
    created: u64,
    owned_by: &'static str,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/v1/models", (TAG, "list_models"), "The collections that may be asked, as models", models)
            .needs(Needs::Key)
            .gives::<Models>(StatusCode::OK, "Models"),
        Endpoint::post("/v1/chat/completions", (TAG, "chat"), "Answer a question as other front ends ask it", complete)
            .needs(Needs::Key)
            .takes::<ChatBody>()
            .gives::<Completion>(StatusCode::OK, "The answer")
            .gives_media("text/event-stream", "The answer in pieces"),
    ]
}

async fn models(caller: Caller) -> Json<Models> {
    let may_ask = caller.app.visible(&caller.grants).filter(|(_, right)| *right >= Right::Ask);
    let model = |name: &str| Model { id: format!("{PREFIX}{name}"), object: "model", created: 0, owned_by: "recto" };
    Json(Models { object: "list", data: may_ask.map(|(collection, _)| model(&collection.name)).collect() })
}

async fn complete(caller: Caller, Body(asked): Body<ChatBody>) -> Result<Response, Fault> {
    let name = asked.model.strip_prefix(PREFIX).unwrap_or(&asked.model);
    let visit = Visit::at(caller, name).map_err(|_| Fault::not_found("model; /v1/models lists them"))?;
    visit.needs(Right::Ask)?;
    let question = question(&asked.messages).ok_or_else(|| Fault::invalid("messages: the user says nothing"))?;
    let ask = AskBody { question, documents: Vec::new(), pages: 0, mode: Mode::Wait };
    let job = submit(&visit, ask)?;
    let head = Head { id: format!("chatcmpl-{}", job.id), created: job.created as u64, model: asked.model };
    if asked.stream {
        return streamed(&visit, job, head);
    }
    let answer = waited(job).await?;
    Ok(Json(head.completion(&answer)).into_response())
}

/// The last thing that the user said.
fn question(messages: &[Message]) -> Option<String> {
    let last = messages.iter().rfind(|message| message.role == "user")?;
    let text = match &last.content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
            texts.join("\n")
        }
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

/// What every piece of an answer begins with.
#[derive(Clone)]
struct Head {
    id: String,
    created: u64,
    model: String,
}

impl Head {
    fn completion(self, answer: &Value) -> Completion {
        let message = Said { role: "assistant", content: text(answer), annotations: annotations(answer) };
        Completion {
            id: self.id,
            object: "chat.completion",
            created: self.created,
            model: self.model,
            choices: vec![Choice { index: 0, message, finish_reason: "stop" }],
            usage: tokens(answer),
            recto: answer.clone(),
        }
    }

    fn piece(&self, delta: &Value, finish_reason: Option<&str>) -> Value {
        json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish_reason }],
        })
    }

    /// The pieces of an answer that is there.
    fn pieces(&self, answer: &Value) -> Vec<Value> {
        let mut last = self.piece(&json!({}), Some("stop"));
        if let Value::Object(last) = &mut last {
            last.insert("usage".into(), json!(tokens(answer)));
            last.insert("recto".into(), answer.clone());
        }
        vec![self.piece(&json!({ "content": text(answer), "annotations": annotations(answer) }), None), last]
    }
}

/// The answer in pieces. Steps are told by nothing but signs of life: front ends show every text as the answer.
fn streamed(visit: &Visit, job: std::sync::Arc<Job>, head: Head) -> Result<Response, Fault> {
    let listener = listen(visit, job)?;
    let first = head.piece(&json!({ "role": "assistant", "content": "" }), None);
    let rest = stream::unfold(listener, |mut listener| async move { Some((listener.next().await?, listener)) });
    let rest = rest.flat_map(move |heard| {
        let pieces = match heard.name {
            "result" => head.pieces(&heard.data),
            "error" => vec![(*heard.data).clone()],
            _ => Vec::new(),
        };
        stream::iter(pieces)
    });
    let data =
        stream::iter([first]).chain(rest).map(|piece| piece.to_string()).chain(stream::iter(["[DONE]".to_owned()]));
    Ok(sent(data.map(|data| Event::default().data(data))))
}

/// The answer for people: marks behind it, and the pages that they stand for.
fn text(answer: &Value) -> String {
    let of = |name: &str| answer.get(name).and_then(Value::as_str).unwrap_or_default();
    let citations = citations(answer);
    let marks: String = (1..=citations.len()).map(|n| format!(" [{n}]")).collect();
    let mut text = format!("{}{marks}", of("said"));
    for (n, citation) in (1..).zip(citations) {
        let of = |name: &str| citation.get(name).and_then(Value::as_str).unwrap_or_default();
        let (page, quote) = (citation.get("page").cloned().unwrap_or_default(), of("quote"));
        text.push_str(&format!("\n\n[{n}] {}, page {page}: “{quote}”", of("document")));
    }
    text
}

fn citations(answer: &Value) -> &[Value] {
    answer.get("citations").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn annotations(answer: &Value) -> Vec<Value> {
    let annotation = |citation: &Value| {
        let of = |name: &str| citation.get(name).cloned().unwrap_or_default();
        let title = format!("{}, page {}", of("document").as_str().unwrap_or_default(), of("page"));
        json!({ "type": "url_citation", "url_citation": { "url": of("image"), "title": title, "content": of("quote") } })
    };
    citations(answer).iter().map(annotation).collect()
}

fn tokens(answer: &Value) -> Tokens {
    let of = |name: &str| answer.get("usage").and_then(|usage| usage.get(name)?.as_u64()).unwrap_or_default();
    let (prompt_tokens, completion_tokens) = (of("input_tokens"), of("output_tokens"));
    Tokens { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_thing_that_the_user_said_is_the_question() {
        let table = [
            (json!([{"role": "user", "content": "a?"}]), Some("a?")),
            (json!([{"role": "user", "content": "a?"}, {"role": "assistant", "content": "b"}]), Some("a?")),
            (json!([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url"}]}]), Some("a")),
            (json!([{"role": "system", "content": "a"}]), None),
            (json!([{"role": "user", "content": " "}]), None),
            (json!([{"role": "user"}]), None),
            (json!([]), None),
        ];
        for (messages, want) in table {
            let messages: Vec<Message> = serde_json::from_value(messages).unwrap();
            assert_eq!(question(&messages).as_deref(), want);
        }
    }

    /// open-webui#10979, open-webui#11592: marks were off by one, or stood for another document.
    #[test]
    fn marks_stand_for_their_citations() {
        let citation =
            |n: u32| json!({"document": format!("{n}.pdf"), "page": n, "quote": format!("q{n}"), "image": "/i"});
        let answer = json!({"said": "42", "citations": (1..=10).map(citation).collect::<Vec<_>>()});
        let text = text(&answer);
        assert!(text.starts_with("42 [1] [2]") && text.contains("\n\n[10] 10.pdf, page 10: “q10”"), "{text}");
        assert_eq!(annotations(&answer)[1]["url_citation"]["title"], "2.pdf, page 2");
    }
}
