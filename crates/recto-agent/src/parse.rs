//! A planner's words to one JSON object: the first complete one, whatever stands around it. Not what the object means.

use serde_json::{Map, Value};

/// How much of what follows the object is kept, in characters.
const MAX_TRAILING: usize = 1000;

/// What was read of a reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    /// The object.
    pub object: Map<String, Value>,
    /// What followed it and was ignored; empty if nothing did.
    pub trailing: String,
}

/// A reply that holds no complete JSON object.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseError {
    /// No `{` is in it.
    #[error("the reply holds no JSON object")]
    None,
    /// The first object is never closed.
    #[error("the reply's JSON object is cut off")]
    Open,
    /// What stands between the braces is no JSON.
    #[error("the reply's JSON object can't be read: {0}")]
    Bad(String),
}

/// The first JSON object of a reply. A code fence around it and a leading `<think>` part are taken off; `NaN` and
/// infinities, which Python writes, are read as texts.
///
/// # Errors
/// When there is none.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let text = without_fence(without_thought(text.trim()));
    let start = text.find('{').ok_or(ParseError::None)?;
    let rest = text.get(start..).unwrap_or_default();
    let end = object_end(rest).ok_or(ParseError::Open)?;
    let (object, trailing) = rest.split_at(end);
    let bad = |error: serde_json::Error| ParseError::Bad(error.to_string());
    let object =
        serde_json::from_str(object).or_else(|_| serde_json::from_str(&quoted_constants(object)).map_err(bad))?;
    Ok(Parsed { object, trailing: trailing.trim().chars().take(MAX_TRAILING).collect() })
}

fn without_thought(text: &str) -> &str {
    let after = text.strip_prefix("<think>").and_then(|thought| thought.split_once("</think>"));
    after.map_or(text, |(_, after)| after.trim())
}

fn without_fence(text: &str) -> &str {
    if !text.starts_with("```") {
        return text;
    }
    let text = text.trim_matches('`').trim();
    match text.get(..4) {
        Some(word) if word.eq_ignore_ascii_case("json") => text.get(4..).unwrap_or_default().trim(),
        _ => text,
    }
}

/// Where the object that `text` begins with ends.
fn object_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in outside_strings(text) {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// The characters that stand in no string, with their places.
fn outside_strings(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut inside, mut escaped) = (false, false);
    text.char_indices().filter(move |(_, c)| {
        let outside = !inside && *c != '"';
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            _ => {}
        }
        outside
    })
}

/// `NaN`, `Infinity` and `-Infinity` outside strings become strings.
fn quoted_constants(text: &str) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in outside_strings(text) {
        let rest = text.get(at..).unwrap_or_default();
        let constant = ["-Infinity", "Infinity", "NaN"].into_iter().find(|name| rest.starts_with(name));
        if let (Some(name), true) = (constant, at >= copied) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str(&format!("\"{name}\""));
            copied = at + name.len();
        }
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::golden;

    #[test]
    fn golden_replies() {
        let vectors = golden::vectors("planner_json");
        for vector in &vectors {
            let parsed = parse(vector["text"].as_str().unwrap());
            assert_eq!(parsed.is_err(), vector.get("error").is_some(), "{vector}: {parsed:?}");
            let Ok(Parsed { mut object, trailing }) = parsed else { continue };
            if !trailing.is_empty() {
                object.insert("_extra_json_ignored".into(), trailing.into());
            }
            assert_eq!(Value::Object(object), vector["parsed"], "{vector}");
        }
        assert_eq!(vectors.len(), 13);
    }

    #[test]
    fn other_replies() {
        let check =
            |text: &str, right: Value| assert_eq!(parse(text).map(|p| Value::Object(p.object)), Ok(object(right)));
        check("<think>maybe {x}</think>{\"a\": 1}", json!({"a": 1}));
        check("{\"a\": [-Infinity, \"NaN {\", NaN]}", json!({"a": ["-Infinity", "NaN {", "NaN"]}));
        check("{\"a\": \"\\\"}\"}", json!({"a": "\"}"}));
        check("ＪＳＯＮ：{\"é\":\"ü\"}！", json!({"é": "ü"}));
        assert_eq!(parse(&format!("{{}}{}", "x".repeat(5000))).unwrap().trailing.len(), MAX_TRAILING);
        for text in ["{", "{]", "}", "```", "```json", "{\"a\": \"\n\"}", &"{\"a\":".repeat(100_000)] {
            assert!(parse(text).is_err(), "{}", text.len());
        }
    }

    fn object(value: Value) -> Value {
        assert!(value.is_object());
        value
    }
}
