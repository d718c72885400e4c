//! TREC's files: relevance judgements (`query iteration document grade`) as a set, runs (`query Q0 document rank score
//! tag`) as rows. Columns are parted by tabs or white space. A document is a page of its own.
//!
//! As in trec_eval the rank column counts for nothing and queries that were not judged are left out. The files hold no
//! text of the queries.

mod number;
pub(crate) mod places;
mod words;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};

use super::SetDefinition;
use super::file::{Line, lines};
use crate::error::Result;
use crate::item::{BenchmarkSet, GradedPage, Item};
use crate::row::{RankedPage, Row};

pub(super) const QRELS: SetDefinition = SetDefinition {
    name: "trec",
    about: "relevance judgements in TREC's form, for rankings from anywhere",
    files: "a file of `query iteration document grade` lines",
    published: "the makers of each collection publish its judgements",
    license: "that of the collection",
    // With trec_eval's order of ties.
    measures: &["nDCG@10(ties=trec)", "MAP(ties=trec)", "MRR(ties=trec)", "R@1000(ties=trec)"],
    looks: |path| path.is_file() && path.extension().is_some_and(|ending| ending == "qrels" || ending == "qrel"),
    read,
};

fn page(document: &str) -> PageId {
    PageId::new(DocId::new(document), PageNumber::FIRST)
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let mut queries: HashMap<String, (HashSet<PageId>, Vec<GradedPage>)> = HashMap::new();
    for line in lines(path)? {
        let line = line?;
        let [query, _, document, grade] = line.columns()?;
        let grade = grade.parse().map_err(|_| line.fault(format!("{grade:?} is no grade")))?;
        let (judged, pages) = queries.entry(query.into()).or_default();
        let page = page(document);
        if !judged.insert(page.clone()) {
            return Err(line.fault(format!("query {query} has {document} already")));
        }
        pages.push(GradedPage { page, grade });
    }
    let item = |(id, pages)| {
        let mut item = Item { id, ..Item::default() };
        item.gold.pages = pages;
        item
    };
    let queries: BTreeMap<_, _> = queries.into_iter().map(|(id, (_, pages))| (id, pages)).collect();
    let items = queries.into_iter().map(item).collect();
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

/// The rows of a run.
///
/// # Errors
/// With file and line: a line of another form, a score that is no number, a document that a query has already.
pub(crate) fn run(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let judged: BTreeSet<&str> = set.items.iter().map(|item| item.id.as_str()).collect();
    let mut rows: BTreeMap<String, (BTreeSet<PageId>, Row)> = BTreeMap::new();
    for line in lines(file)? {
        let line = line?;
        let [query, _, document, _, score, _] = line.columns()?;
        let score: Option<f64> = score.parse().ok().filter(|score: &f64| !score.is_nan());
        let score = score.ok_or_else(|| line.fault("the score is no number"))?;
        if !judged.contains(query) {
            continue;
        }
        let row = || (BTreeSet::new(), Row { id: query.into(), ..Row::default() });
        let (seen, row) = rows.entry(query.into()).or_insert_with(row);
        // A page that the benchmark does not have takes its place all the same.
        let page = set.page(document).unwrap_or_else(|| page(document));
        if !seen.insert(page.clone()) {
            return Err(line.fault(format!("query {query} has {document} already")));
        }
        row.ranking.push(RankedPage { page, score });
    }
    Ok(rows.into_values().map(|(_, row)| row).collect())
}

/// Whether a line may be one of a run.
pub(crate) fn is_run(line: &Line) -> bool {
    line.columns::<6>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::evaluate;
    use crate::measure;
    use crate::predictions;

    fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> std::path::PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn judgements_and_runs_are_scored_as_trec_eval_does() {
        let folder = tempfile::tempdir().unwrap();
        let qrels = file(&folder, "a.qrels", "q1 0 d1 1\nq1 0 d2 0\r\nq2\t0\td3\t2\n");
        let run = file(&folder, "run.txt", "q1 Q0 d2 1 2.5 me\nq1 Q0 d1 2 2.5 me\nq9 Q0 d1 1 1 me\n");
        let set = super::super::open(None, &qrels).unwrap();
        let rows = predictions::read(&run, &set).unwrap();
        let measures = measure::parsed(&["MRR(ties=trec)", "R@1"]);
        let evaluation = evaluate(&set, &rows, &BTreeMap::new(), &measures);
        // Of equal scores trec_eval takes d2 first; the query without a row counts 0.
        assert_eq!(evaluation.measures.iter().map(|of| of.value).collect::<Vec<_>>(), [Some(0.25), Some(0.5)]);
        assert_eq!(evaluation.missing, ["q2"]);
    }

    /// trec_eval compares scores as numbers: zeros of either sign are equal, and so are those too small for 32 bits.
    #[test]
    fn zeros_of_either_sign_are_a_tie() {
        let folder = tempfile::tempdir().unwrap();
        let set = super::super::open(None, &file(&folder, "a.qrels", "q1 0 d1 1\n")).unwrap();
        for [first, second] in [["0", "-0"], ["1e-46", "-1e-46"], ["-0.0", "0.0"]] {
            let run = file(&folder, "run.txt", &format!("q1 Q0 d1 1 {first} me\nq1 Q0 d2 2 {second} me\n"));
            let measures = measure::parsed(&["MRR(ties=trec)"]);
            for rows in [predictions::read(&run, &set).unwrap(), predictions::read_for(&measures, &run, &set).unwrap()]
            {
                let evaluation = evaluate(&set, &rows, &BTreeMap::new(), &measures);
                assert_eq!(evaluation.measures[0].value, Some(0.5), "{first} {second}");
            }
        }
    }

    #[test]
    fn places_of_judged_pages_give_the_scores_of_whole_rankings() {
        let folder = tempfile::tempdir().unwrap();
        let set = super::super::open(None, &file(&folder, "a.qrels", "q1 0 d1 1\nq1 0 d2 2\nq1 0 d3 0\nq2 0 d1 1\n"))
            .unwrap();
        let long: String = (0..40_000).map(|i| format!("q2 Q0 d{} {i} {} me\n", 40_001 - i, i / 3)).collect();
        let names = ["R@3", "MRR@2", "nDCG@10(gain=exp)", "MAP", "P@5", "Success@1"];
        for text in [
            "\u{feff}q1 Q0 d9 1 3 me\r\nq1\tQ0 d1 2  2 me\n\n q1 Q0 d2 3 1.5 me",
            "q1 Q0 d2 1 1 me\nq1 Q0 d1 1 1 me\nq1 Q0 d0 1 1 me\nq9 Q0 d1 1 1 me\n",
            "q1 Q0 d2 1 16777217 me\nq1 Q0 d1 1 16777216 me\nq1 Q0 d3 1 -0.0 me\nq1 Q0 d4 1 0.0 me\n",
            "q1 Q0 d1 1 1e-3 me\nq2 Q0 d1 1 inf me\nq1 Q0 d2 1 1 me\n",
            "q9 Q0 d1 1 1 me\n",
            "q1 Q0 d1\t\t0\t\t2\tme\nq1 Q0 d1\t\t3\t\t1\t2\n",
            "  q1  Q0\td1 \t1 1 me  \r\n \t\r\n\r\nq1 Q0 d\u{1}2 1 0.5 me\u{c}\nq2 Q0 d1 1 1 me",
            "q1 Q0 a-name-that-is-longer-than-one-window-of-sixty-four-bytes-and-some-more 1 2 me\nq1 Q0 d1 1 1 me",
            &long,
        ] {
            let run = file(&folder, "run.txt", text);
            let whole = predictions::read(&run, &set).unwrap();
            for ties in ["page", "trec", "file"] {
                let with_ties = |name: &str| match name.strip_suffix(')') {
                    Some(name) => format!("{name},ties={ties})"),
                    None => format!("{name}(ties={ties})"),
                };
                let measures: Vec<_> = names.iter().map(|name| with_ties(name).parse().unwrap()).collect();
                let placed = predictions::read_for(&measures, &run, &set).unwrap();
                let scores = |rows| evaluate(&set, rows, &BTreeMap::new(), &measures);
                assert_eq!(scores(&placed), scores(&whole), "{text:.200}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn both_readers_agree_on_any_text(parts in proptest::collection::vec(proptest::sample::select(&PARTS[..]), 0..60)) {
            let folder = tempfile::tempdir().unwrap();
            let set = super::super::open(None, &file(&folder, "a.qrels", "q1 0 d1 1\nq1 0 é 2\nq2 0 d1 1\n")).unwrap();
            let run = file(&folder, "run.txt", &parts.concat());
            let placed = places::run(&run, &set).unwrap();
            if let (Some(placed), Ok(whole)) = (placed, super::run(&run, &set)) {
                let measures = measure::parsed(&["R@2(ties=trec)", "MRR", "nDCG@5(ties=file)"]);
                let scores = |rows| evaluate(&set, rows, &BTreeMap::new(), &measures);
                proptest::prop_assert_eq!(scores(&placed), scores(&whole));
            }
        }
    }

    /// What lines are made of, wrong and right.
    const PARTS: [&str; 23] = [
        "q1 Q0 d1 1 2 me\n",
        "q1 Q0 d2 1 2.5 me\n",
        "q1 Q0 é 1 2.5 me\r\n",
        "q1\tQ0\td3\t3\t-1\tme\n",
        "q2 Q0 d1 1 1e2 me\n",
        "q2 Q0 d4 1 nan me\n",
        "q9 Q0 d1 1 1 me\n",
        "q1",
        "Q0",
        "d1",
        "d5",
        "1",
        "0.5",
        "me",
        " ",
        " ",
        "\t",
        "\t\t",
        "\n",
        "\r",
        "\u{a0}",
        "\u{1}",
        "a-name-that-is-longer-than-a-window-of-sixty-four-bytes-and-then-some",
    ];

    #[test]
    fn lines_of_another_form_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let set = super::super::open(None, &file(&folder, "a.qrels", "q1 0 d1 1\n")).unwrap();
        for (text, why) in [
            ("q1 Q0 d1 1 2.5 me\nq1 Q0 d1 2 2 me\n", "run.txt:2: query q1 has d1 already"),
            ("q1 Q0 d1 1 NaN me\n", "run.txt:1: the score is no number"),
            ("q1 Q0 d1 1 2.5 me\nq1 Q0 d1\n", "run.txt:2: 3 columns, not 6"),
        ] {
            let run = file(&folder, "run.txt", text);
            assert_eq!(places::run(&run, &set).unwrap(), None, "{text}");
            let error = predictions::read_for(&[], &run, &set).unwrap_err().to_string();
            assert!(error.ends_with(why), "{error}");
        }
        let error =
            super::super::open(None, &file(&folder, "c.qrels", "q1 0 d 1\nq1 0 d 2\n")).unwrap_err().to_string();
        assert!(error.ends_with("c.qrels:2: query q1 has d already"), "{error}");
        let error = super::super::open(None, &file(&folder, "b.qrels", "q1 0 d1 high\n")).unwrap_err().to_string();
        assert!(error.ends_with("b.qrels:1: \"high\" is no grade"), "{error}");
    }
}
