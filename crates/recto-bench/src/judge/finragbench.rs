//! FinRAGBench-V's judge of answers (zhaosuifeng/FinRAGBench-V, eval/eval_generation.py): true or false.

use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict};
use crate::measure::Case;

/// Right if the reply says "true" anywhere, in any case. An empty answer is wrong unasked.
pub(super) const JUDGE: Judge = Judge {
    name: "finragbench",
    version: 1,
    about: "FinRAGBench-V: 1 if the answer agrees with the reference",
    tries: 3,
    on_failure: OnFailure::Zero,
    ask,
    read: Reading::Once(read),
};

pub(super) fn ask(case: &Case) -> Asked {
    match Answered::of(case) {
        None => Asked::Unfit("no answer is known"),
        Some(answered) if answered.said.trim().is_empty() => {
            Asked::Decided(Verdict::new(0.0, "false").because("no answer"))
        }
        Some(answered) => Asked::Prompt(Prompt {
            system: include_str!("prompts/finragbench.md").into(),
            user: answered.sections(),
            schema: None,
            pictures: Vec::new(),
        }),
    }
}

pub(super) fn read(_: &Case, text: &str) -> Result<Verdict, String> {
    let text = text.trim();
    match text.to_lowercase().contains("true") {
        _ if text.is_empty() => Err("the reply is empty".into()),
        true => Ok(Verdict::new(1.0, "true")),
        false => Ok(Verdict::new(0.0, "false")),
    }
}
