//! MMLongBench-Doc's first version: a model cuts a short answer out of what was said, the rules score that.

use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict};
use crate::measure::Case;
use crate::measure::answer::NOT_ANSWERABLE;
use crate::measure::mmlongbench::{Rules, score};
use crate::python::space;

/// A reply without both labels is no reply; there the reference raises an error, here it is asked again.
pub(super) const JUDGE: Judge = Judge {
    name: "mmlb",
    version: 1,
    about: "MMLongBench-Doc: a short answer is cut out of the reply, and its rules score that",
    tries: 3,
    on_failure: OnFailure::Void,
    ask,
    read: Reading::Once(read),
};

const ANSWER: &str = "Extracted answer:";
const FORMAT: &str = "Answer format:";

pub(super) fn ask(case: &Case) -> Asked {
    let Some(answered) = Answered::of(case).filter(|_| case.item.gold.format.is_some()) else {
        return Asked::Unfit("no answer with a format is known");
    };
    if answered.said.is_empty() {
        return Asked::Decided(Verdict::new(0.0, "").because("no answer"));
    }
    // The reference answer is none of the extractor's business.
    let fenced = Answered { gold: "(withheld)".into(), ..answered };
    Asked::Prompt(Prompt {
        system: include_str!("prompts/mmlb-extract.md").into(),
        user: fenced.sections(),
        schema: None,
        pictures: Vec::new(),
    })
}

pub(super) fn read(case: &Case, text: &str) -> Result<Verdict, String> {
    by_rules(case, text, Rules::V1)
}

/// The score of the answer that a reply cuts out.
pub(super) fn by_rules(case: &Case, text: &str, rules: Rules) -> Result<Verdict, String> {
    let gold = &case.item.gold;
    let (_, rest) = text.split_once(ANSWER).ok_or_else(|| format!("the reply lacks {ANSWER:?}"))?;
    let (cut, _) = rest.split_once(FORMAT).ok_or_else(|| format!("the reply lacks {FORMAT:?}"))?;
    let cut = space::strip(cut);
    let answer = gold.answers.first().and_then(|answer| answer.first()).map_or(NOT_ANSWERABLE, String::as_str);
    let score = score(answer, cut, gold.format.as_deref().unwrap_or("None"), rules).unwrap_or_default();
    Ok(Verdict { abstained: cut == NOT_ANSWERABLE, ..Verdict::new(score, cut) })
}
