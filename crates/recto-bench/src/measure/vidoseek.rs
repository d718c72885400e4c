//! ViDoSeek's measures of rankings (Alibaba-NLP/ViDoRAG, utils/overall_evaluator.py), which keep duplicates.
//!
//! Without a cut-off the reference takes the length of the *first* ranking for all of them, except for recall;
//! `mode=sane` takes each ranking whole. A page that is found twice counts twice in the gain, so nDCG can exceed 1.

use std::collections::BTreeSet;

use recto_page::PageId;

use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::score::Score;

const fn definition(name: &'static str, about: &'static str, formula: fn(&Measure, &[Case]) -> Score) -> Definition {
    Definition {
        name,
        about,
        cutoff: Cutoff::Optional,
        options: &[("mode", &["reference", "sane"])],
        formula: Formula::Run(formula),
    }
}

/// The measures of this benchmark.
pub(super) const DEFINITIONS: [&Definition; 4] = [
    &definition("ViDoSeek-R", "ViDoSeek: share of the relevant pages among the first k", |measure, cases| {
        mean(measure, cases, false, |found, n, _| {
            found.iter().filter_map(|page| *page).collect::<BTreeSet<_>>().len() as f64 / n as f64
        })
    }),
    &definition("ViDoSeek-Hit", "ViDoSeek: 1 if a relevant page is among the first k", |measure, cases| {
        mean(measure, cases, true, |found, _, _| f64::from(u8::from(found.iter().any(Option::is_some))))
    }),
    &definition("ViDoSeek-nDCG", "ViDoSeek: discounted gain, duplicates counted", |measure, cases| {
        mean(measure, cases, true, |found, n, k| {
            let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
            let sum: f64 = found.iter().enumerate().filter(|(_, page)| page.is_some()).map(|(at, _)| gain(at)).sum();
            sum / (0..n.min(k)).map(gain).sum::<f64>()
        })
    }),
    &definition("ViDoSeek-MRR", "ViDoSeek: 1 ÷ rank of the first relevant page", |measure, cases| {
        mean(measure, cases, true, |found, _, _| {
            found.iter().position(Option::is_some).map_or(0.0, |at| 1.0 / (at + 1) as f64)
        })
    }),
];

/// The mean over items with relevant pages of a formula of: which of the first k pages are relevant, how many there are,
/// and k.
fn mean(
    measure: &Measure,
    cases: &[Case],
    reuses_k: bool,
    formula: impl Fn(&[Option<&PageId>], usize, usize) -> f64,
) -> Score {
    let cases: Vec<(&Case, BTreeSet<&PageId>)> =
        cases.iter().map(|case| (case, case.item.gold.relevant())).filter(|(_, gold)| !gold.is_empty()).collect();
    let Some((first, _)) = cases.first() else { return Score::Unscored("no relevant page is known".into()) };
    let reused = (reuses_k && measure.option("mode") == "reference").then_some(first.row.ranking.len());
    let scores = cases.iter().map(|(case, gold)| {
        let k = measure.cutoff().or(reused).unwrap_or(case.row.ranking.len());
        let ranked = case.row.ranking.iter().take(k).map(|ranked| &ranked.page);
        let found: Vec<Option<&PageId>> = ranked.map(|page| gold.contains(page).then_some(page)).collect();
        if found.is_empty() { 0.0 } else { formula(&found, gold.len(), k) }
    });
    Score::Value(scores.sum::<f64>() / cases.len() as f64)
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};
    use serde_json::Value;

    use super::*;
    use crate::item::{Gold, GradedPage, Item};
    use crate::judge::Verdicts;
    use crate::row::{RankedPage, Row};

    fn pages(value: &Value) -> Vec<PageId> {
        let ids = value.as_array().unwrap().iter().map(|id| DocId::new(id.as_str().unwrap()));
        ids.map(|id| PageId::new(id, PageNumber::FIRST)).collect()
    }

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/vidoseek_retrieval.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let gold = |list: &Value| {
                let pages = pages(list).into_iter().map(|page| GradedPage { page, grade: 1 }).collect();
                Item { gold: Gold { pages, ..Gold::default() }, ..Item::default() }
            };
            let row = |list: &Value| {
                let ranking = pages(list).into_iter().map(|page| RankedPage { page, score: 0.0 }).collect();
                Row { ranking, ..Row::default() }
            };
            let items: Vec<Item> = vector["relevant"].as_array().unwrap().iter().map(gold).collect();
            let rows: Vec<Row> = vector["retrieved"].as_array().unwrap().iter().map(row).collect();
            let verdicts = Verdicts::new();
            let case = |(item, row)| Case { item, row, verdicts: &verdicts };
            let cases: Vec<Case> = items.iter().zip(&rows).map(case).collect();
            for (k, suffix) in [("k=-1", ""), ("k=1", "@1"), ("k=5", "@5"), ("k=10", "@10")] {
                for (name, key) in [("R", "recall"), ("Hit", "hit"), ("nDCG", "ndcg"), ("MRR", "mrr")] {
                    let measure: Measure = format!("ViDoSeek-{name}{suffix}").parse().unwrap();
                    let Formula::Run(score) = measure.definition().formula else { panic!("{measure}") };
                    let (ours, theirs) = (score(&measure, &cases).value().unwrap(), vector[k][key].as_f64().unwrap());
                    assert!((ours - theirs).abs() < 1e-9, "{measure} of {}: {ours}, not {theirs}", vector["note"]);
                }
            }
        }
        assert_eq!(vectors.len(), 6);
    }
}
