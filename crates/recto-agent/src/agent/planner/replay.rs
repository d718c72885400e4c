//! A recording as planner: it says again what was said, whatever comes of it.

use serde_json::Value;

use super::{Planner, Turn};
use crate::planner::{Failure, Reply};

/// Replies in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Replay(Vec<String>);

impl Replay {
    /// A planner that gives these replies.
    pub fn new(replies: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(replies.into_iter().map(Into::into).collect())
    }

    /// Reads replies from JSON lines: each an action, a text to be said, or the record of a session.
    pub fn read(text: &str) -> Self {
        Self::new(text.lines().filter(|line| !line.trim().is_empty()).flat_map(replies))
    }
}

fn replies(line: &str) -> Vec<String> {
    match serde_json::from_str(line) {
        Ok(Value::String(said)) => vec![said],
        Ok(Value::Object(row)) if row.get("steps").is_some_and(Value::is_array) => {
            let steps = row.get("steps").and_then(Value::as_array).into_iter().flatten();
            steps.filter_map(|step| Some(step.get("reply")?.as_str()?.to_owned())).collect()
        }
        _ => vec![line.into()],
    }
}

impl Planner for Replay {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        let none = || Reply::none(Failure::Provider("the recording has no further reply".into()));
        self.0.get(turn.session.steps.len()).map_or_else(none, Reply::words)
    }

    fn name(&self) -> &'static str {
        "replay"
    }
}
