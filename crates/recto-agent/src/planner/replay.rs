//! A recording as planner: it says again what was said, whatever comes of it.

use serde_json::Value;

use super::{Failure, Planner, Reply, Turn};

/// Replies in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay {
    replies: Vec<String>,
}

impl Replay {
    /// A planner that gives these replies.
    pub fn new(replies: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { replies: replies.into_iter().map(Into::into).collect() }
    }

    /// Reads replies from JSON lines: each an action, a text to be said, or a trajectory or prediction that holds replies.
    /// A line that is no JSON is said as it stands.
    pub fn read(text: &str) -> Self {
        Self::new(text.lines().filter(|line| !line.trim().is_empty()).flat_map(replies))
    }
}

fn replies(line: &str) -> Vec<String> {
    match serde_json::from_str(line) {
        Ok(Value::String(said)) => vec![said],
        Ok(Value::Object(row)) => {
            let recorded = row.get("steps").or_else(|| row.get("model_outputs")).and_then(Value::as_array);
            let said = |step: &Value| step.get("raw_response").and_then(Value::as_str).map(str::to_owned);
            recorded.map_or_else(|| vec![line.into()], |steps| steps.iter().filter_map(said).collect())
        }
        _ => vec![line.into()],
    }
}

impl Planner for Replay {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let next = self.replies.get(turn.episode.decisions.len());
        let none = || Reply::none(Failure::Provider("the recording has no further reply".into()));
        next.map_or_else(none, Reply::words)
    }

    fn name(&self) -> &'static str {
        "replay"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_come_in_several_forms() {
        let check = |text: &str, right: &[&str]| assert_eq!(Replay::read(text), Replay::new(right.iter().copied()));
        check("{\"action\":\"a\"}\n\n{\"action\":\"b\"}\n", &["{\"action\":\"a\"}", "{\"action\":\"b\"}"]);
        check("\"no\\njson\"\nnor this", &["no\njson", "nor this"]);
        check("{\"steps\":[{\"raw_response\":\"x\"},{\"raw_response\":\"y\"}]}", &["x", "y"]);
        check("{\"model_outputs\":[{\"raw_response\":\"x\"}]}", &["x"]);
        check("", &[]);
    }
}
