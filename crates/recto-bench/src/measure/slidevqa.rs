//! SlideVQA's measures (nttmdlab-nlp/SlideVQA, evaluate.py): answers, evidence pages, and both together.
//!
//! Its main program can't run as it is stored; its functions do, and are what these agree with. The order of evidence
//! pages matters to the exact match, and `and` inside a word is replaced too, as there.

use super::answer::{ONLY_RANKS, as_text, given, only_ranks};
use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::python::space;
use crate::score::Score;
use crate::text::number_words::below_twenty;
use crate::text::squad::{Overlap, is_punctuation, overlap, without_articles};

const PART: (&str, &[&str]) = ("part", &["answer", "evidence", "joint"]);

/// `SlideVQA-EM`: 1 if the answer, the list of evidence pages, or both are right.
pub(super) const EXACT: Definition = Definition {
    name: "SlideVQA-EM",
    about: "SlideVQA: 1 if the answer (or the evidence, or both) is right in its normal form",
    cutoff: Cutoff::None,
    options: &[PART],
    formula: Formula::Item(|measure, case| of_case(measure, case, |part| f64::from(u8::from(part.exact)))),
};

/// `SlideVQA-F1`: F1 of words, of evidence pages, or of the products of their precisions and recalls.
pub(super) const F1: Definition = Definition {
    name: "SlideVQA-F1",
    about: "SlideVQA: F1 of the answer's words (or of the evidence, or of both together)",
    cutoff: Cutoff::None,
    options: &[PART],
    formula: Formula::Item(|measure, case| of_case(measure, case, |part| part.overlap.f1)),
};

/// How well one part was met.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// Precision, recall and F1.
    pub overlap: Overlap,
    /// Whether all is right and in order.
    pub exact: bool,
}

fn of_case(measure: &Measure, case: &Case, score: impl Fn(Part) -> f64) -> Score {
    let gold = &case.item.gold;
    let Some(right) = gold.answers.first().and_then(|answer| answer.first()) else {
        return Score::Unscored("no answer is known".into());
    };
    if only_ranks(case.row) {
        return Score::Unscored(ONLY_RANKS.into());
    }
    let said = given(case.row).map(as_text).unwrap_or_default();
    let pages: Vec<_> = gold.pages.iter().map(|graded| &graded.page).collect();
    let answer = parts(&tokens(&said, &case.item.question), &tokens(right, &case.item.question));
    let evidence = parts(&case.row.pages.iter().collect::<Vec<_>>(), &pages);
    Score::Value(score(match measure.option("part") {
        "evidence" => evidence,
        "joint" => joint(answer, evidence),
        _ => answer,
    }))
}

/// Compares lists as bags, and as lists. What shares nothing is not exact, even if both are empty.
pub fn parts<T: Ord>(said: &[T], gold: &[T]) -> Part {
    let overlap = overlap(said, gold);
    Part { overlap, exact: overlap.f1 > 0.0 && said == gold }
}

/// Both together: products of the precisions and of the recalls.
pub fn joint(answer: Part, evidence: Part) -> Part {
    let product = |of: fn(Overlap) -> f64| of(answer.overlap) * of(evidence.overlap);
    let overlap = Overlap::of(product(|o| o.precision), product(|o| o.recall));
    Part { overlap, exact: answer.exact && evidence.exact }
}

/// The words of an answer in their normal form.
pub fn tokens(text: &str, question: &str) -> Vec<String> {
    let text = without_unit(replaced(&text.to_lowercase()), question);
    let bare: String = text.chars().filter(|c| !is_punctuation(*c)).collect();
    let text = without_articles(&bare);
    let text = if text.starts_with("yes") || text.starts_with("no") {
        space::split(&text).next().unwrap_or_default().to_owned()
    } else {
        text
    };
    space::split(&text).map(number_word).collect()
}

/// Spellings that count as equal.
fn replaced(text: &str) -> String {
    const AS: [(&str, &str); 11] = [
        ("this is ", ""),
        ("it is ", ""),
        ("&", ","),
        ("and", ","),
        ("percent", ""),
        ("organisation", "organization"),
        ("because of", ""),
        ("because", ""),
        ("due to", ""),
        ("hours", "hrs"),
        ("minites", "min"),
    ];
    AS.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// Without the word that follows `how many` and `which` in the question.
fn without_unit(mut text: String, question: &str) -> String {
    for asks in ["how many", "which"] {
        let unit = question.split_once(asks).and_then(|(_, after)| space::split(after).next());
        if let Some(unit) = unit {
            text = text.replace(unit, "");
        }
    }
    text
}

fn number_word(word: &str) -> String {
    below_twenty(word).map_or_else(|| word.to_owned(), |n| n.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/slidevqa.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let text = |key: &str| vector[key].as_str().unwrap();
            let pages = |key: &str| -> Vec<u64> {
                vector[key].as_array().unwrap().iter().map(|page| page.as_u64().unwrap()).collect()
            };
            let (said, gold) = (tokens(text("pred"), text("question")), tokens(text("gold"), text("question")));
            assert_eq!((said.join(" "), gold.join(" ")), (text("norm_pred").into(), text("norm_gold").into()));
            let answer = parts(&said, &gold);
            let evidence = parts(&pages("pred_pages"), &pages("gold_pages"));
            for (ours, key) in [(answer, "qa"), (evidence, "evidence"), (joint(answer, evidence), "joint")] {
                let theirs = &vector[key];
                assert!((ours.overlap.f1 - theirs["F1"].as_f64().unwrap()).abs() < 1e-9, "{key} of {vector}");
                assert_eq!(f64::from(u8::from(ours.exact)), theirs["EM"].as_f64().unwrap(), "{key} of {vector}");
            }
        }
        assert_eq!(vectors.len(), 10);
    }
}
