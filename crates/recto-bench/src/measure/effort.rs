//! MADQA's measures of effort: whether more of it went to questions that were answered wrong.

use super::{Case, Cutoff, Definition, Formula, Measure, madqa};
use crate::score::Score;
use crate::stats::effort::{Spent, Ties, kuiper, wasted};

/// `free`: equal efforts are one step. `file`: in the order of the items; the reference takes the order of its rows, which
/// is that of completion and differs from run to run.
const TIES: (&str, &[&str]) = ("ties", &["free", "file"]);

/// `Kuiper`: see [`kuiper`]; right is a MADQA score of one half or more.
pub(super) const KUIPER: Definition = Definition {
    name: "Kuiper",
    about: "MADQA: how unevenly right answers lie along effort, in items (0 is best)",
    cutoff: Cutoff::None,
    options: &[TIES],
    formula: Formula::Run(|measure: &Measure, cases: &[Case]| {
        let ties = if measure.option("ties") == "file" { Ties::AsGiven } else { Ties::Free };
        let none = || Score::Unscored("no effort is known, or all answers are right, or all wrong".into());
        kuiper(&spent(cases), ties).statistic.map_or_else(none, Score::Value)
    }),
};

/// `WastedEffort`: mean effort of wrong answers ÷ mean effort of right ones.
pub(super) const WASTED: Definition = Definition {
    name: "WastedEffort",
    about: "MADQA: mean effort of wrong answers ÷ mean effort of right ones",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Run(|_, cases| match wasted(&spent(cases)) {
        ratio if ratio.is_finite() => Score::Value(ratio),
        _ => Score::Unscored("no effort of a right answer is known".into()),
    }),
};

/// Steps, else calls of a model, of each item; as in the reference what is 0 counts as unknown.
fn spent(cases: &[Case]) -> Vec<Spent> {
    let effort = |case: &Case| {
        let usage = &case.row.usage;
        usage.steps.filter(|steps| *steps > 0).or(usage.calls).unwrap_or_default().into()
    };
    cases.iter().map(|case| Spent { effort: effort(case), right: madqa::is_right(case) }).collect()
}
