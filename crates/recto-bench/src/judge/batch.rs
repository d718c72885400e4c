//! The judges of the batch task: whole numbers and decimals are cut out and compared, texts, lists and declines are judged
//! by meaning with a reason, answers of FinRAGBench-V keep that benchmark's judge. A judge that fails voids the whole.

use super::reply::{self, Correct};
use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict, extraction, finragbench};
use crate::measure::Case;

/// By the format of the right answer: `Int` and `Float`; `Str`, `List` and `None`; any other is FinRAGBench-V's.
pub(super) const JUDGE: Judge = Judge {
    name: "batch",
    version: 1,
    about: "the batch task: numbers cut out and compared, texts and lists by meaning, FinRAGBench-V by its own judge",
    tries: 3,
    on_failure: OnFailure::Void,
    ask,
    read: Reading::Once(read),
};

enum Kind {
    Number,
    Meaning,
    Finance,
}

fn kind(case: &Case) -> Kind {
    match case.item.gold.format.as_deref() {
        Some("Int" | "Float") => Kind::Number,
        Some("Str" | "List" | "None") => Kind::Meaning,
        _ => Kind::Finance,
    }
}

fn ask(case: &Case) -> Asked {
    match (kind(case), Answered::of(case)) {
        (Kind::Number, _) => extraction::ask(case),
        (Kind::Finance, _) => finragbench::ask(case),
        (Kind::Meaning, None) => Asked::Unfit("no answer is known"),
        (Kind::Meaning, Some(answered)) if answered.said.trim().is_empty() => {
            Asked::Decided(Verdict::new(0.0, "incorrect").because("no answer"))
        }
        (Kind::Meaning, Some(answered)) => Asked::Prompt(Prompt {
            system: include_str!("prompts/batch.md").into(),
            user: answered.sections(),
            schema: Some(Correct::schema()),
            pictures: Vec::new(),
        }),
    }
}

fn read(case: &Case, text: &str) -> Result<Verdict, String> {
    match kind(case) {
        Kind::Number => extraction::read(case, text),
        Kind::Finance => finragbench::read(case, text),
        Kind::Meaning => {
            let Correct { correct, reason } = reply::object(text)?;
            let (score, label) = if correct { (1.0, "correct") } else { (0.0, "incorrect") };
            Ok(Verdict::new(score, label).because(reason))
        }
    }
}
