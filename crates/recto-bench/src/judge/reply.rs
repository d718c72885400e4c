//! Reads JSON out of a reply that may have words or code fences around it. Not a repair of broken JSON.

use serde::de::DeserializeOwned;
use serde_json::Deserializer;

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
