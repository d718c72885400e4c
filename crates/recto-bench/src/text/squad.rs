//! Answers as SQuAD compares them: lower case, no punctuation, no articles; and the F1 of bags of tokens.

use std::collections::BTreeMap;

use crate::python::space::{fold, split};

/// `string.punctuation` of Python.
pub(crate) fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
}

/// The tokens of an answer: lower-cased, without ASCII punctuation and without `a`, `an`, `the`.
pub fn tokens(text: &str) -> Vec<String> {
    let bare: String = text.to_lowercase().chars().filter(|c| !is_punctuation(*c)).collect();
    split(&without_articles(&bare)).map(str::to_owned).collect()
}

/// `text` with a space for each `a`, `an` and `the` that is a word of its own (`\b(a|an|the)\b`).
pub(crate) fn without_articles(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(run);
        out.push_str(if matches!(word, "a" | "an" | "the") { " " } else { word });
        rest = after;
    }
    out
}

/// Precision, recall and F1 of a bag of tokens against a gold bag; all 0 if they share none.
pub fn overlap<T: Ord>(predicted: &[T], gold: &[T]) -> Overlap {
    let mut left: BTreeMap<&T, usize> = BTreeMap::new();
    for token in gold {
        *left.entry(token).or_default() += 1;
    }
    let mut shared = 0.0;
    for token in predicted {
        if let Some(count) = left.get_mut(token).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1.0;
        }
    }
    if shared == 0.0 {
        return Overlap::default();
    }
    Overlap::of(shared / predicted.len() as f64, shared / gold.len() as f64)
}

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Overlap {
    /// Share of what was given that is right.
    pub precision: f64,
    /// Share of what is right that was given.
    pub recall: f64,
    /// 2PR ÷ (P + R), 0 if both are 0.
    pub f1: f64,
}

impl Overlap {
    /// With its F1.
    pub fn of(precision: f64, recall: f64) -> Self {
        let sum = precision + recall;
        Self { precision, recall, f1: if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 } }
    }
}

/// The normal form that SQuAD's exact match compares.
pub fn normal(text: &str) -> String {
    fold(&tokens(text).join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_and_punctuation_do_not_count() {
        for (text, normal_text) in
            [("The  Eiffel-Tower.", "eiffeltower"), ("a_b an  ant", "ab ant"), ("A. B", "b"), ("¿Où?", "¿où"), ("", "")]
        {
            assert_eq!(normal(text), normal_text);
        }
    }

    #[test]
    fn tokens_count_as_often_as_they_stand() {
        let f1 = |a: &str, b: &str| overlap(&tokens(a), &tokens(b)).f1;
        assert_eq!(f1("x x y", "x y y"), 2.0 / 3.0);
        assert_eq!(f1("", ""), 0.0);
        assert_eq!(f1("b", "c"), 0.0);
    }
}
