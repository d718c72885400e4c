//! What a question says about the form of its answer, which is no part of what it asks.

use crate::qa::number::{Scale, spelt};

/// Words that begin a sentence about the form of the answer.
const INSTRUCTIONS: &[&str] = &[
    "please",
    "answer",
    "anwser",
    "write",
    "round",
    "give",
    "directly",
    "format",
    "save",
    "represent",
    "your",
    "the answer",
    "note",
    "use",
    "express",
    "respond",
    "reply",
    "return",
    "here don't",
];

/// The question without sentences on the form of the answer. Its first sentence is always kept.
pub(super) fn asked(text: &str) -> String {
    let mut kept = String::new();
    for sentence in sentences(text) {
        let lower = sentence.trim_start().to_lowercase();
        if kept.trim().is_empty() || !INSTRUCTIONS.iter().any(|i| lower.starts_with(i)) {
            kept.push_str(sentence);
        }
    }
    let cut = [", e.g.", "(e.g.", ", for example", "(for example"].iter().filter_map(|e| kept.find(e)).min();
    kept.truncate(cut.unwrap_or(kept.len()));
    kept.trim().to_owned()
}

/// Parts at `?`, `!`, line ends, and at full stops that a long word precedes.
fn sentences(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (i, c) in text.char_indices() {
        let end = i + c.len_utf8();
        let word = text[start..i].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let stop = c == '.' && word.chars().count() > 3 && text[end..].starts_with(|c: char| c.is_whitespace());
        if stop || matches!(c, '?' | '!' | '\n' | '？' | '。') {
            parts.push(&text[start..end]);
            start = end;
        }
    }
    parts.push(&text[start..]);
    parts
}

pub(super) fn scale(whole: &str) -> Option<Scale> {
    let scales = [("million", Scale::Million), ("thousand", Scale::Thousand), ("billion", Scale::Billion)];
    let asks = |name: &str| {
        [format!("in {name}"), format!("(in {name}"), format!("in {name}s")].iter().any(|p| whole.contains(p.as_str()))
    };
    scales.iter().find(|(name, _)| asks(name)).map(|(_, scale)| *scale)
}

/// `two decimal places`, `3 decimals`.
pub(super) fn decimals(whole: &str) -> Option<usize> {
    let before = whole.split(" decimal").next().filter(|b| b.len() < whole.len())?;
    let word = before.split_whitespace().next_back()?;
    let digit = word.parse().ok().or_else(|| spelt(word))?;
    usize::try_from(digit).ok().filter(|digit| *digit <= 6)
}
