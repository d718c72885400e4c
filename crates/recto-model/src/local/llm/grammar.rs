//! From the form of a reply to the grammar that holds a model to it. Texts and lists in it end: a small model repeats itself
//! for as long as it may.

use serde_json::{Value, json};

use crate::{ModelError, Result, Schema};

/// Characters of a text in a reply, at most.
const LONGEST_TEXT: u32 = 300;
/// Members of a list in a reply, at most.
const LONGEST_LIST: u32 = 32;

/// The grammar as llama.cpp reads it; its root is `root`.
pub(super) fn grammar(schema: &Schema) -> Result<String> {
    let bad = |why: String| ModelError::BadSchema { name: schema.name().into(), why };
    llama_cpp_2::json_schema_to_grammar(&bounded(schema.json()).to_string()).map_err(|error| bad(error.to_string()))
}

/// The schema with bounds where it has none. Schemas nest no deeper than [`Schema::new`] allows.
fn bounded(schema: &Value) -> Value {
    let mut schema = schema.clone();
    match schema["type"].as_str() {
        Some("string") if schema["enum"].is_null() => schema["maxLength"] = json!(LONGEST_TEXT),
        Some("array") => {
            schema["maxItems"] = json!(LONGEST_LIST);
            schema["items"] = bounded(&schema["items"]);
        }
        Some("object") => {
            let members = schema["properties"].as_object_mut().into_iter().flatten();
            members.for_each(|(_, member)| *member = bounded(member));
        }
        _ => {}
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_lists_are_bounded_wherever_they_are() {
        let text = json!({"type": "string"});
        let object = |members: Value| json!({"type": "object", "additionalProperties": false, "properties": members});
        let given = object(json!({"a": text, "b": {"type": "array", "items": object(json!({"c": text}))},
            "d": {"type": "string", "enum": ["x"]}, "e": {"enum": [1]}}));
        let text = json!({"type": "string", "maxLength": 300});
        let want =
            object(json!({"a": text, "b": {"type": "array", "items": object(json!({"c": text})), "maxItems": 32},
            "d": {"type": "string", "enum": ["x"]}, "e": {"enum": [1]}}));
        assert_eq!(bounded(&given), want);
        let grammar = grammar(&Schema::new("a", given).unwrap()).unwrap();
        assert!(grammar.contains("root ::="), "{grammar}");
    }
}
