//! Measures of rankings. What they share: in which order pages stand, and what each is worth.

mod average_precision;
mod ndcg;
mod precision;
mod recall;
mod reciprocal_rank;
mod success;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use recto_page::PageId;

use super::{Case, Cutoff, Definition, Formula, Measure};
use crate::item::Gold;
use crate::row::{Places, RankedPage};
use crate::score::Score;

/// The measures of this module.
pub(super) const DEFINITIONS: [&Definition; 6] = [
    &recall::DEFINITION,
    &reciprocal_rank::DEFINITION,
    &ndcg::DEFINITION,
    &average_precision::DEFINITION,
    &precision::DEFINITION,
    &success::DEFINITION,
];

/// How equal scores are ordered. `page`: by page. `trec`: as trec_eval does, which keeps scores as 32-bit floats and puts
/// the greater document name first. `file`: scores are of no interest, pages stand as the row has them.
const TIES: (&str, &[&str]) = ("ties", &["page", "trec", "file"]);

/// The definition of a measure that looks at the worth of ranked pages.
const fn definition(
    name: &'static str,
    about: &'static str,
    options: &'static [(&'static str, &'static [&'static str])],
    score: fn(&Measure, &Case) -> Score,
) -> Definition {
    Definition { name, about, cutoff: Cutoff::Optional, options, formula: Formula::Item(score) }
}

/// Scores the first k pages of a row by what each is worth; an item without pages of worth can't be scored.
fn scored(measure: &Measure, case: &Case, formula: impl Fn(&[i32], &[i32]) -> f64) -> Score {
    let grades = grades(&case.item.gold);
    if grades.is_empty() {
        return Score::Unscored("no relevant page is known".into());
    }
    let (ties, k) = (measure.option("ties"), measure.cutoff().unwrap_or(usize::MAX));
    let worth = match case.row.places.as_slice() {
        [] => worths(&ordered(&case.row.ranking, ties), &grades, k),
        places => placed(&case.row.ranking, places, &grades, ties, k),
    };
    let mut all: Vec<i32> = grades.into_values().collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    Score::Value(formula(&worth, &all))
}

/// What pages are worth; those of no worth are left out, and of a page's grades the greatest counts.
fn grades(gold: &Gold) -> BTreeMap<&PageId, i32> {
    let mut grades = BTreeMap::new();
    for graded in gold.pages.iter().filter(|graded| graded.grade > 0) {
        let grade = grades.entry(&graded.page).or_insert(graded.grade);
        *grade = graded.grade.max(*grade);
    }
    grades
}

fn ordered<'r>(ranking: &'r [RankedPage], ties: &str) -> Vec<&'r RankedPage> {
    let mut ranking: Vec<&RankedPage> = ranking.iter().collect();
    match ties {
        "file" => {}
        "trec" => ranking.sort_by(|a, b| {
            let score = |ranked: &RankedPage| f64::from(ranked.score as f32);
            by_score(score(a), score(b)).then_with(|| b.page.cmp(&a.page))
        }),
        _ => ranking.sort_by(|a, b| by_score(a.score, b.score).then_with(|| a.page.cmp(&b.page))),
    }
    ranking
}

/// The higher score first; zero is one number, whatever its sign.
pub(crate) fn by_score(a: f64, b: f64) -> Ordering {
    (b + 0.0).total_cmp(&(a + 0.0))
}

/// As [`worths`], of judged pages whose places are known; what follows the last of them is worth nothing.
fn placed(
    ranking: &[RankedPage],
    places: &[Places],
    grades: &BTreeMap<&PageId, i32>,
    ties: &str,
    k: usize,
) -> Vec<i32> {
    let at = |places: &Places| match ties {
        "file" => places.file,
        "trec" => places.trec,
        _ => places.page,
    };
    let mut worth = Vec::new();
    for (ranked, at) in ranking.iter().zip(places.iter().map(at)).filter(|(_, at)| *at < k) {
        if let Some(grade) = grades.get(&ranked.page) {
            worth.resize(worth.len().max(at + 1), 0);
            worth[at] = *grade;
        }
    }
    worth
}

/// The worth of each of the first k pages; a page that is named twice counts once.
fn worths(ranking: &[&RankedPage], grades: &BTreeMap<&PageId, i32>, k: usize) -> Vec<i32> {
    let mut seen = BTreeSet::new();
    let distinct = ranking.iter().filter(|ranked| seen.insert(&ranked.page));
    distinct.take(k).map(|ranked| grades.get(&ranked.page).copied().unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use recto_page::{DocId, PageNumber};
    use serde_json::Value;

    use super::*;
    use crate::item::{GradedPage, Item};
    use crate::judge::Verdicts;
    use crate::row::Row;

    fn vectors(text: &str) -> Vec<Value> {
        let file: Value = serde_json::from_str(text).unwrap();
        file["vectors"].as_array().unwrap().clone()
    }

    fn page(id: &str) -> PageId {
        PageId::new(DocId::new(id), PageNumber::FIRST)
    }

    /// The item and the row of each query that is judged.
    fn cases(vector: &Value) -> BTreeMap<String, (Item, Row)> {
        let case = |(query, judged): (&String, &Value)| {
            let graded =
                |(id, grade): (&String, &Value)| GradedPage { page: page(id), grade: grade.as_i64().unwrap() as i32 };
            let gold = Gold { pages: judged.as_object().unwrap().iter().map(graded).collect(), ..Gold::default() };
            let run = vector["run"].get(query).and_then(Value::as_object);
            let ranked = |(id, score): (&String, &Value)| RankedPage { page: page(id), score: score.as_f64().unwrap() };
            let ranking = run.map(|run| run.iter().map(ranked).collect()).unwrap_or_default();
            (query.clone(), (Item { gold, ..Item::default() }, Row { ranking, ..Row::default() }))
        };
        vector["qrels"].as_object().unwrap().iter().map(case).collect()
    }

    fn value(measure: &str, (item, row): &(Item, Row)) -> f64 {
        let measure: Measure = measure.parse().unwrap();
        let Formula::Item(score) = measure.definition().formula else { panic!("{measure}") };
        // The reference tools give 0 to a query without relevant pages, which here is not scored.
        score(&measure, &Case { item, row, verdicts: &Verdicts::new() }).value().unwrap_or_default()
    }

    #[track_caller]
    fn check(what: &str, ours: f64, theirs: &Value) {
        let theirs = theirs.as_f64().unwrap();
        assert!((ours - theirs).abs() < 1e-9, "{what}: {ours}, not {theirs}");
    }

    fn name_of(trec: &str) -> String {
        let (name, k) = trec.rsplit_once('_').filter(|(_, k)| k.parse::<u32>().is_ok()).unwrap_or((trec, ""));
        let ours = match name {
            "recip_rank" => "MRR",
            "recall" => "R",
            "ndcg_cut" => "nDCG",
            "map_cut" => "MAP",
            "success" => "Success",
            other => other,
        };
        if k.is_empty() { ours.into() } else { format!("{ours}@{k}") }
    }

    #[test]
    fn golden_trec_eval() {
        let mut n = 0;
        for vector in vectors(include_str!("../../../tests/golden/ranking_trec_eval.json")) {
            let cases = cases(&vector);
            for (query, measures) in vector["trec_eval_per_query"].as_object().unwrap() {
                for (name, theirs) in measures.as_object().unwrap() {
                    let ours = value(&format!("{}(ties=trec)", name_of(name)), &cases[query]);
                    check(&format!("{} {name}", vector["note"]), ours, theirs);
                    n += 1;
                }
            }
        }
        assert!(n >= 25 * 16, "{n} numbers");
    }

    #[test]
    fn golden_ir_measures() {
        let mut n = 0;
        for vector in vectors(include_str!("../../../tests/golden/ranking_trec_eval.json")) {
            let cases = cases(&vector);
            for (name, theirs) in vector["ir_measures_aggregate"].as_object().unwrap() {
                // Its reciprocal rank comes from another tool, with the other order of ties.
                let ours = match name.replace("AP@", "MAP@") {
                    rank if rank.starts_with("RR@") => format!("M{rank}"),
                    other => format!("{other}(ties=trec)"),
                };
                let mean = cases.values().map(|case| value(&ours, case)).sum::<f64>() / cases.len() as f64;
                check(&format!("{} {name}", vector["note"]), mean, theirs);
                n += 1;
            }
        }
        assert_eq!(n, 25 * 8);
    }

    #[test]
    fn golden_ranx() {
        let runs = vectors(include_str!("../../../tests/golden/ranking_trec_eval.json"));
        let mut n = 0;
        for vector in vectors(include_str!("../../../tests/golden/ranking_ranx.json")) {
            let Some(measures) = vector["metrics"].as_object() else { continue };
            let run = runs.iter().find(|run| run["note"] == vector["note"]).unwrap();
            let cases = cases(run);
            for (name, theirs) in measures {
                let name = name.replace("ndcg", "nDCG").replace("mrr", "MRR").replace("recall", "R");
                let name = name.replace("hit_rate", "Success").replace("map", "MAP");
                let mean = cases.values().map(|case| value(&name, case)).sum::<f64>() / cases.len() as f64;
                check(&format!("{} {name}", vector["note"]), mean, theirs);
                n += 1;
            }
        }
        assert!(n >= 100, "{n} numbers");
    }

    #[test]
    fn worth_counts_as_a_power_where_asked() {
        let graded = |id: &str, grade| GradedPage { page: page(id), grade };
        let ranked = |id: &str, score| RankedPage { page: page(id), score };
        let row = Row { ranking: vec![ranked("b", 2.0), ranked("a", 1.0), ranked("a", 0.5)], ..Row::default() };
        let item = |a, b| Item {
            gold: Gold { pages: vec![graded("a", a), graded("b", b)], ..Gold::default() },
            ..Item::default()
        };
        let check = |a, b, share: f64| {
            let want = (share + 1.0 / 3f64.log2()) / (1.0 + share / 3f64.log2());
            let got = value("nDCG@10(gain=exp)", &(item(a, b), row.clone()));
            assert!((got - want).abs() < 1e-12, "{a} {b}: {got}");
        };
        check(2, 1, 1.0 / 3.0);
        check(1024, 1023, 0.5);
        check(i32::MAX, 1, 0.0);
        let item = item(2, 1);
        assert_eq!(value("P@10", &(item, row)), 0.2, "a page counts once");
    }
}
