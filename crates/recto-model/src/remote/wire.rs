//! The two ways in which chats are spoken to over HTTP, and what they have in common.

use serde_json::{Map, Value, json};

use super::manner::{Form, Manner};
use super::{anthropic, openai_chat};
use crate::{ChatMessage, ChatRequest, Part, Role, Schema, Usage};

/// The shape of requests and replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wire {
    /// `/chat/completions`.
    OpenAi,
    /// `/messages`.
    Anthropic,
}

/// A request to a server.
pub(super) struct Call<'a> {
    pub(super) model: &'a str,
    pub(super) request: &'a ChatRequest,
    pub(super) manner: Manner,
    /// Whether the limit of tokens is called `max_completion_tokens`.
    pub(super) new_limit: bool,
    /// Whether what stays the same is marked.
    pub(super) cache_marks: bool,
}

/// What a reply says.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) complete: bool,
    pub(super) model: String,
    pub(super) declined: Option<String>,
    /// An error in place of the reply.
    pub(super) failed: Option<Value>,
    pub(super) usage: Usage,
    pub(super) dollars: Option<f64>,
}

impl Wire {
    /// What follows the base address.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/chat/completions",
            Self::Anthropic => "/messages",
        }
    }

    /// The body of a request, with what the user wants to add.
    pub(super) fn body(self, call: &Call<'_>, extra: &Map<String, Value>) -> Value {
        let mut body = match self {
            Self::OpenAi => openai_chat::body(call),
            Self::Anthropic => anthropic::body(call),
        };
        extra.iter().for_each(|(name, value)| insert(&mut body, name, value.clone()));
        body
    }

    /// What a reply says; `None` if it is none of a chat.
    pub(super) fn read(self, reply: &Value) -> Option<Said> {
        match self {
            Self::OpenAi => openai_chat::read(reply),
            Self::Anthropic => anthropic::read(reply),
        }
    }

    /// The manner that this server can be asked in at most.
    pub(super) fn limited(self, manner: Manner) -> Manner {
        match (self, manner.form) {
            (Self::Anthropic, Form::Object) => Manner { form: Form::Text, ..manner },
            _ => manner,
        }
    }
}

pub(super) fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(map) = object.as_object_mut() {
        map.insert(name.into(), value);
    }
}

/// A number as people write it: 0.7, not 0.699999988.
pub(super) fn number(number: f32) -> Value {
    json!((f64::from(number) * 1e4).round() / 1e4)
}

/// The request with its schema quoted at the end of what the user says last.
pub(super) fn quoting(request: &ChatRequest, schema: &Schema) -> ChatRequest {
    let mut request = request.clone();
    let quote = format!("Reply with one JSON object that obeys this schema, and with nothing else:\n{}", schema.json());
    match request.messages.iter_mut().rfind(|message| message.role == Role::User) {
        Some(message) => message.parts.push(Part::Text(quote)),
        None => request.messages.push(ChatMessage::user(quote)),
    }
    request
}

/// The request with a reply that did not obey, and what is wrong with it.
pub(super) fn mending(request: &ChatRequest, said: &str, why: &str) -> ChatRequest {
    let mut request = request.clone();
    request.messages.push(ChatMessage::assistant(said));
    request.messages.push(ChatMessage::user(format!("That reply does not obey the schema: {why}. Write it again.")));
    request
}
