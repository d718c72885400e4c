//! The batch task's quality, the mean over its sources of each one's mean answer score, and the reward curve over it.

use std::collections::BTreeMap;

use super::{Case, Cutoff, Definition, Formula, Measure, judged, mmlongbench};
use crate::score::Score;

/// What the baseline of the task reaches.
const BASELINE: f64 = 0.435_098_978_054_377_2;

/// Who says whether an answer is right: the rules of MMLongBench-Doc, or the task's judges.
const BY: (&str, &[&str]) = ("by", &["rules", "batch"]);

/// `Quality(by=batch)`: each source (slice `source`) weighs the same; a set without sources is one.
pub(super) const QUALITY: Definition = Definition {
    name: "Quality",
    about: "batch task: mean answer score of each source, then of the sources",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Run(quality),
};

/// `Reward(by=batch)`: 0.2 at the baseline, 1 for all right, straight between.
pub(super) const REWARD: Definition = Definition {
    name: "Reward",
    about: "batch task: its reward curve over Quality",
    cutoff: Cutoff::None,
    options: &[BY],
    formula: Formula::Run(|measure, cases| match quality(measure, cases) {
        Score::Value(quality) => Score::Value(reward(quality)),
        unscored @ Score::Unscored(_) => unscored,
    }),
};

/// By the judges every answer must have been judged: one that is not voids the whole.
fn quality(measure: &Measure, cases: &[Case]) -> Score {
    let by_judge = measure.option("by") == "batch";
    let mut sources: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for case in cases {
        let score = if by_judge { judged::score(case, "batch") } else { mmlongbench::of_rules(case) };
        match score {
            Some(score) => sources.entry(source(case)).or_default().push(score),
            None if by_judge => return Score::Unscored("not every answer was judged".into()),
            None => {}
        }
    }
    if sources.is_empty() {
        return Score::Unscored("no answer with a format is known".into());
    }
    let means = sources.values().map(|scores| scores.iter().sum::<f64>() / scores.len() as f64);
    Score::Value(means.sum::<f64>() / sources.len() as f64)
}

fn source<'c>(case: &Case<'c>) -> &'c str {
    case.item.slices.get("source").and_then(|names| names.first()).map_or("", String::as_str)
}

/// 0.2 q ÷ b up to the baseline b, then 0.2 + 0.8 (q - b) ÷ (1 - b).
pub fn reward(quality: f64) -> f64 {
    if quality <= BASELINE { 0.2 * quality / BASELINE } else { 0.2 + 0.8 * (quality - BASELINE) / (1.0 - BASELINE) }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/source002_reward.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let ours = reward(vector["q"].as_f64().unwrap());
            assert!((ours - vector["reward"].as_f64().unwrap()).abs() < 1e-9, "{vector}: {ours}");
        }
        assert_eq!(vectors.len(), 15);
    }
}
