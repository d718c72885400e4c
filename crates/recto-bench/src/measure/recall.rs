//! Recall: the share of relevant pages among the first k of a ranking.

use crate::measure::{Case, Cutoff, Definition, Formula, Measure};
use crate::score::Score;

/// `R@k`: relevant pages among the first k ÷ all relevant pages (not min(k, relevant)); trec_eval's `recall_k`.
pub const DEFINITION: Definition = Definition {
    name: "R",
    about: "share of the relevant pages that are among the first k",
    cutoff: Cutoff::Optional,
    options: &[],
    formula: Formula::Item(score),
};

fn score(measure: &Measure, case: &Case) -> Score {
    let relevant = case.item.gold.relevant();
    if relevant.is_empty() {
        return Score::Unscored("no relevant page is known".into());
    }
    let first = case.row.ranking.iter().take(measure.cutoff().unwrap_or(usize::MAX));
    let found = first.filter(|ranked| relevant.contains(&ranked.page)).count();
    Score::Value(found as f64 / relevant.len() as f64)
}
