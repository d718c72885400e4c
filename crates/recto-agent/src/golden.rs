//! The golden vectors of VisDocAgentBench, for tests.

use serde_json::Value;

/// The vectors of one group.
pub(crate) fn vectors(group: &str) -> Vec<Value> {
    let text = include_str!("../../recto-bench/tests/golden/visdocagentbench.json");
    let file: Value = serde_json::from_str(text).unwrap();
    file["vectors"][group].as_array().unwrap().clone()
}

/// A list of texts.
pub(crate) fn texts(value: &Value) -> Vec<String> {
    serde_json::from_value(value.clone()).unwrap()
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    serde_json::from_value(value.clone()).unwrap()
}
