//! The JSON schema of what a planner may say, in the subset that every host takes: closed objects, every property
//! required, what may be left out is null.

use serde_json::{Map, Value, json};

use super::{MAX_TOP_K, SUBMIT, Shape, ToolSet};

/// The schema of one turn.
pub fn schema(tools: &ToolSet) -> Value {
    let mut actions: Vec<&str> = tools.tools().map(super::Tool::name).collect();
    actions.push(SUBMIT);
    let mut arguments: Vec<Value> = Vec::new();
    for tool in tools.tools() {
        let properties = tool.arguments().iter().map(|argument| (argument.name, shape(argument.shape)));
        arguments.push(closed(properties));
    }
    arguments.push(json!({"type": "null"}));
    closed([
        ("action", json!({"type": "string", "enum": actions})),
        ("arguments", json!({"anyOf": arguments})),
        ("reason", json!({"type": ["string", "null"]})),
        ("ranked_answers", json!({"anyOf": [ranking(), {"type": "null"}]})),
        ("overall_rationale", json!({"type": ["string", "null"]})),
    ])
}

fn ranking() -> Value {
    let text = || json!({"type": "string"});
    list(closed([("page_handle", text()), ("evidence_page_handles", list(text())), ("rationale", text())]))
}

fn shape(shape: Shape) -> Value {
    let text = || json!({"type": "string"});
    match shape {
        Shape::Text => text(),
        Shape::Count => json!({"type": "integer", "description": format!("1 to {MAX_TOP_K}")}),
        Shape::Handles => list(text()),
        Shape::Crops => {
            let region = list(json!({"type": "number"}));
            list(closed([("page_handle", text()), ("region", region), ("purpose", text())]))
        }
    }
}

fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

fn closed<'a>(properties: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let properties: Map<String, Value> = properties.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}
