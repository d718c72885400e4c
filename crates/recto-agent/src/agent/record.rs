//! A session as it is kept: one JSON line with every reply, call and observation; and for viewers of others.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chain::{Link, chain};
use super::observation::{Shot, Told};
use super::prompt;
use super::rules::{Kind, Rules};
use super::session::{Session, Status, Step};
use crate::answer::Answer;
use crate::budget::{Spent, Stop};

/// The form of a line.
pub const SCHEMA: &str = "recto.agent/1";

/// One session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA`].
    pub schema_version: String,
    /// What it is called.
    pub id: String,
    /// What was asked.
    pub question: String,
    /// The rules.
    pub rules: Rules,
    /// Who planned.
    pub planner: String,
    /// Names and versions of the prompts.
    pub prompts: Vec<String>,
    /// What it depends on.
    pub fingerprint: String,
    /// Replies of the planner, each with what came of it.
    pub steps: Vec<Step>,
    /// What the planner wanted to remember.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The hops, of MC-Search's loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Link>,
    /// How it ended; `None` while it goes on.
    pub status: Option<Status>,
    /// What ended it.
    pub stop: Option<Stop>,
    /// The answer, checked.
    pub answer: Option<Answer>,
    /// What it took.
    pub spent: Spent,
}

impl Record {
    /// What there is of a session.
    pub fn new(session: &Session, id: &str, planner: &str, fingerprint: &str) -> Self {
        let kind = session.rules.kind;
        Self {
            schema_version: SCHEMA.into(),
            id: id.into(),
            question: session.question.clone(),
            rules: session.rules.clone(),
            planner: planner.into(),
            prompts: prompt::versions(kind),
            fingerprint: fingerprint.into(),
            steps: session.steps.clone(),
            notes: session.notes.clone(),
            chain: if kind == Kind::McSearch { chain(session) } else { Vec::new() },
            status: session.end.as_ref().map(|end| end.status),
            stop: session.end.as_ref().map(|end| end.stop),
            answer: session.end.as_ref().map(|end| end.answer.clone()),
            spent: session.spent,
        }
    }
}

/// The record in the Agent Trajectory Interchange Format (Harbor, wheel `harbor` 0.26). `image` gives the file of a picture,
/// as seen from the record's file; pictures without one are left out.
pub fn atif(record: &Record, image: &dyn Fn(&Shot) -> Option<String>) -> Value {
    let mut steps = vec![json!({"step_id": 1, "source": "user", "message": record.question})];
    for step in &record.steps {
        steps.push(agent_step(steps.len() + 1, step, &record.planner, image));
    }
    let spent = &record.spent;
    json!({
        "schema_version": "ATIF-v1.8",
        "session_id": record.fingerprint,
        "trajectory_id": record.id,
        "agent": {
            "name": format!("recto-{}", record.rules.kind.as_str()),
            "version": env!("CARGO_PKG_VERSION"),
            "model_name": record.planner,
        },
        "final_metrics": {
            "total_prompt_tokens": spent.input_tokens,
            "total_completion_tokens": spent.output_tokens,
            "total_cost_usd": spent.dollars,
            "total_steps": steps.len(),
        },
        "steps": steps,
        "extra": {"status": record.status, "stop": record.stop, "answer": record.answer, "chain": record.chain},
    })
}

fn agent_step(id: usize, step: &Step, model: &str, image: &dyn Fn(&Shot) -> Option<String>) -> Value {
    let mut out = json!({
        "step_id": id,
        "source": "agent",
        "model_name": model,
        "message": step.reply,
        "metrics": {
            "prompt_tokens": step.usage.input_tokens,
            "completion_tokens": step.usage.output_tokens,
            "cost_usd": step.usage.dollars,
        },
    });
    if let Some(fault) = &step.fault {
        out["extra"] = json!({"fault": fault});
    }
    let Some(name) = step.action.get("action").and_then(Value::as_str) else { return out };
    let call = format!("call_{id}");
    let mut arguments = super::said::fields(&step.action);
    ["action", "arguments", "note"].iter().for_each(|key| drop(arguments.shift_remove(*key)));
    out["tool_calls"] = json!([{"tool_call_id": call, "function_name": name, "arguments": arguments}]);
    if let Some(observation) = &step.observation {
        let text = |told: &Told| match told {
            Told::Recto(text) | Told::Pages(text) => text.clone(),
        };
        let text: Vec<String> = observation.told.iter().map(text).collect();
        let mut parts = vec![json!({"type": "text", "text": text.join("\n")})];
        let picture = |path| json!({"type": "image", "source": {"media_type": "image/png", "path": path}});
        parts.extend(observation.shown.iter().filter_map(image).map(picture));
        let content = if parts.len() == 1 { json!(text.join("\n")) } else { json!(parts) };
        out["observation"] = json!({"results": [{"source_call_id": call, "content": content}]});
    }
    out
}
