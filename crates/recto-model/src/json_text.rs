//! The value that a model meant when it wrote JSON among other things: in a fence, after prose, with a comma too many.

use serde_json::{Deserializer, Value};

use crate::Schema;

/// A value may begin at so many places of a text before the search ends.
const MOST_PLACES: usize = 200;

/// The first value in the text that obeys the schema, or is wrapped in an object of its own.
///
/// # Errors
/// What is wrong with the first value that is there, or that there is none.
pub fn find(text: &str, schema: &Schema) -> Result<Value, String> {
    let text = without_thoughts(text);
    let mut first = None;
    for value in values(text) {
        match schema.check(&value) {
            Ok(()) => return Ok(value),
            Err(why) => {
                let fitted = fitted(schema.json(), value.clone());
                let meant = [Some(fitted), only_member(value)].into_iter().flatten();
                match meant.into_iter().find(|meant| schema.check(meant).is_ok()) {
                    Some(meant) => return Ok(meant),
                    None => first = first.or(Some(why)),
                }
            }
        }
    }
    Err(first.unwrap_or_else(|| "there is no JSON object in the reply".into()))
}

/// The value with what was written as text, but is a list, an object or a number, read as that; with null for a text or a
/// list that is empty; and without members that nobody asked for.
fn fitted(schema: &Value, value: Value) -> Value {
    let wanted = schema["type"].as_str().unwrap_or_default();
    match (wanted, value) {
        ("object", Value::Object(members)) => {
            let asked = members.into_iter().filter_map(|(name, member)| {
                let fitted = fitted(schema["properties"].get(&name)?, member);
                Some((name, fitted))
            });
            Value::Object(asked.collect())
        }
        ("array", Value::Array(items)) => items.into_iter().map(|item| fitted(&schema["items"], item)).collect(),
        ("array", Value::Null) => Value::Array(Vec::new()),
        ("string", Value::Null) => Value::String(String::new()),
        ("object" | "array" | "integer" | "number", Value::String(text)) => {
            match serde_json::from_str::<Value>(text.trim()).ok().filter(|inner| !inner.is_string() && !inner.is_null())
            {
                Some(inner) => fitted(schema, inner),
                None => Value::String(text),
            }
        }
        (_, value) => value,
    }
}

fn only_member(value: Value) -> Option<Value> {
    let Value::Object(members) = value else { return None };
    let mut members = members.into_iter().map(|(_, member)| member);
    members.next().filter(|_| members.next().is_none())
}

/// What follows the thoughts that some models write before their reply.
pub fn without_thoughts(text: &str) -> &str {
    let trimmed = text.trim_start();
    match (trimmed.starts_with("<think>"), trimmed.split_once("</think>")) {
        (true, Some((_, reply))) => reply.trim_start(),
        _ => text,
    }
}

/// The objects that begin in the text, outermost first, as written and then as mended.
fn values(text: &str) -> impl Iterator<Item = Value> {
    let mut end = 0;
    let starts = text.char_indices().filter(|(_, c)| *c == '{').map(|(at, _)| at).take(MOST_PLACES);
    starts.filter_map(move |at| {
        let rest = text.get(at..).filter(|_| at >= end)?;
        let (value, length) = first_value(rest).or_else(|| {
            let (value, _) = first_value(&mended(rest))?;
            // How much was read of the text as it stands is not known; one object is enough.
            Some((value, rest.len()))
        })?;
        end = at + length;
        Some(value)
    })
}

fn first_value(text: &str) -> Option<(Value, usize)> {
    let mut stream = Deserializer::from_str(text).into_iter();
    let value = stream.next()?.ok()?;
    Some((value, stream.byte_offset()))
}

/// The text with line ends and tabs inside strings written as JSON wants them, and no comma before an end.
fn mended(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        match c {
            '\n' if in_string => mended.push_str("\\n"),
            '\t' if in_string => mended.push_str("\\t"),
            c if in_string && c.is_control() => {}
            '}' | ']' if !in_string => {
                let kept = mended.trim_end().trim_end_matches(',').len();
                mended.truncate(kept);
                mended.push(c);
            }
            c => mended.push(c),
        }
        in_string ^= c == '"' && !escaped;
        escaped = in_string && c == '\\' && !escaped;
    }
    mended
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_value_is_found_wherever_it_is() {
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["a"],
            "properties": {"a": {"type": "string"}}});
        let schema = Schema::new("a", schema).unwrap();
        let table = [
            (r#"{"a": "x"}"#, "x"),
            ("```json\n{\"a\": \"x\"}\n```\nI hope this helps.", "x"),
            ("Sure! {\"a\": \"} {\"} is it.", "} {"),
            ("<think>maybe {\"a\": \"no\"}</think>\n{\"a\": \"yes\"}", "yes"),
            ("Of {x} and {\"b\": 1}: {\"a\": \"z\"}", "z"),
            ("{\"a\": \"two\nlines\",}", "two\nlines"),
            ("{\"a\": \"\\\"quoted\\\"\\\\\", }", "\"quoted\"\\"),
            ("{\"outer\": {\"a\": \"in\"}} {\"a\": \"out\"}", "in"),
            ("{\"outer\": {\"a\": \"in\"}, \"more\": 1} {\"a\": \"out\"}", "out"),
            ("[{\"a\": \"listed\"}]", "listed"),
        ];
        for (text, want) in table {
            assert_eq!(find(text, &schema), Ok(json!({"a": want})), "{text}");
        }
        let table = [
            ("", "no JSON object"),
            ("I cannot say.", "no JSON object"),
            ("{\"a\": \"cut", "no JSON object"),
            ("[1, 2]", "no JSON object"),
            ("{\"a\": 1}", "/a is 1"),
            ("<think>{\"a\": \"no\"}</think> none", "no JSON object"),
        ];
        for (text, want) in table {
            let why = find(text, &schema).unwrap_err();
            assert!(why.contains(want), "{text}: {why}");
        }
        let list = json!({"type": "array", "items": {"type": "integer"}});
        let schema = json!({"type": "object", "additionalProperties": false, "required": ["a", "b"],
            "properties": {"a": {"type": "string"}, "b": list}});
        let schema = Schema::new("b", schema).unwrap();
        let table = [
            (r#"{"a": "x", "b": "[1, \"2\"]"}"#, json!({"a": "x", "b": [1, 2]})),
            (r#"{"a": null, "b": null, "why": "nothing"}"#, json!({"a": "", "b": []})),
            (r#"{"a": "[1]", "b": ["3"]}"#, json!({"a": "[1]", "b": [3]})),
        ];
        for (text, want) in table {
            assert_eq!(find(text, &schema), Ok(want), "{text}");
        }
        assert!(find(r#"{"a": "x", "b": "one"}"#, &schema).is_err());
        for text in ["{".repeat(100_000), "{\"a\":".repeat(50_000), "[{\"".repeat(50_000)] {
            assert!(find(&text, &schema).is_err());
        }
    }
}
