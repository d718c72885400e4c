//! A planner's reply and what was made of it: one row of `model_outputs` in published predictions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Episode;
use crate::handle::ImageHandle;
use crate::parse::{ParseError, Parsed};
use crate::planner::{Failure, ModelUsage, Reply};

/// A reply of the planner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// The step, from 1; one more than there are for the ranking at the end.
    pub step: u32,
    /// `finalization` at the end, else empty.
    pub phase: String,
    /// What was decided, as written.
    pub action: Map<String, Value>,
    /// The planner's words.
    pub raw_response: String,
    /// What the call took.
    pub usage: ModelUsage,
    /// How often the planner was asked until it answered.
    pub attempts: u32,
    /// True if the words hold a decision.
    pub response_accepted: bool,
    /// What happened.
    pub event_type: Event,
    /// Why there is no decision, or why it was not carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What followed the decision and was ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored_trailing_content: Option<String>,
    /// Pictures that the planner saw.
    pub visible_artifacts: Vec<ImageHandle>,
    /// What it was told beside the state, and what it was not shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The row of the trace that came of it, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<usize>,
}

/// What happened when a planner was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// It decided.
    AcceptedResponse,
    /// Its words hold no JSON object.
    FormatError,
    /// Its provider refused.
    ProviderError,
    /// It could not be reached.
    TransportFailure,
    /// It was too slow.
    StepWallTimeout,
}

impl Decision {
    pub(super) fn new(step: u32, last: bool, reply: &Reply, episode: &Episode) -> Self {
        let guarded = if last { Vec::new() } else { super::guard::notes(episode) };
        Self {
            step,
            phase: if last { "finalization".into() } else { String::new() },
            action: Map::new(),
            raw_response: reply.said.clone().unwrap_or_default(),
            usage: reply.usage,
            attempts: reply.attempts,
            response_accepted: false,
            event_type: Event::FormatError,
            error: None,
            ignored_trailing_content: None,
            visible_artifacts: episode.visible.clone(),
            notes: guarded.into_iter().chain(reply.notes.iter().cloned()).collect(),
            trace: None,
        }
    }

    pub(super) fn accept(&mut self, parsed: Parsed) {
        self.action = parsed.object;
        self.response_accepted = true;
        self.event_type = Event::AcceptedResponse;
        self.ignored_trailing_content = Some(parsed.trailing).filter(|trailing| !trailing.is_empty());
    }

    pub(super) fn unreadable(&mut self, why: &ParseError) {
        self.stands_for("planner_format_error", Event::FormatError, why);
    }

    pub(super) fn failed(&mut self, failure: &Failure) {
        let (action, event) = match failure {
            Failure::Provider(_) => ("provider_error", Event::ProviderError),
            Failure::Unavailable(_) => ("planner_retry_exhausted", Event::TransportFailure),
            Failure::TimedOut(_) => ("step_wall_timeout", Event::StepWallTimeout),
        };
        self.stands_for(action, event, failure.why());
    }

    fn stands_for(&mut self, action: &str, event: Event, why: impl ToString) {
        self.action = Map::from_iter([("action".into(), json!(action))]);
        self.event_type = event;
        self.error = Some(why.to_string());
    }
}
