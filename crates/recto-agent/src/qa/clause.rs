//! Parts of a sentence that answer a question which says the rest of it: its subject, or what follows.

use std::ops::Range;

use super::reading::Read;
use super::sheet::Sheet;
use crate::Question;

/// Which part of a sentence is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Subject,
    Rest,
}

/// Least share of the question that a sentence must say.
const LEAST: f64 = 0.75;

/// Parts of sentences that say most of the question, each as its words.
pub(crate) fn clauses(question: &Question, sheet: &Sheet, read: &Read) -> Vec<Vec<usize>> {
    let matches = &read.matches;
    let asked = asked(&question.asked.to_lowercase());
    let mut found = Vec::new();
    for sentence in &sheet.sentences {
        let from = matches.partition_point(|(w, _)| *w < sentence.start);
        let own: Vec<(usize, usize)> =
            matches.iter().skip(from).take_while(|(w, _)| *w < sentence.end).copied().collect();
        let mut said = vec![false; question.terms.len()];
        own.iter().for_each(|&(_, term)| said[term] = true);
        let (Some(first), Some(last)) = (own.first(), own.last()) else { continue };
        if read.weighed(&said) < LEAST {
            continue;
        }
        let part = match asked {
            Asked::Subject => subject(sheet, sentence.start..first.0),
            Asked::Rest => rest(sheet, last.0 + 1..sentence.end),
        };
        found.extend(part);
    }
    found
}

/// `Which method integrates ..` asks for the subject; `What does the method integrate ..` for what follows.
fn asked(lower: &str) -> Asked {
    let words: Vec<&str> = lower.split_whitespace().take(7).collect();
    let helper = ["do", "does", "did", "is", "are", "was", "were", "will", "can", "should", "has", "have"];
    let first = words.first().copied().unwrap_or_default();
    let subject = matches!(first, "which" | "who" | "what") && !words.iter().any(|w| helper.contains(w));
    if subject { Asked::Subject } else { Asked::Rest }
}

/// The words before the first that the question says, back to the last comma: at most eight.
fn subject(sheet: &Sheet, words: Range<usize>) -> Option<Vec<usize>> {
    let start = words.clone().rev().find(|&i| sheet.word(i).ends_with([',', ';', ':'])).map_or(words.start, |i| i + 1);
    let kept: Vec<usize> = (start..words.end).filter(|&i| !is_reference(sheet.word(i))).collect();
    ((1..=8).contains(&kept.len()) && kept.iter().any(|&i| sheet.word(i).starts_with(char::is_uppercase)))
        .then_some(kept)
}

/// The words after the last that the question says, up to the next comma: at most fifteen.
fn rest(sheet: &Sheet, words: Range<usize>) -> Option<Vec<usize>> {
    let skipped = words.clone().find(|&i| !is_link(sheet.word(i)))?;
    let end = (skipped..words.end).find(|&i| sheet.word(i).ends_with([',', ';'])).map_or(words.end, |i| i + 1);
    let kept: Vec<usize> = (skipped..end).filter(|&i| !is_reference(sheet.word(i))).collect();
    (1..=15).contains(&kept.len()).then_some(kept)
}

/// `[75]`, `(2019)`.
fn is_reference(word: &str) -> bool {
    word.starts_with('[') || word.starts_with('(') && word.trim_end_matches([',', '.']).ends_with(')')
}

fn is_link(word: &str) -> bool {
    [
        "is",
        "are",
        "was",
        "were",
        "by",
        "on",
        "in",
        "at",
        "to",
        "as",
        "the",
        "a",
        "an",
        "of",
        "with",
        "from",
        "include",
        "includes",
        "including",
    ]
    .contains(&word)
}
