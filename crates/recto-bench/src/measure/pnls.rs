//! Partial normalised Levenshtein similarity: how much of the right answer stands somewhere in what was said (SV-RAG;
//! VisR-Bench and DocArena use it).

use super::answer::{as_text, best_of};
use super::{Cutoff, Definition, Formula};

/// `PNLS`: the best over the right answers, see [`pnls`]. In `mode=reference` the sign for a gap is a hyphen, so a hyphen
/// that one side lacks counts as met.
pub(super) const DEFINITION: Definition = Definition {
    name: "PNLS",
    about: "how much of the right answer stands somewhere in what was said, letter by letter",
    cutoff: Cutoff::None,
    options: &[("mode", &["sane", "reference"])],
    formula: Formula::Item(|measure, case| {
        let gap = (measure.option("mode") == "reference").then_some('-');
        best_of(case, |gold, said| pnls(&gold.join(", "), &as_text(said), gap))
    }),
};

/// Aligns `gold` with the stretch of `said` that it is nearest to (unit costs; what stands before and after costs
/// nothing; of equal ends the first) and gives the share of letters of the alignment that are equal. With `gap`, letters
/// that are missing count as that sign. 1 for an empty gold.
pub fn pnls(gold: &str, said: &str, gap: Option<char>) -> f64 {
    let (gold, said): (Vec<char>, Vec<char>) = (gold.chars().collect(), said.chars().collect());
    if gold.is_empty() {
        return 1.0;
    }
    let costs = costs(&gold, &said);
    let last = costs.last().map(Vec::as_slice).unwrap_or_default();
    let end = (0..last.len()).min_by_key(|j| last[*j]).unwrap_or_default();
    let (mut i, mut j, mut equal, mut length) = (gold.len(), end, 0_u32, 0_u32);
    while i > 0 {
        length += 1;
        let differs = |i: usize, j: usize| usize::from(gold[i - 1] != said[j - 1]);
        if j > 0 && costs[i][j] == costs[i - 1][j - 1] + differs(i, j) {
            equal += u32::from(gold[i - 1] == said[j - 1]);
            (i, j) = (i - 1, j - 1);
        } else if costs[i][j] == costs[i - 1][j] + 1 {
            equal += u32::from(gap == Some(gold[i - 1]));
            i -= 1;
        } else {
            equal += u32::from(gap == Some(said[j - 1]));
            j -= 1;
        }
    }
    f64::from(equal) / f64::from(length)
}

/// `costs[i][j]`: of aligning the first i letters of `gold` with a stretch of `said` that ends before its j-th.
fn costs(gold: &[char], said: &[char]) -> Vec<Vec<usize>> {
    let mut costs = vec![vec![0; said.len() + 1]];
    for (i, letter) in gold.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in said.iter().enumerate() {
            let replaced = costs[i][j] + usize::from(letter != other);
            row.push(replaced.min(costs[i][j + 1] + 1).min(row[j] + 1));
        }
        costs.push(row);
    }
    costs
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/pnls.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let text = |key: &str| vector[key].as_str().unwrap();
            let ours = pnls(text("gold"), text("pred"), Some('-'));
            assert!((ours - vector["pnls"].as_f64().unwrap()).abs() < 1e-9, "{vector}: {ours}");
        }
        assert_eq!(vectors.len(), 14);
    }

    #[test]
    fn a_hyphen_that_is_missing_is_missing() {
        assert_eq!(pnls("co-op", "coop", None), 0.8);
    }
}
