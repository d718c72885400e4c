//! What a question says about the form of its answer, which is no part of what it asks.

use crate::qa::number::{Scale, spelt};

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
