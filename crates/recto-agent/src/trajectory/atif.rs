//! A trajectory in the Agent Trajectory Interchange Format, for viewers of others (Harbor, wheel `harbor` 0.26).

use serde_json::{Value, json};

use super::{Step, Trajectory};
use crate::action::SUBMIT;
use crate::handle::ImageHandle;

/// The version that is written.
const VERSION: &str = "ATIF-v1.8";

/// The trajectory in that format. `image` gives the file of a picture that a call showed, as seen from the trajectory's
/// file; pictures without one are left out.
pub fn atif(trajectory: &Trajectory, image: &dyn Fn(ImageHandle) -> Option<String>) -> Value {
    let mut steps = vec![json!({"step_id": 1, "source": "user", "message": trajectory.task})];
    if let Some(row) = &trajectory.shown_first {
        let message = content(&json!(row.observation), &row.artifacts, image);
        steps.push(json!({"step_id": 2, "source": "system", "message": message}));
    }
    for step in &trajectory.steps {
        steps.push(agent_step(steps.len() + 1, step, &trajectory.planner, image));
    }
    json!({
        "schema_version": VERSION,
        "session_id": trajectory.fingerprint,
        "trajectory_id": trajectory.id,
        "agent": {
            "name": "recto",
            "version": env!("CARGO_PKG_VERSION"),
            "model_name": trajectory.planner,
            "extra": {"route": trajectory.route, "search_route": trajectory.search_route, "ablations": trajectory.ablations},
        },
        "steps": steps,
        "final_metrics": {
            "total_prompt_tokens": trajectory.spent.input_tokens,
            "total_completion_tokens": trajectory.spent.output_tokens,
            "total_cost_usd": trajectory.spent.dollars,
            "total_steps": steps.len(),
        },
        "extra": {"status": trajectory.status, "stop": trajectory.stop, "submission": trajectory.submission},
    })
}

fn agent_step(id: usize, step: &Step, model: &str, image: &dyn Fn(ImageHandle) -> Option<String>) -> Value {
    let decision = &step.decision;
    let mut out = json!({
        "step_id": id,
        "source": "agent",
        "model_name": model,
        "message": decision.raw_response,
        "metrics": {
            "prompt_tokens": decision.usage.input_tokens,
            "completion_tokens": decision.usage.output_tokens,
            "cost_usd": decision.usage.dollars,
        },
    });
    if let Some(error) = &decision.error {
        out["extra"] = json!({"event": decision.event_type, "error": error});
    }
    let call = format!("call_{id}");
    let tool_call =
        |name: &str, arguments: Value| json!([{"tool_call_id": call, "function_name": name, "arguments": arguments}]);
    if let Some(row) = &step.call {
        let told = content(&json!(row.observation), &row.artifacts, image);
        out["tool_calls"] = tool_call(&row.tool_name, json!(row.arguments));
        out["observation"] = json!({"results": [{"source_call_id": call, "content": told}]});
    } else if decision.action.get("action").and_then(Value::as_str) == Some(SUBMIT) {
        let mut arguments = decision.action.clone();
        arguments.remove("action");
        out["tool_calls"] = tool_call(SUBMIT, json!(arguments));
    }
    out
}

/// An observation as text, with the pictures that it showed.
fn content(observation: &Value, shown: &[ImageHandle], image: &dyn Fn(ImageHandle) -> Option<String>) -> Value {
    let text = observation.to_string();
    let pictures: Vec<Value> = shown
        .iter()
        .filter_map(|handle| image(*handle))
        .map(|path| json!({"type": "image", "source": {"media_type": "image/png", "path": path}}))
        .collect();
    if pictures.is_empty() {
        return json!(text);
    }
    let parts: Vec<Value> = std::iter::once(json!({"type": "text", "text": text})).chain(pictures).collect();
    json!(parts)
}
