//! MC-Search's measures of the way to an answer: which evidence the steps of a system fetched.
//!
//! From the formulas of the paper as public notes quote them; there was no code to compare with. A step's evidence is the
//! first page that a search of the row brought back; the gold evidence is the item's path.

use recto_page::PageId;

use super::{Case, Cutoff, Definition, Formula};
use crate::score::Score;

/// `HPS`: hits per step. `count=pairs` counts pairs of equal evidence, as the formula is written, and can exceed 1 where
/// evidence is fetched twice.
pub(super) const HITS: Definition = Definition {
    name: "HPS",
    about: "MC-Search: share of the gold evidence that the steps fetched",
    cutoff: Cutoff::None,
    options: &[("count", &["distinct", "pairs"])],
    formula: Formula::Item(|measure, case| {
        let pairs = measure.option("count") == "pairs";
        of_steps(case, |said, gold| if pairs { hit_pairs(said, gold) } else { hits(said, gold) })
    }),
};

/// `RD`: rollout deviation, |steps taken - steps of the gold path|; 0 is best.
pub(super) const DEVIATION: Definition = Definition {
    name: "RD",
    about: "MC-Search: by how many steps the way differs in length from the gold one (0 is best)",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| of_steps(case, |said, gold| said.len().abs_diff(gold.len()) as f64)),
};

fn of_steps(case: &Case, score: impl Fn(&[&PageId], &[&PageId]) -> f64) -> Score {
    let gold: Vec<&PageId> = case.item.gold.path.iter().collect();
    if gold.is_empty() {
        return Score::Unscored("no path of evidence is known".into());
    }
    let said: Vec<&PageId> = case.row.searches.iter().filter_map(|search| search.pages.first()).collect();
    Score::Value(score(&said, &gold))
}

/// The share of gold steps whose evidence was fetched.
fn hits<T: PartialEq>(said: &[T], gold: &[T]) -> f64 {
    gold.iter().filter(|step| said.contains(step)).count() as f64 / gold.len() as f64
}

/// Pairs of a fetched and a gold step with equal evidence ÷ gold steps.
fn hit_pairs<T: PartialEq>(said: &[T], gold: &[T]) -> f64 {
    let pairs = said.iter().map(|step| gold.iter().filter(|other| *other == step).count()).sum::<usize>();
    pairs as f64 / gold.len() as f64
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};
    use serde_json::Value;

    use super::*;
    use crate::item::{Gold, Item};
    use crate::judge::Verdicts;
    use crate::measure::Measure;
    use crate::row::{Row, Search};

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/mcsearch_process.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let pages = |key: &str| -> Vec<PageId> {
                let ids = vector[key].as_array().unwrap().iter().map(|id| DocId::new(id.as_str().unwrap()));
                ids.map(|id| PageId::new(id, PageNumber::FIRST)).collect()
            };
            let item = Item { gold: Gold { path: pages("gold_evidence"), ..Gold::default() }, ..Item::default() };
            let search = |page| Search { query: String::new(), pages: vec![page] };
            let searches = pages("pred_evidence").into_iter().map(search).collect();
            let row = Row { searches, ..Row::default() };
            let case = Case { item: &item, row: &row, verdicts: &Verdicts::new() };
            for (name, key) in
                [("HPS", "hps_distinct"), ("HPS(count=pairs)", "hps_pair_count"), ("RD", "rollout_deviation")]
            {
                let measure: Measure = name.parse().unwrap();
                let Formula::Item(score) = measure.definition().formula else { panic!("{name}") };
                let ours = score(&measure, &case).value().unwrap();
                assert!((ours - vector[key].as_f64().unwrap()).abs() < 1e-9, "{name} of {vector}: {ours}");
            }
        }
        assert_eq!(vectors.len(), 7);
    }
}
