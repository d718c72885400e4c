//! The judge of MMLongBench-Doc V2 (VectifyAI/MMLongBench-Doc-V2, eval/judge.py): same meaning or not, and whether the
//! system abstained. What is asked follows its rubric, in our words.

use serde::Deserialize;
use serde_json::json;

use super::reply;
use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict};
use crate::measure::Case;

/// Three tries; a failure counts as wrong and not abstained. Every row is judged.
pub(super) const JUDGE: Judge = Judge {
    name: "mmlb-v2",
    version: 1,
    about: "MMLongBench-Doc V2: 1 if the answer means the reference; and whether it abstains",
    tries: 3,
    on_failure: OnFailure::Zero,
    ask,
    read: Reading::Once(read),
};

/// So much of a reply is judged.
const MOST_CHARACTERS: usize = 12_000;

#[derive(Deserialize)]
struct Reply {
    equivalent: bool,
    abstained: bool,
    #[serde(default)]
    reason: String,
}

fn ask(case: &Case) -> Asked {
    let Some(mut answered) = Answered::of(case) else { return Asked::Unfit("no answer is known") };
    answered.said = answered.said.chars().take(MOST_CHARACTERS).collect();
    let format = case.item.gold.format.as_deref().unwrap_or("unknown");
    Asked::Prompt(Prompt {
        system: include_str!("prompts/mmlb-v2.md").into(),
        user: format!("Expected format: {format}\n\n{}", answered.sections()),
        schema: Some(json!({
            "type": "object",
            "properties": {
                "equivalent": {"type": "boolean"},
                "abstained": {"type": "boolean"},
                "reason": {"type": "string"},
            },
            "required": ["equivalent", "abstained", "reason"],
            "additionalProperties": false,
        })),
        pictures: Vec::new(),
    })
}

fn read(_: &Case, text: &str) -> Result<Verdict, String> {
    let Reply { equivalent, abstained, reason } = reply::object(text)?;
    let (score, label) = if equivalent { (1.0, "equivalent") } else { (0.0, "different") };
    Ok(Verdict { abstained, ..Verdict::new(score, label).because(reason) })
}
