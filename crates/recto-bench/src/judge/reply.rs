//! Reads JSON out of a reply that may have words or code fences around it. Not a repair of broken JSON.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Value, json};

/// Whether an answer is right, and why.
#[derive(Deserialize)]
pub(super) struct Correct {
    pub(super) correct: bool,
    pub(super) reason: String,
}

impl Correct {
    /// The schema of it.
    pub(super) fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {"correct": {"type": "boolean"}, "reason": {"type": "string"}},
            "required": ["correct", "reason"],
            "additionalProperties": false,
        })
    }
}

/// The first object in `reply` that has the fields of `T`.
pub(super) fn object<T: DeserializeOwned>(reply: &str) -> Result<T, String> {
    let starts = reply.match_indices('{').map(|(at, _)| reply.get(at..).unwrap_or_default());
    let mut why = "the reply holds no JSON object".to_owned();
    for text in starts.take(100) {
        match Deserializer::from_str(text).into_iter::<T>().next() {
            Some(Ok(value)) => return Ok(value),
            Some(Err(error)) => why = error.to_string(),
            None => {}
        }
    }
    Err(why)
}
