//! `/messages` of Anthropic.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::manner::Form;
use super::wire::{Call, Said, insert, number};
use crate::{ChatMessage, Part, Role, Usage};

/// The version of the API that this speaks.
pub(super) const VERSION: &str = "2023-06-01";

/// The body of a request.
pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let (system, rest): (Vec<_>, Vec<_>) = request.messages.iter().partition(|message| message.role == Role::System);
    let mut body = json!({"model": call.model, "max_tokens": request.max_tokens});
    let system: Vec<Value> = system.into_iter().flat_map(parts).collect();
    if !system.is_empty() {
        insert(&mut body, "system", system.into());
    }
    let messages = rest.into_iter().map(|message| json!({"role": message.role.as_str(), "content": parts(message)}));
    insert(&mut body, "messages", messages.collect::<Vec<_>>().into());
    if call.manner.temperature {
        insert(&mut body, "temperature", number(request.temperature.min(1.0)));
    }
    if call.manner.stop && !request.stop.is_empty() {
        insert(&mut body, "stop_sequences", json!(request.stop));
    }
    if let (Some(schema), Form::Schema) = (&request.schema, call.manner.form) {
        insert(&mut body, "output_config", json!({"format": {"type": "json_schema", "schema": schema.json()}}));
    }
    body
}

fn parts(message: &ChatMessage) -> Vec<Value> {
    let mut parts: Vec<Value> = message.parts.iter().map(shown).collect();
    if let Some(last) = parts.last_mut().filter(|_| message.stable) {
        insert(last, "cache_control", json!({"type": "ephemeral"}));
    }
    parts
}

fn shown(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image(image) => {
            let data = BASE64_STANDARD.encode(image.bytes());
            json!({"type": "image", "source": {"type": "base64", "media_type": image.media_type(), "data": data}})
        }
    }
}

/// What a reply says; `None` if it is none of a chat.
pub(super) fn read(reply: &Value) -> Option<Said> {
    let content = reply["content"].as_array()?;
    let stop = reply["stop_reason"].as_str().unwrap_or_default();
    Some(Said {
        text: content.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect(),
        complete: !matches!(stop, "max_tokens" | "model_context_window_exceeded"),
        model: reply["model"].as_str().unwrap_or_default().into(),
        declined: (stop == "refusal").then(|| "the model stopped with a refusal".into()),
        failed: None,
        usage: usage(&reply["usage"]),
        dollars: None,
    })
}

/// Tokens from and into the cache are told apart from the others here.
fn usage(usage: &Value) -> Usage {
    let count = |name: &str| usage[name].as_u64().unwrap_or(0);
    let cached = count("cache_read_input_tokens");
    let input = count("input_tokens").saturating_add(count("cache_creation_input_tokens")).saturating_add(cached);
    Usage { input_tokens: input, cached_tokens: cached, output_tokens: count("output_tokens"), ..Usage::default() }
}
