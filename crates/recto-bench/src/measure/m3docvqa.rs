//! M3DocVQA's measures (bloomberg/m3docrag, datasets/m3_docvqa/evaluate.py, after MultimodalQA and DROP): answers as lists
//! of bags of words, and the documents among the pages found.

use std::collections::BTreeSet;

use super::answer::best_of;
use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::assignment::best_pairs;
use crate::python::{float_text, rounding, space};
use crate::row::AnswerText;
use crate::score::Score;
use crate::text::number_words::below_twenty;
use crate::text::squad::{is_punctuation, without_articles};

/// `M3-EM`: 1 if the lists hold the same entries.
pub(super) const EXACT: Definition = Definition {
    name: "M3-EM",
    about: "M3DocVQA: 1 if the answer's list has the right entries",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| best_of(case, |gold, said| exact(entries(said), gold))),
};

/// `M3-F1`: the mean F1 of entries that are paired so that it is best, rounded to two digits as in the reference.
pub(super) const F1: Definition = Definition {
    name: "M3-F1",
    about: "M3DocVQA: F1 of the entries of the answer's list",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| best_of(case, |gold, said| f1(entries(said), gold))),
};

/// `M3-R@k`: the share of the right documents that the first k *pages* are of.
pub(super) const RECALL: Definition = Definition {
    name: "M3-R",
    about: "M3DocVQA: share of the right documents that the first k pages are of",
    cutoff: Cutoff::Required,
    options: &[],
    formula: Formula::Item(recall),
};

fn entries(said: &AnswerText) -> &[String] {
    said.entries()
}

fn recall(measure: &Measure, case: &Case) -> Score {
    let gold: BTreeSet<_> = case.item.gold.relevant().into_iter().map(|page| &page.doc).collect();
    if gold.is_empty() {
        return Score::Unscored("no relevant page is known".into());
    }
    let first = case.row.ranking.iter().take(measure.cutoff().unwrap_or(usize::MAX));
    let found: BTreeSet<_> = first.map(|ranked| &ranked.page.doc).filter(|doc| gold.contains(doc)).collect();
    Score::Value(found.len() as f64 / gold.len() as f64)
}

/// 1 if the normal forms are the same set and as many.
pub fn exact(said: &[String], gold: &[String]) -> f64 {
    let normal = |list: &[String]| list.iter().map(|entry| normal(entry)).collect::<BTreeSet<_>>();
    f64::from(u8::from(said.len() == gold.len() && normal(said) == normal(gold)))
}

/// The F1 of bags of words, over the pairing with the greatest sum; entries without a partner count 0.
pub fn f1(said: &[String], gold: &[String]) -> f64 {
    let bags = |list: &[String]| -> Vec<BTreeSet<String>> {
        list.iter().map(|entry| space::split(&normal(entry)).map(str::to_owned).collect()).collect()
    };
    let (said, gold) = (bags(said), bags(gold));
    let scores: Vec<Vec<f64>> = gold.iter().map(|gold| said.iter().map(|said| of_bags(said, gold)).collect()).collect();
    let pairs = best_pairs(&scores);
    let sum: f64 = pairs.into_iter().filter_map(|(row, column)| scores.get(row)?.get(column)).sum();
    let n = said.len().max(gold.len());
    if n == 0 { 0.0 } else { rounding::round_numpy(sum / n as f64, 2) }
}

/// F1 of sets; 0 where the right entry has numbers and none of them was said.
fn of_bags(said: &BTreeSet<String>, gold: &BTreeSet<String>) -> f64 {
    let is_number = |word: &&String| float_text::parse(word).is_some();
    if gold.iter().any(|word| is_number(&word)) && !gold.iter().filter(is_number).any(|word| said.contains(word)) {
        return 0.0;
    }
    let both = gold.intersection(said).count() as f64;
    let share = |of: usize| if of == 0 { 1.0 } else { both / of as f64 };
    let (precision, recall) = (share(said.len()), share(gold.len()));
    if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
}

/// Lower case, numbers as Python prints them, no punctuation, no articles; words are parted by spaces and hyphens.
pub fn normal(text: &str) -> String {
    let words = text.split([' ', '-']).map(normal_word).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

fn normal_word(word: &str) -> String {
    let lower = word.to_lowercase();
    let bare: String = match float_text::parse(&lower) {
        Some(_) => lower,
        None => lower.chars().filter(|c| !is_punctuation(*c)).collect(),
    };
    let number = float_text::parse(&bare).or_else(|| word_number(space::strip(&bare)));
    space::fold(&without_articles(&number.map_or(bare, float_text::repr)))
}

/// The value of a single English number word.
fn word_number(word: &str) -> Option<f64> {
    const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    const GREAT: [(&str, f64); 4] = [("hundred", 1e2), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9)];
    let small = below_twenty(word).map(|n| n as f64);
    let tens = || TENS.iter().position(|known| *known == word).map(|n| 10.0 * (n as f64 + 2.0));
    small.or_else(tens).or_else(|| GREAT.iter().find(|(known, _)| *known == word).map(|(_, n)| *n))
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageId, PageNumber};
    use serde_json::Value;

    use super::*;
    use crate::item::{Gold, GradedPage, Item};
    use crate::judge::Verdicts;
    use crate::row::{RankedPage, Row};

    fn texts(value: &Value) -> Vec<String> {
        let one = |text: &Value| text.as_str().unwrap().to_owned();
        value.as_array().map_or_else(|| vec![one(value)], |list| list.iter().map(one).collect())
    }

    fn golden() -> Value {
        serde_json::from_str(include_str!("../../tests/golden/m3docvqa.json")).unwrap()
    }

    #[test]
    fn golden_answers() {
        let file = golden();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let (said, gold) = (texts(&vector["pred"]), texts(&vector["gold"]));
            let normals = |list: &[String]| list.iter().map(|entry| normal(entry)).collect::<Vec<_>>();
            assert_eq!(normals(&said), texts(&vector["norm_pred"]), "{vector}");
            assert_eq!(normals(&gold), texts(&vector["norm_gold"]), "{vector}");
            assert_eq!(exact(&said, &gold), vector["list_em"].as_f64().unwrap(), "{vector}");
            assert!((f1(&said, &gold) - vector["list_f1"].as_f64().unwrap()).abs() < 1e-9, "{vector}");
        }
        assert_eq!(vectors.len(), 13);
    }

    #[test]
    fn golden_documents() {
        let file = golden();
        let (input, output) = (&file["retrieval"]["input"], &file["retrieval"]["output"]["recall_per_qid_at_k"]);
        let page = |doc: &Value, page: u64| {
            PageId::new(DocId::new(doc.as_str().unwrap()), PageNumber::new(page as u32).unwrap())
        };
        let mut n = 0;
        for (k, scores) in output.as_object().unwrap() {
            for (query, theirs) in scores.as_object().unwrap() {
                let docs = input["gold"][query].as_array().unwrap().iter();
                let pages = docs.map(|doc| GradedPage { page: page(doc, 1), grade: 1 }).collect();
                let item = Item { gold: Gold { pages, ..Gold::default() }, ..Item::default() };
                let ranked = input["results"][query].as_array().unwrap().iter();
                let ranked = ranked.map(|hit| RankedPage { page: page(&hit[0], hit[1].as_u64().unwrap()), score: 0.0 });
                let row = Row { ranking: ranked.collect(), ..Row::default() };
                let measure: Measure = format!("M3-R@{k}").parse().unwrap();
                let ours = recall(&measure, &Case { item: &item, row: &row, verdicts: &Verdicts::new() });
                assert_eq!(ours.value(), theirs.as_f64(), "{query} at {k}");
                n += 1;
            }
        }
        assert_eq!(n, 10);
    }
}
