//! An answer as an agent gives it, in whichever of the usual forms.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// So many places are read.
const PLACES: usize = 30;
/// So many things of a list.
const ITEMS: usize = 500;

/// What an agent says at the end.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Said {
    /// The answer, or each thing of a list; empty for a decline.
    pub items: Vec<String>,
    /// Where it stands: a page as the agent names it, and a quote.
    pub places: Vec<(Value, String)>,
    /// Why it declines, or how it came to its answer.
    pub reason: String,
    /// That the documents do not tell.
    pub declined: bool,
}

impl Said {
    /// Reads an answer; `None` if none is in it.
    pub(super) fn read(action: &Map<String, Value>) -> Option<Self> {
        let fields = fields(action);
        let get = |keys: &[&str]| keys.iter().find_map(|key| fields.get(*key)).filter(|value| !value.is_null());
        let listed = get(&["items"]).map(texts).filter(|items| items.len() > 1);
        let items = listed.or_else(|| get(&["answer", "answers"]).map(texts)).unwrap_or_default();
        let places = get(&["citations", "evidence", "sources", "pages"]).map(places).unwrap_or_default();
        let reason =
            get(&["reason", "reasoning", "explanation"]).and_then(Value::as_str).unwrap_or_default().to_owned();
        (!items.is_empty()).then(|| Self { items, places, reason, declined: false })
    }

    /// A decline with its reason.
    pub(super) fn declined(action: &Map<String, Value>) -> Self {
        let fields = fields(action);
        let reason = fields.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
        Self { declined: true, reason, ..Self::default() }
    }

    /// What a text that was not meant as an answer gives: a short one is taken as it is, or cut at its commas.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let short = (1..1_000).contains(&text.chars().count()) && !text.contains(['{', '[']);
        let about = |part: &str| {
            let lower = part.to_lowercase();
            ["found in", "page", "source", "no answer", "i could not"].iter().any(|start| lower.starts_with(start))
        };
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty() && !about(part));
        let items: Vec<String> = parts.map(str::to_owned).collect();
        (short && !items.is_empty()).then(|| Self { items, ..Self::default() })
    }
}

/// The members of an action with those of its arguments.
pub(super) fn fields(action: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = action.clone();
    if let Some(Value::Object(arguments)) = action.get("arguments") {
        fields.extend(arguments.clone());
    }
    fields
}

/// A text, a number or a list of such; also a list that is written as a text.
fn texts(value: &Value) -> Vec<String> {
    let list = match value {
        Value::Array(list) => list.clone(),
        Value::String(text) => match listed(text) {
            Some(list) => list,
            None => vec![value.clone()],
        },
        other => vec![other.clone()],
    };
    let text = |value: Value| match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    list.into_iter().take(ITEMS).map(text).filter(|text| !text.is_empty()).collect()
}

fn listed(text: &str) -> Option<Vec<Value>> {
    let text = text.trim();
    let list: Value = text.starts_with('[').then(|| serde_json::from_str(text).ok())??;
    list.as_array().cloned()
}

fn places(value: &Value) -> Vec<(Value, String)> {
    let list = match value {
        Value::Array(list) => list.clone(),
        Value::String(text) => listed(text).unwrap_or_else(|| vec![value.clone()]),
        other => vec![other.clone()],
    };
    let place = |value: Value| {
        let quote = ["quote", "text", "words"].iter().find_map(|key| value.get(*key)?.as_str());
        let quote = quote.unwrap_or_default().to_owned();
        (value, quote)
    };
    list.into_iter().take(PLACES).map(place).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_come_in_many_forms() {
        let check = |action: Value, items: &[&str], places: &[(&str, &str)]| {
            let said = Said::read(action.as_object().unwrap()).unwrap_or_default();
            assert_eq!(said.items, items, "{action}");
            let got: Vec<(String, &str)> =
                said.places.iter().map(|(page, quote)| (page.to_string(), quote.as_str())).collect();
            let want: Vec<(String, &str)> = places.iter().map(|(page, quote)| ((*page).to_owned(), *quote)).collect();
            assert_eq!(got, want, "{action}");
        };
        check(
            json!({"action": "answer", "answer": "35 crowns", "citations": [{"page": "D1:5", "quote": "is 35"}]}),
            &["35 crowns"],
            &[(r#"{"page":"D1:5","quote":"is 35"}"#, "is 35")],
        );
        check(json!({"arguments": {"answer": ["a", "b"], "citations": ["D1:5"]}}), &["a", "b"], &[("\"D1:5\"", "")]);
        // A model that writes its lists as texts (kotaemon#469).
        check(json!({"answer": "[\"a\", \"b\"]", "citations": "[\"D1:5\"]"}), &["a", "b"], &[("\"D1:5\"", "")]);
        check(json!({"answer": 35, "evidence": "D1:5"}), &["35"], &[("\"D1:5\"", "")]);
        check(json!({"answer": "several", "items": ["x", "y"]}), &["x", "y"], &[]);
        check(json!({"answer": "one", "items": ["x"]}), &["one"], &[]);
        check(json!({"answer": "[not a list"}), &["[not a list"], &[]);
        check(json!({"answer": ["", null]}), &[], &[]);
        check(json!({"answer": null}), &[], &[]);
    }

    #[test]
    fn short_texts_are_answers_of_their_own() {
        let items = |text: &str| Said::of_text(text).unwrap_or_default().items;
        assert_eq!(items("Nakamura, Osei, page 4"), ["Nakamura", "Osei"]);
        assert_eq!(items("35 crowns"), ["35 crowns"]);
        assert_eq!(items("I could not find it"), [""; 0]);
        assert_eq!(items("{\"x\": 1}"), [""; 0]);
        assert_eq!(items(""), [""; 0]);
    }
}
