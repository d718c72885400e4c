//! What an episode depends on, as one hash: an episode is taken up again only where all of it is the same.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::episode::Protocol;
use crate::prompt;

/// Everything that an episode depends on beside the planner's mood.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Basis<'a> {
    /// What is searched for.
    pub task: &'a str,
    /// The rules.
    pub protocol: &'a Protocol,
    /// Who plans, with all settings.
    pub planner: &'a str,
    /// What the index holds, as a hash.
    pub corpus: &'a str,
    /// How pages are hidden.
    pub handle_seed: u64,
    /// Pages that are shown first, by handle.
    pub shown_first: &'a [crate::handle::PageHandle],
}

impl Basis<'_> {
    /// SHA-256 over all of it and the words of the prompts, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        sha256(&serde_json::json!({
            "contract": crate::prediction::HARNESS,
            "basis": self,
            "prompts": prompt::digest(self.protocol),
        }))
    }
}

/// SHA-256 of a value's canonical text: keys sorted, no spaces.
pub fn sha256(value: &Value) -> String {
    let digest = Sha256::digest(sorted(value.clone()).to_string());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(String, Value)> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::{Ablation, Route};
    use crate::handle::PageHandle;

    #[test]
    fn the_order_of_keys_does_not_matter() {
        // Of {"a":[{"b":1,"c":2}]}, by coreutils.
        let right = "dfb62033ef624d062a58ed0e190367c0ea048c7ea84bac5f0e5f5ff8a3cf4ef2";
        assert_eq!(sha256(&json!({"a": [{"c": 2, "b": 1}]})), right);
        assert_eq!(sha256(&json!({"a": [{"b": 1, "c": 2}]})), right);
    }

    #[test]
    fn whatever_changes_an_episode_changes_its_fingerprint() {
        let protocol = Protocol::new(Route::Text, &[], "bm25");
        let basis =
            Basis { task: "t", protocol: &protocol, planner: "offline", corpus: "c", handle_seed: 1, shown_first: &[] };
        let other = Protocol::new(Route::Text, &[Ablation::NoCrop], "bm25");
        let route = Protocol::new(Route::Text, &[], "hybrid");
        let mut steps = protocol.clone();
        steps.budget.steps = 11;
        let all = [
            basis.clone(),
            Basis { task: "u", ..basis.clone() },
            Basis { protocol: &other, ..basis.clone() },
            Basis { protocol: &route, ..basis.clone() },
            Basis { protocol: &steps, ..basis.clone() },
            Basis { planner: "chat", ..basis.clone() },
            Basis { corpus: "d", ..basis.clone() },
            Basis { handle_seed: 2, ..basis.clone() },
            Basis { shown_first: &[PageHandle::new(1)], ..basis.clone() },
        ];
        let different: std::collections::BTreeSet<String> = all.iter().map(Basis::fingerprint).collect();
        assert_eq!(different.len(), all.len());
        assert_eq!(basis.fingerprint(), basis.clone().fingerprint());
    }
}
