//! VisDocAgentBench's measures: a ranking counts only if its first ten pages are ten different pages of the corpus.
//!
//! From its repository's evaluation (hulx2002/VisDocAgentBench). Its reports are percentages, these are fractions.

use std::collections::BTreeSet;

use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::score::Score;

/// So many pages a valid ranking has.
const TEN: usize = 10;

/// `VDAB-R@k`: 1 if the gold page is among the first k of a valid ranking, else 0.
pub(super) const RECALL: Definition = Definition {
    name: "VDAB-R",
    about: "VisDocAgentBench: 1 if the gold page is among the first k (at most 10) of a valid ranking",
    cutoff: Cutoff::Required,
    options: &[],
    formula: Formula::Item(|measure, case| rank_score(measure, case, |_| 1.0)),
};

/// `VDAB-MRR@k`: 1 ÷ rank of the gold page in a valid ranking, 0 beyond k.
pub(super) const RECIPROCAL_RANK: Definition = Definition {
    name: "VDAB-MRR",
    about: "VisDocAgentBench: 1 ÷ rank of the gold page in a valid ranking",
    cutoff: Cutoff::Required,
    options: &[],
    formula: Formula::Item(|measure, case| rank_score(measure, case, |rank| 1.0 / rank as f64)),
};

fn rank_score(measure: &Measure, case: &Case, worth: impl Fn(usize) -> f64) -> Score {
    let Some(gold) = case.item.gold.relevant().into_iter().next() else {
        return Score::Unscored("no gold page is known".into());
    };
    let first: Vec<_> = case.row.ranking.iter().take(TEN).map(|ranked| &ranked.page).collect();
    let valid = first.iter().collect::<BTreeSet<_>>().len() == TEN;
    let rank = first.iter().position(|page| *page == gold).map(|at| at + 1);
    let within = rank.filter(|rank| valid && measure.cutoff().is_some_and(|k| *rank <= k));
    Score::Value(within.map_or(0.0, worth))
}

#[cfg(test)]
mod tests {
    use recto_page::mersenne_twister::MersenneTwister;
    use recto_page::{DocId, PageId, PageNumber};
    use serde_json::Value;

    use super::*;
    use crate::baseline::bm25::Bm25;
    use crate::baseline::rrf;
    use crate::item::{Gold, GradedPage, Item};
    use crate::judge::Verdicts;
    use crate::python::word_runs::word_runs;
    use crate::row::{RankedPage, Row};

    fn golden(key: &str) -> Vec<Value> {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/visdocagentbench.json")).unwrap();
        file["vectors"][key].as_array().unwrap().clone()
    }

    fn page(id: &str) -> PageId {
        PageId::new(DocId::new(id), PageNumber::FIRST)
    }

    fn texts(value: &Value) -> Vec<&str> {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
    }

    fn pages(value: &Value) -> Vec<PageId> {
        texts(value).into_iter().map(page).collect()
    }

    #[track_caller]
    fn check_ranking(ours: &[RankedPage], theirs: &Value) {
        let theirs = theirs.as_array().unwrap();
        assert_eq!(ours.len(), theirs.len());
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert_eq!(ours.page, page(theirs[0].as_str().unwrap()));
            assert!((ours.score - theirs[1].as_f64().unwrap()).abs() < 1e-9, "{ours:?}, not {theirs}");
        }
    }

    #[test]
    fn golden_scoring() {
        let vectors = golden("scoring");
        for vector in &vectors {
            let gold = GradedPage { page: page(vector["gold"].as_str().unwrap()), grade: 1 };
            let item = Item { gold: Gold { pages: vec![gold], ..Gold::default() }, ..Item::default() };
            // Pages that the corpus lacks never get here: whoever reads predictions drops them, as the reference drops
            // handles without a page.
            let known = pages(&vector["ranking"]).into_iter().filter(|page| page.doc.as_str().starts_with('p'));
            let ranking = known.map(|page| RankedPage { page, score: 0.0 }).collect();
            let row = Row { ranking, ..Row::default() };
            let case = Case { item: &item, row: &row, verdicts: &Verdicts::new() };
            for (name, key) in [
                ("VDAB-R@1", "recall@1"),
                ("VDAB-R@3", "recall@3"),
                ("VDAB-R@5", "recall@5"),
                ("VDAB-R@10", "recall@10"),
                ("VDAB-MRR@10", "mrr@10"),
            ] {
                let measure: Measure = name.parse().unwrap();
                let Formula::Item(score) = measure.definition().formula else { panic!("{name}") };
                assert_eq!(score(&measure, &case).value(), vector["metrics"][key].as_f64(), "{name} of {vector}");
            }
        }
        assert_eq!(vectors.len(), 10);
    }

    #[test]
    fn golden_handles() {
        let vectors = golden("handle_mapping");
        for vector in &vectors {
            let mut ids = texts(&vector["page_ids"]);
            ids.sort_unstable();
            MersenneTwister::new(vector["seed"].as_u64().unwrap()).shuffle(&mut ids);
            for (id, number) in ids.iter().zip(1..) {
                assert_eq!(vector["handles"][id], format!("page_{number:06}"), "{id}");
            }
        }
        assert_eq!(vectors.len(), 4);
    }

    #[test]
    fn golden_tokens() {
        let vectors = golden("tokenizer");
        for vector in &vectors {
            assert_eq!(word_runs(vector["text"].as_str().unwrap()), texts(&vector["tokens"]), "{vector}");
        }
        assert_eq!(vectors.len(), 9);
    }

    #[test]
    fn golden_bm25() {
        let vectors = golden("bm25");
        for vector in &vectors {
            let docs = vector["docs"].as_array().unwrap().iter();
            let index = Bm25::new(docs.map(|doc| (page(doc[0].as_str().unwrap()), doc[1].as_str().unwrap())));
            check_ranking(&index.rank(vector["query"].as_str().unwrap()), &vector["ranking"]);
        }
        assert_eq!(vectors.len(), 6);
    }

    #[test]
    fn golden_rrf() {
        let vectors = golden("rrf");
        for vector in &vectors {
            let rankings = [pages(&vector["sparse"]), pages(&vector["dense"])];
            check_ranking(&rrf::fuse(&rankings, rrf::K, rrf::DEPTH), &vector["ranking"]);
        }
        assert_eq!(vectors.len(), 6);
    }
}
