//! DocLens's second chance (dwzhu-pku/DocLens, utils/eval_toolkits.py; switched off there where it stands): a short answer is
//! cut out and scored by its rules; what they give 0 is judged by meaning. What is asked follows its rubric, in our words.

use super::reply::{self, Correct};
use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict, extraction};
use crate::measure::Case;
use crate::measure::mmlongbench::Rules;

pub(super) const JUDGE: Judge = Judge {
    name: "doclens",
    version: 1,
    about: "DocLens on MMLongBench-Doc: its rules on the answer that is cut out, and where they give 0, the meaning",
    tries: 3,
    on_failure: OnFailure::Void,
    ask: extraction::ask,
    read: Reading::Often(read),
};

fn read(case: &Case, replies: &[String]) -> Result<Asked, String> {
    let [cut, rest @ ..] = replies else { return Ok(extraction::ask(case)) };
    let verdict = extraction::by_rules(case, cut, Rules::DocLens)?;
    if verdict.score > 0.0 {
        return Ok(Asked::Decided(verdict));
    }
    let Some(meaning) = rest.first() else { return Ok(second(case)) };
    let Correct { correct, reason } = reply::object(meaning)?;
    let (score, label) = if correct { (1.0, "correct by meaning") } else { (0.0, "incorrect") };
    Ok(Asked::Decided(Verdict { abstained: verdict.abstained, ..Verdict::new(score, label).because(reason) }))
}

fn second(case: &Case) -> Asked {
    let Some(answered) = Answered::of(case) else { return Asked::Unfit("no answer is known") };
    Asked::Prompt(Prompt {
        system: include_str!("prompts/doclens.md").into(),
        user: answered.sections(),
        schema: Some(Correct::schema()),
        pictures: Vec::new(),
    })
}
