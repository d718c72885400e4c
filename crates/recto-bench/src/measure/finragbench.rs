//! FinRAGBench-V's rules for answers (zhaosuifeng/FinRAGBench-V, eval/eval_generation.py). Its judge is asked elsewhere.

use std::collections::BTreeSet;

use super::answer::{ONLY_RANKS, as_text, given, only_ranks};
use super::{Case, Cutoff, Definition, Formula};
use crate::python::space;
use crate::score::Score;
use crate::text::rouge::rouge_l;

/// `FRB-EM`: 1 if a short answer is the right one to the letter, but for white space at its ends.
pub(super) const EXACT: Definition = Definition {
    name: "FRB-EM",
    about: "FinRAGBench-V: 1 if a short answer is right to the letter",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| short(case, exact)),
};

/// `FRB-Recall`: the share of a short answer's words that were said.
pub(super) const RECALL: Definition = Definition {
    name: "FRB-Recall",
    about: "FinRAGBench-V: share of the words of a short answer that were said",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| short(case, recall)),
};

/// `FRB-ROUGE-L`: F1 of the longest common subsequence of stems; letters and digits other than ASCII are no words, so
/// Chinese answers score 0, here as in the reference.
pub(super) const ROUGE_L: Definition = Definition {
    name: "FRB-ROUGE-L",
    about: "FinRAGBench-V: F1 of the longest common subsequence of word stems",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| scored(case, |gold, said| rouge_l(gold, said).f1)),
};

fn short(case: &Case, score: impl Fn(&str, &str) -> f64) -> Score {
    match case.item.gold.format.as_deref() {
        Some("short") => scored(case, score),
        _ => Score::Unscored("the answer is no short one".into()),
    }
}

fn scored(case: &Case, score: impl Fn(&str, &str) -> f64) -> Score {
    let gold = case.item.gold.answers.first().and_then(|answer| answer.first());
    match (gold, given(case.row)) {
        _ if only_ranks(case.row) => Score::Unscored(ONLY_RANKS.into()),
        (None, _) => Score::Unscored("no answer is known".into()),
        (_, None) => Score::Value(0.0),
        (Some(gold), Some(said)) => Score::Value(score(gold, &as_text(said))),
    }
}

fn exact(gold: &str, said: &str) -> f64 {
    f64::from(u8::from(space::strip(gold) == space::strip(said)))
}

fn recall(gold: &str, said: &str) -> f64 {
    let words = |text| space::split(text).collect::<BTreeSet<_>>();
    let (gold, said) = (words(gold), words(said));
    if gold.is_empty() {
        return f64::from(u8::from(said.is_empty()));
    }
    gold.intersection(&said).count() as f64 / gold.len() as f64
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/finragbench_answers.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let (gold, said) = (vector["expected"].as_str().unwrap(), vector["actual"].as_str().unwrap());
            let ours = [exact(gold, said), recall(gold, said), rouge_l(gold, said).f1];
            for (ours, key) in ours.into_iter().zip(["em", "recall", "rougeL_f"]) {
                assert!((ours - vector[key].as_f64().unwrap()).abs() < 1e-9, "{key} of {vector}: {ours}");
            }
        }
        assert_eq!(vectors.len(), 10);
    }
}
