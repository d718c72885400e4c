//! ROUGE-L: the longest common subsequence of two texts' stemmed words, as `rouge_score` 0.1.2 computes it.
//!
//! Everything but `a-z0-9` parts words, so a text in another script has none and scores 0.

use super::porter::stem;
use super::squad::Overlap;

/// Precision, recall and F1 of `prediction` against `target`; all 0 if either has no word.
pub fn rouge_l(target: &str, prediction: &str) -> Overlap {
    let (target, prediction) = (words(target), words(prediction));
    if target.is_empty() || prediction.is_empty() {
        return Overlap::default();
    }
    let common = longest_common(&target, &prediction) as f64;
    Overlap::of(common / prediction.len() as f64, common / target.len() as f64)
}

/// Words of more than three letters are stemmed.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_lowercase() && !c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.map(|word| if word.len() > 3 { stem(word) } else { word.into() }).collect()
}

fn longest_common(a: &[String], b: &[String]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        let mut left = 0;
        for (y, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            left = if x == y { diagonal + 1 } else { left.max(*cell) };
            diagonal = std::mem::replace(cell, left);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsequences_are_longest() {
        for (a, b, length) in [("a b c d", "a c d", 3), ("a b", "b a", 1), ("a a b", "a b a", 2), ("a", "b", 0)] {
            let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(longest_common(&words(a), &words(b)), length);
        }
    }
}
