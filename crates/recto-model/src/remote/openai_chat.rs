//! `/chat/completions` of OpenAI, as OpenRouter, Gemini, vLLM, Ollama, llama-server and others have it too.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::manner::{Form, Manner};
use super::wire::{Call, Said, insert, number};
use crate::{ChatImage, ChatMessage, Detail, Part, Role, Schema, Usage};

/// The body of a request.
pub(super) fn body(call: &Call<'_>) -> Value {
    let request = call.request;
    let messages: Vec<Value> = request.messages.iter().map(|message| said_by(message, call)).collect();
    let mut body = json!({"model": call.model, "messages": messages});
    let limit = match call.new_limit ^ call.manner.other_limit {
        true => "max_completion_tokens",
        false => "max_tokens",
    };
    insert(&mut body, limit, json!(request.max_tokens));
    if call.manner.temperature {
        insert(&mut body, "temperature", number(request.temperature));
    }
    if call.manner.stop && !request.stop.is_empty() {
        insert(&mut body, "stop", json!(request.stop));
    }
    match (&request.schema, call.manner.form) {
        (Some(schema), Form::Schema) => insert(&mut body, "response_format", held_to(schema)),
        (Some(_), Form::Object) => insert(&mut body, "response_format", json!({"type": "json_object"})),
        _ => {}
    }
    body
}

fn held_to(schema: &Schema) -> Value {
    let format = json!({"name": schema.name(), "strict": schema.is_strict(), "schema": schema.json()});
    json!({"type": "json_schema", "json_schema": format})
}

/// Text alone goes as a string: not every server takes lists of parts from everyone.
fn said_by(message: &ChatMessage, call: &Call<'_>) -> Value {
    let cached = message.stable && call.cache_marks;
    let plain = message.role == Role::Assistant || !message.parts.iter().any(|part| matches!(part, Part::Image(_)));
    if plain && !cached {
        return json!({"role": message.role.as_str(), "content": message.text()});
    }
    let mut parts: Vec<Value> = message.parts.iter().map(|part| shown(part, call.manner)).collect();
    if let Some(last) = parts.last_mut().filter(|_| cached) {
        insert(last, "cache_control", json!({"type": "ephemeral"}));
    }
    json!({"role": message.role.as_str(), "content": parts})
}

fn shown(part: &Part, manner: Manner) -> Value {
    match part {
        Part::Text(text) => json!({"type": "text", "text": text}),
        Part::Image(image) => {
            let mut address = json!({"url": data_url(image)});
            if manner.detail && image.detail != Detail::Auto {
                insert(&mut address, "detail", json!(image.detail.as_str()));
            }
            json!({"type": "image_url", "image_url": address})
        }
    }
}

fn data_url(image: &ChatImage) -> String {
    format!("data:{};base64,{}", image.media_type(), BASE64_STANDARD.encode(image.bytes()))
}

/// What a reply says; `None` if it is none of a chat.
pub(super) fn read(reply: &Value) -> Option<Said> {
    let choice = reply.pointer("/choices/0")?;
    let message = choice.get("message")?;
    let finish = choice["finish_reason"].as_str().unwrap_or_default();
    let refusal = message["refusal"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let filtered = (finish == "content_filter").then(|| "a filter stopped the reply".to_owned());
    Some(Said {
        text: text(&message["content"]),
        complete: finish != "length",
        model: reply["model"].as_str().unwrap_or_default().into(),
        declined: refusal.or(filtered),
        failed: choice.get("error").filter(|error| error.is_object()).cloned(),
        usage: usage(&reply["usage"]),
        dollars: reply.pointer("/usage/cost").and_then(Value::as_f64).filter(|cost| *cost >= 0.0),
    })
}

/// A string, or the texts of a list of parts.
fn text(content: &Value) -> String {
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = parts.iter().filter_map(|part| part["text"].as_str());
    content.as_str().map_or_else(|| texts.collect(), str::to_owned)
}

fn usage(usage: &Value) -> Usage {
    let count = |place: &str| usage.pointer(place).and_then(Value::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("/prompt_tokens"),
        cached_tokens: count("/prompt_tokens_details/cached_tokens"),
        output_tokens: count("/completion_tokens"),
        reasoning_tokens: count("/completion_tokens_details/reasoning_tokens"),
        ..Usage::default()
    }
}
