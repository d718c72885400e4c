//! Measures by judges' verdicts. Who is asked what stands in [`crate::judge`]; a row that was not judged has no score.

use super::mmlongbench::{Scored, accuracy_and_f1};
use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::judge::Verdict;
use crate::measure::answer::NOT_ANSWERABLE;
use crate::score::Score;
use crate::stats::judge_correction::{MADQA, correct};

/// Whose verdict. There is no default: scores by different judges can't be compared.
const BY: (&str, &[&str]) = (
    "by",
    &[
        "nobody",
        "madqa",
        "mmlb",
        "doclens",
        "mmlb-v2",
        "finragbench",
        "frb-page",
        "frb-box",
        "frb-crop",
        "batch",
        "vidoseek",
    ],
);

/// `Judged(by=madqa)`: the mean verdict.
pub(super) const SCORE: Definition = Definition {
    name: "Judged",
    about: "what a judge says of the answer, 0 to 1",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Item(|measure, case| of_case(measure, case, |verdict| verdict.score)),
};

/// `Judged-Accuracy(by=madqa)`: the share of answers with a verdict of one half or more, so that partly right counts as right.
pub(super) const ACCURACY: Definition = Definition {
    name: "Judged-Accuracy",
    about: "1 if a judge gives the answer one half or more",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Item(|measure, case| {
        of_case(measure, case, |verdict| f64::from(u8::from(verdict.score >= RIGHT)))
    }),
};

/// `Judged-Precision(by=frb-box)`: the share of the cited pictures that is needed, by a judge of citations; its `Judged` is the
/// recall.
pub(super) const PRECISION: Definition = Definition {
    name: "Judged-Precision",
    about: "share of the citations that are needed, by a judge of citations",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Item(|measure, case| match verdict(measure, case) {
        Some(Verdict { precision: Some(precision), .. }) => Score::Value(*precision),
        Some(_) => Score::Unscored("this judge looks at no citations".into()),
        None => of_case(measure, case, |verdict| verdict.score),
    }),
};

/// `Judged-F1(by=mmlb-v2)`: precision over the answers that do not abstain, recall over the questions that have an answer
/// (VectifyAI/MMLongBench-Doc-V2, eval/metrics.py).
pub(super) const F1: Definition = Definition {
    name: "Judged-F1",
    about: "F1 of judged answers: over those that do not abstain, and the questions that have an answer",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Run(|measure, cases| {
        let scored = |case: &Case| {
            let verdict = verdict(measure, case)?;
            let none = |answer: &String| answer.starts_with(NOT_ANSWERABLE);
            let gold = &case.item.gold;
            let answerable = !gold.unanswerable && !gold.answers.iter().flatten().any(none);
            Some(Scored { answerable, answered: !verdict.abstained, score: verdict.score })
        };
        complete(cases, scored).map_or_else(not_judged, |scored| Score::Value(accuracy_and_f1(&scored).1))
    }),
};

/// `Judged-Corrected(by=madqa)`: the share of right answers, corrected for how often the judge of MADQA errs, with
/// the interval that belongs to it.
pub(super) const CORRECTED: Definition = Definition {
    name: "Judged-Corrected",
    about: "share of right answers, corrected for the errors of MADQA's judge (Rogan and Gladen)",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Estimate(|measure, cases| match complete(cases, |case| Some(verdict(measure, case)?.score)) {
        Some(scores) => {
            let mean = scores.iter().sum::<f64>() / scores.len() as f64;
            let corrected = correct(mean, scores.len() as u32, MADQA, 1.96);
            (Score::Value(corrected.share), Some(corrected.interval))
        }
        None => (not_judged(), None),
    }),
};

/// From this verdict on an answer is right.
const RIGHT: f64 = 0.5;

fn verdict<'c>(measure: &Measure, case: &Case<'c>) -> Option<&'c Verdict> {
    case.verdicts.get(measure.option("by"))
}

/// What `of` says of each case; `None` if it says nothing of one, or there is none.
fn complete<T>(cases: &[Case], of: impl Fn(&Case) -> Option<T>) -> Option<Vec<T>> {
    cases.iter().map(of).collect::<Option<Vec<T>>>().filter(|all| !all.is_empty())
}

fn not_judged() -> Score {
    Score::Unscored("not every answer was judged".into())
}

fn of_case(measure: &Measure, case: &Case, worth: impl Fn(&Verdict) -> f64) -> Score {
    match verdict(measure, case) {
        Some(verdict) => Score::Value(worth(verdict)),
        None if measure.option("by") == "nobody" => Score::Unscored("say which judge: Judged(by=madqa)".into()),
        None => Score::Unscored("not judged".into()),
    }
}

/// The verdict's score by the judge of that name.
pub(super) fn score(case: &Case, by: &str) -> Option<f64> {
    case.verdicts.get(by).map(|verdict| verdict.score)
}
