//! A row of VisDocAgentBench's `predictions.jsonl`, without what only an evaluator knows: gold and metrics are added by
//! whoever has them.

use serde_json::{Map, Value, json};

use crate::action::{Route, ToolSet};
use crate::episode::{Decision, Episode, Event, INITIAL, TraceRow};

/// Who made the row.
pub const HARNESS: &str = "recto_episode_v1";

/// The row of an episode that has ended.
pub fn row(episode: &Episode, query_id: &str, fingerprint: &str) -> Map<String, Value> {
    let protocol = &episode.protocol;
    let schema = match protocol.tools.route {
        Route::Visual => "VisDocAgentBenchVisualAgentV1",
        Route::Text => "VisDocAgentBenchOCRTextAgentV1",
    };
    let trace: Vec<&TraceRow> = episode.trace.iter().filter(|row| row.tool_name != INITIAL).collect();
    let mut row = json!({
        "schema_version": schema,
        "harness_version": HARNESS,
        "query_id": query_id,
        "query": episode.task,
        "submission": episode.end.as_ref().map(|end| &end.submission),
        "tool_trace": trace,
        "model_outputs": episode.decisions,
        "status": episode.end.as_ref().map(|end| end.status),
        "tool_usage": episode.usage,
        "request_audit": audit(&episode.decisions),
        "episode_fingerprint_sha256": fingerprint,
        "search_route": protocol.search_route,
        "stop": episode.end.as_ref().map(|end| end.stop),
    });
    if let Some(first) = episode.trace.first().filter(|row| row.tool_name == INITIAL) {
        row["schema_version"] = json!(format!("{schema}.SupportProvidedV1"));
        row["initial_page_observations"] = json!({
            "loaded_pages": json!(first.observation)["loaded_pages"],
            "visible_image_artifacts": first.artifacts,
            "agent_action": false,
        });
    }
    let full = ToolSet::new(protocol.tools.route, &[]);
    let disabled: Vec<&str> =
        full.tools().filter(|tool| !protocol.tools.has(*tool)).map(crate::action::Tool::name).collect();
    if !disabled.is_empty() {
        let enabled: Vec<&str> = protocol.tools.tools().map(crate::action::Tool::name).collect();
        row["ablation"] = json!({"enabled_information_tools": enabled, "disabled_information_tools": disabled});
    }
    match row {
        Value::Object(row) => row,
        _ => Map::new(),
    }
}

/// Counts of what the planner was asked.
fn audit(decisions: &[Decision]) -> Value {
    let of = |event: Event| decisions.iter().filter(|decision| decision.event_type == event).count();
    let accepted = decisions.iter().filter(|decision| decision.response_accepted).count();
    let attempts: u32 = decisions.iter().map(|decision| decision.attempts).sum();
    json!({
        "logical_planner_turns": decisions.len(),
        "planner_call_events": decisions.len(),
        "physical_request_attempts": attempts,
        "transport_retries": (attempts as usize).saturating_sub(decisions.len()),
        "format_failures": of(Event::FormatError),
        "provider_failures": of(Event::ProviderError),
        "accepted_responses": accepted,
        "rejected_responses": decisions.len() - accepted,
    })
}
