//! What a system's searches on the way to its answer were good for (source 001, figures 9 and 24 to 26). Where the paper
//! gives no formula, the docstring says what is taken.

use std::collections::BTreeSet;

use recto_page::{DocId, PageId};

use super::{Case, Cutoff, Definition, Formula, Measure, madqa};
use crate::row::Search;
use crate::score::Score;
use crate::text::squad;

/// Whether documents or pages must be found.
const LEVEL: (&str, &[&str]) = ("level", &["page", "document"]);

/// `Found@3(level=document)`: 1 if the first 3 searches found one of the right pages or documents.
pub(super) const FOUND: Definition = Definition {
    name: "Found",
    about: "1 if the first k searches found evidence",
    cutoff: Cutoff::Optional,
    options: &[LEVEL],
    formula: Formula::Item(|measure, case| {
        let k = measure.cutoff().unwrap_or(usize::MAX);
        of_searches(case, |searches| {
            let found = Wanted::of(case, measure).first_found(searches).is_some_and(|at| at < k);
            Score::Value(f64::from(u8::from(found)))
        })
    }),
};

/// `Recovery(level=document)`: of the items whose first search missed, the share that found evidence later.
pub(super) const RECOVERY: Definition = Definition {
    name: "Recovery",
    about: "of items whose first search missed, the share that found evidence later",
    cutoff: Cutoff::None,
    options: &[LEVEL],
    formula: Formula::Run(|measure, cases| {
        let (mut missed, mut found) = (0, 0);
        for case in cases.iter().filter(|case| knows_evidence(case) && !case.row.searches.is_empty()) {
            match Wanted::of(case, measure).first_found(&case.row.searches) {
                Some(0) => {}
                later => {
                    missed += 1;
                    found += usize::from(later.is_some());
                }
            }
        }
        match missed {
            0 => Score::Unscored("no first search is known to have missed".into()),
            _ => Score::Value(found as f64 / missed as f64),
        }
    }),
};

/// `Drift`: how much of a query the next one replaces, mean over an item's reformulations: 1 - shared words ÷ all words of
/// both. The paper does not say how it measures (by vectors, perhaps); words need no model.
pub(super) const DRIFT: Definition = Definition {
    name: "Drift",
    about: "share of words that change from one search to the next",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Item(|_, case| {
        let words: Vec<BTreeSet<String>> =
            case.row.searches.iter().map(|search| squad::tokens(&search.query).into_iter().collect()).collect();
        let steps: Vec<f64> = words.iter().zip(words.iter().skip(1)).map(|(a, b)| distance(a, b)).collect();
        match steps.len() {
            0 => Score::Unscored("fewer than two searches are known".into()),
            n => Score::Value(steps.iter().sum::<f64>() / n as f64),
        }
    }),
};

/// `Solved@5`: 1 for a right answer within 5 steps, by MADQA's rule: over all k the step-limit curve.
pub(super) const SOLVED: Definition = Definition {
    name: "Solved",
    about: "MADQA: 1 for a right answer within k steps",
    cutoff: Cutoff::Required,
    options: &[],
    formula: Formula::Item(|measure, case| match case.row.usage.steps {
        None => Score::Unscored("no steps are noted".into()),
        Some(steps) => {
            let within = steps as usize <= measure.cutoff().unwrap_or_default();
            Score::Value(f64::from(u8::from(within && madqa::is_right(case))))
        }
    }),
};

/// What a search must bring.
enum Wanted<'c> {
    Documents(BTreeSet<&'c DocId>),
    Pages(BTreeSet<&'c PageId>),
}

impl<'c> Wanted<'c> {
    fn of(case: &Case<'c>, measure: &Measure) -> Self {
        let pages = case.item.gold.relevant();
        match measure.option("level") {
            "document" => Self::Documents(pages.into_iter().map(|page| &page.doc).collect()),
            _ => Self::Pages(pages),
        }
    }

    /// Which search found something first, counted from 0.
    fn first_found(&self, searches: &[Search]) -> Option<usize> {
        let right = |page: &PageId| match self {
            Self::Documents(documents) => documents.contains(&page.doc),
            Self::Pages(pages) => pages.contains(page),
        };
        searches.iter().position(|search| search.pages.iter().any(right))
    }
}

fn knows_evidence(case: &Case) -> bool {
    !case.item.gold.relevant().is_empty()
}

fn of_searches(case: &Case, score: impl Fn(&[Search]) -> Score) -> Score {
    match case.row.searches.as_slice() {
        _ if !knows_evidence(case) => Score::Unscored("no relevant page is known".into()),
        [] => Score::Unscored("no search is noted".into()),
        searches => score(searches),
    }
}

fn distance(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    match a.union(b).count() {
        0 => 0.0,
        all => 1.0 - a.intersection(b).count() as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use recto_page::PageNumber;

    use super::*;
    use crate::evaluation::evaluate;
    use crate::item::{BenchmarkSet, Gold, GradedPage, Item};
    use crate::row::{AnswerText, Row, Usage};

    fn page(text: &str) -> PageId {
        let (doc, number) = text.split_once(' ').unwrap();
        PageId::new(DocId::new(doc), number.parse::<PageNumber>().unwrap())
    }

    #[test]
    fn searches_find_recover_and_drift() {
        let pages = vec![GradedPage { page: page("a 2"), grade: 1 }];
        let gold = Gold { answers: vec![vec!["yes".into()]], pages, ..Gold::default() };
        let item = |id: &str| Item { id: id.into(), gold: gold.clone(), ..Item::default() };
        let items = ["at once", "later", "never", "no search"].map(item).to_vec();
        let set = BenchmarkSet { items, ..BenchmarkSet::default() };
        let row = |id: &str, said: &str, searches: &[(&str, &str)]| Row {
            id: id.into(),
            answer: Some(AnswerText::Text(said.into())),
            searches: searches
                .iter()
                .map(|(query, p)| Search { query: (*query).into(), pages: vec![page(p)] })
                .collect(),
            usage: Usage { steps: Some(searches.len() as u32 + 1), ..Usage::default() },
            ..Row::default()
        };
        let rows = [
            row("at once", "yes", &[("mill stream", "a 2")]),
            row("later", "yes", &[("mill", "b 1"), ("mill stream", "a 1"), ("stream", "a 2")]),
            row("never", "no", &[("mill", "b 1"), ("Mill", "b 2")]),
            row("no search", "yes", &[]),
        ];
        for (measure, value, n) in [
            ("Found@1", 1.0 / 3.0, 3),
            ("Found@3", 2.0 / 3.0, 3),
            ("Found@2(level=document)", 2.0 / 3.0, 3),
            ("Found", 2.0 / 3.0, 3),
            ("Recovery", 0.5, 4),
            ("Recovery(level=document)", 0.5, 4),
            ("Drift", 0.25, 2),
            ("Solved@2", 0.5, 4),
            ("Solved@4", 0.75, 4),
        ] {
            let measures = [measure.parse().unwrap()];
            let evaluation = evaluate(&set, &rows, &Default::default(), &measures);
            let ours = &evaluation.measures[0];
            assert_eq!((ours.value, ours.n), (Some(value), n), "{measure}");
        }
    }
}
