//! ViDoSeek's judge (Alibaba-NLP/ViDoRAG): a mark from 1 to 5; from 4 on an answer passes.

use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict};
use crate::measure::Case;

/// The first digit of the reply is the mark.
pub(super) const JUDGE: Judge = Judge {
    name: "vidoseek",
    version: 1,
    about: "ViDoSeek: 1 if the answer's mark is 4 or 5 of 5",
    tries: 3,
    on_failure: OnFailure::Zero,
    ask,
    read: Reading::Once(read),
};

/// From this mark on an answer passes.
const PASS: u32 = 4;

fn ask(case: &Case) -> Asked {
    match Answered::of(case) {
        None => Asked::Unfit("no answer is known"),
        Some(answered) => Asked::Prompt(Prompt {
            system: include_str!("prompts/vidoseek.md").into(),
            user: answered.sections(),
            schema: None,
            pictures: Vec::new(),
        }),
    }
}

fn read(_: &Case, text: &str) -> Result<Verdict, String> {
    let mark = text.chars().find_map(|c| c.to_digit(10)).ok_or("the reply has no digit")?;
    let score = f64::from(u8::from(mark >= PASS));
    Ok(Verdict::new(score, mark.to_string()).because(text.trim()))
}
