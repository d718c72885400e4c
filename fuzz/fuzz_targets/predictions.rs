//! Any bytes as a file of predictions, in whatever form they look like. Where both readers of runs read them, the scores are
//! the same.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use recto_bench::item::{Gold, GradedPage};
use recto_bench::{BenchmarkSet, Item, Measure, evaluate, predictions};
use recto_page::{DocId, PageId, PageNumber};

fn set() -> BenchmarkSet {
    let page = |doc: &str| PageId::new(DocId::new(doc), PageNumber::FIRST);
    let graded = |(doc, grade): (&str, i32)| GradedPage { page: page(doc), grade };
    let item = |id: &str, pages: &[(&str, i32)]| Item {
        id: id.into(),
        question: "Why?".into(),
        gold: Gold { pages: pages.iter().copied().map(graded).collect(), ..Gold::default() },
        ..Item::default()
    };
    let items = vec![item("q1", &[("d1", 1), ("d2", 2), ("d3", 0)]), item("q2", &[("d1", 1)])];
    BenchmarkSet { items, ..BenchmarkSet::default() }
}

fuzz_target!(|bytes: &[u8]| {
    let file = std::env::temp_dir().join(format!("recto-fuzz-{}", std::process::id()));
    if std::fs::write(&file, bytes).is_err() {
        return;
    }
    let set = set();
    let names = ["R@3(ties=trec)", "MRR", "nDCG@5(ties=file)", "MAP(ties=trec)"];
    let measures: Vec<Measure> = names.iter().filter_map(|name| name.parse().ok()).collect();
    let whole = predictions::read(&file, &set);
    let placed = predictions::read_for(&measures, &file, &set);
    if let (Ok(whole), Ok(placed)) = (whole, placed) {
        let scores = |rows| evaluate(&set, rows, &BTreeMap::new(), &measures);
        assert_eq!(scores(&whole), scores(&placed));
    }
});
