//! MADQA's rule for answers (OxRML/MADQA, eval/metrics.py), and its kinds of questions. Its judge is asked elsewhere.

use serde_json::Value;

use super::anls_star::anls_star;
use super::answer::{ONLY_RANKS, given, only_ranks};
use super::{Case, Cutoff, Definition, Formula};
use crate::row::AnswerText;
use crate::score::Score;

/// `MADQA`: ANLS* of the answer as a list to the nearest right list, in lower case.
pub(super) const ANSWER: Definition = Definition {
    name: "MADQA",
    about: "MADQA without a judge: ANLS* of the answer to the nearest right one, as lists in lower case",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| of_case(case, |score| score)),
};

/// `MADQA-Accuracy`: 1 from an ANLS* of one half on.
pub(super) const ACCURACY: Definition = Definition {
    name: "MADQA-Accuracy",
    about: "MADQA without a judge: 1 if its ANLS* is one half or more",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| of_case(case, |score| f64::from(u8::from(score >= RIGHT)))),
};

/// From this score on an answer is right.
const RIGHT: f64 = 0.5;

/// Whether the answer is right.
pub(super) fn is_right(case: &Case) -> bool {
    of_case(case, |score| score).value().is_some_and(|score| score >= RIGHT)
}

fn of_case(case: &Case, worth: impl Fn(f64) -> f64) -> Score {
    let answers = &case.item.gold.answers;
    match given(case.row) {
        _ if only_ranks(case.row) => Score::Unscored(ONLY_RANKS.into()),
        _ if answers.is_empty() => Score::Unscored("no answer is known".into()),
        None => Score::Value(worth(0.0)),
        Some(said) => Score::Value(worth(score(said, answers))),
    }
}

/// The best ANLS* of what was said over lists that are equally right; 0 for an empty answer.
pub fn score(said: &AnswerText, answers: &[Vec<String>]) -> f64 {
    let list = |entries: &[String]| Value::from(entries.iter().map(|entry| entry.to_lowercase()).collect::<Vec<_>>());
    if said.entries().is_empty() {
        return 0.0;
    }
    let said = list(said.entries());
    let nearest = answers.iter().filter_map(|answer| anls_star(&list(answer), &said).ok());
    nearest.map(|nearest| nearest.score).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &Value) -> String {
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    }

    fn texts(value: &Value) -> Vec<String> {
        value.as_array().map_or_else(|| vec![text(value)], |list| list.iter().map(text).collect())
    }

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["anls_star"].as_array().unwrap();
        for vector in vectors {
            let said = &vector["predicted"];
            let said = if said.is_null() { Vec::new() } else { texts(said) };
            let answers: Vec<Vec<String>> = vector["answer_variants"].as_array().unwrap().iter().map(texts).collect();
            let ours = score(&AnswerText::List(said), &answers);
            assert!((ours - vector["score"].as_f64().unwrap()).abs() < 1e-9, "{vector}: {ours}");
        }
        assert_eq!(vectors.len(), 16);
    }
}
