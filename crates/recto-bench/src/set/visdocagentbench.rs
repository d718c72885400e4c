//! VisDocAgentBench: queries about 100 papers, each with one right page and the pages on the way to it.
//!
//! Form learnt from the code of hulx2002/VisDocAgentBench and its docs/data.md: `benchmark/queries.jsonl` (`query_id`,
//! `query`, `topic_id`), `benchmark/evaluator_annotations.jsonl` (`query_id`, `answer_page_id`, `level` 1 to 3,
//! `support_page_ids` in order, `topic_id`) and `corpus/pages.jsonl` (`page_id`, `document_id`, `page_index` from 1).
//! The data themselves were not seen; `topics.json` and `documents.jsonl` are not needed. The scope is not in the files:
//! it follows from the documents of the right page and of those on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::need;
use super::rows::{Made, each, slices, text};
use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Gold, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "visdocagentbench",
    about: "which page of 100 papers answers a query, reached over up to two other pages",
    files: "a folder with benchmark/queries.jsonl, benchmark/evaluator_annotations.jsonl and corpus/pages.jsonl",
    published: "its owners publish it with the code hulx2002/VisDocAgentBench, whose scripts/download_data.py fetches it",
    license: "annotations CC BY 4.0; each paper has its own",
    measures: &["VDAB-R@1", "VDAB-R@3", "VDAB-R@5", "VDAB-R@10", "VDAB-MRR@10"],
    looks: |path| path.join("benchmark/evaluator_annotations.jsonl").is_file(),
    read,
};

#[derive(Deserialize)]
struct Page {
    page_id: String,
    #[serde(default, alias = "doc_id")]
    document_id: Option<DocId>,
    page_index: PageNumber,
}

#[derive(Deserialize)]
struct Query {
    #[serde(deserialize_with = "text")]
    query_id: String,
    query: String,
}

#[derive(Deserialize)]
struct Annotation {
    #[serde(deserialize_with = "text")]
    query_id: String,
    answer_page_id: String,
    #[serde(deserialize_with = "text")]
    level: String,
    #[serde(default)]
    support_page_ids: Vec<String>,
    #[serde(default, deserialize_with = "text")]
    topic_id: String,
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let file = |name: &str| need(path.join(name), SET.published);
    let page_names = pages(&file("corpus/pages.jsonl")?)?;
    let mut corpus = BTreeMap::new();
    for page in page_names.values() {
        let count = corpus.entry(page.doc.clone()).or_insert(0);
        *count = page.page.get().max(*count);
    }
    let mut set = BenchmarkSet { corpus, page_names, ..BenchmarkSet::default() };
    let queries = file("benchmark/queries.jsonl")?;
    let mut texts: BTreeMap<String, String> =
        each(&queries, |row: Query| Ok((row.query_id, row.query)))?.into_iter().collect();
    set.items = each(&file("benchmark/evaluator_annotations.jsonl")?, |row| item(row, &mut texts, &set))?;
    match texts.into_keys().next() {
        Some(id) => Err(BenchError::row(queries, 0, format!("the query {id:?} has no annotation"))),
        None => Ok(set),
    }
}

/// The pages of the corpus by id.
fn pages(file: &Path) -> Result<BTreeMap<String, PageId>> {
    let mut pages = BTreeMap::new();
    each(file, |row: Page| {
        let named = || row.page_id.rsplit_once("_p").map(|(doc, _)| DocId::new(doc));
        let doc = row.document_id.clone().or_else(named).ok_or("the page has no document")?;
        let page = PageId::new(doc, row.page_index);
        if let Some(twice) = pages.insert(row.page_id, page) {
            return Err(format!("{twice} was there before"));
        }
        Ok(())
    })?;
    Ok(pages)
}

fn item(row: Annotation, texts: &mut BTreeMap<String, String>, set: &BenchmarkSet) -> Made<Item> {
    let missing = || format!("{:?} is no query, or has an annotation already", row.query_id);
    let question = texts.remove(&row.query_id).ok_or_else(missing)?;
    let page = |id: &String| set.page(id).ok_or_else(|| format!("the corpus has no page {id:?}"));
    let answer = page(&row.answer_page_id)?;
    let path: Vec<PageId> = row.support_page_ids.iter().map(page).collect::<Made<_>>()?;
    let scope = scope(&answer, &path);
    Ok(Item {
        id: row.query_id,
        question,
        slices: slices([("level", vec![row.level]), ("topic", vec![row.topic_id]), ("scope", vec![scope.into()])]),
        gold: Gold { pages: vec![answer.into()], path, ..Gold::default() },
        ..Item::default()
    })
}

/// How far apart the pages of a query are.
fn scope(answer: &PageId, path: &[PageId]) -> &'static str {
    let pages = || path.iter().chain([answer]);
    match (pages().collect::<BTreeSet<_>>().len(), pages().map(|page| &page.doc).collect::<BTreeSet<_>>().len()) {
        (1, _) => "single-page",
        (_, 1) => "same-document",
        _ => "cross-document",
    }
}

#[cfg(test)]
mod tests {
    use crate::item::BenchmarkSet;
    use crate::predictions;
    use crate::set::desk::{desk, fault, gold, read, rows, slice, values, write};

    const QUERIES: &str = r#"{"query_id": "q1", "query": "Which chart?", "topic_id": "t"}
{"query_id": "q2", "query": "Which table?", "topic_id": "t"}
{"query_id": "q3", "query": "Which page?", "topic_id": "u"}"#;
    const ANNOTATIONS: &str = r#"{"query_id": "q1", "answer_page_id": "a_p001", "level": 1, "support_page_ids": [], "topic_id": "t"}
{"query_id": "q2", "answer_page_id": "a_p002", "level": 2, "support_page_ids": ["a_p003"], "topic_id": "t"}
{"query_id": "q3", "answer_page_id": "b_p001", "level": 3, "support_page_ids": ["b_p002", "a_p001"], "topic_id": "u"}"#;

    fn manifest() -> String {
        let row = |doc: &str, page: u32| {
            format!("{{\"page_id\": \"{doc}_p{page:03}\", \"document_id\": \"{doc}\", \"page_index\": {page}}}\n")
        };
        (1..=8).map(|page| row("a", page)).chain((1..=4).map(|page| row("b", page))).collect()
    }

    fn files(manifest: &str, annotations: &'static str) -> [(&'static str, String); 3] {
        [
            ("benchmark/queries.jsonl", QUERIES.into()),
            ("benchmark/evaluator_annotations.jsonl", annotations.into()),
            ("corpus/pages.jsonl", manifest.into()),
        ]
    }

    fn set() -> BenchmarkSet {
        let files = files(&manifest(), ANNOTATIONS);
        read("visdocagentbench", &files.each_ref().map(|(name, text)| (*name, text.as_str())))
    }

    #[test]
    fn queries_and_annotations_are_joined() {
        let set = set();
        assert_eq!(set.corpus.values().sum::<u32>(), 12);
        assert_eq!(gold(&set, 2), [("b", 1)]);
        assert_eq!(set.items[2].gold.path.len(), 2);
        let scopes: Vec<_> = (0..3).map(|item| slice(&set, item, "scope")[0]).collect();
        assert_eq!(scopes, ["single-page", "same-document", "cross-document"]);
        assert_eq!((slice(&set, 1, "level"), slice(&set, 1, "topic")), (vec!["2"], vec!["t"]));
    }

    #[test]
    fn wrong_files_are_named() {
        let twice = "{\"query_id\": \"q1\", \"answer_page_id\": \"a_p001\", \"level\": 1}\n".repeat(2);
        for (manifest, annotations, why) in [
            (manifest(), "", "benchmark/queries.jsonl: the query \"q1\" has no annotation"),
            (
                manifest(),
                twice.leak(),
                "evaluator_annotations.jsonl:2: \"q1\" is no query, or has an annotation already",
            ),
            (
                "{\"page_id\": \"x\", \"page_index\": 1}\n".into(),
                ANNOTATIONS,
                "pages.jsonl:1: the page has no document",
            ),
            (manifest() + &manifest(), ANNOTATIONS, "corpus/pages.jsonl:13: a p. 1 was there before"),
            ("{\"page_id\": \"a_p1\", \"page_index\": 0}".into(), ANNOTATIONS, "invalid value: integer `0`"),
            (
                "{\"page_id\": \"a_p001\", \"page_index\": 1}".into(),
                ANNOTATIONS,
                "evaluator_annotations.jsonl:2: the corpus has no page \"a_p002\"",
            ),
        ] {
            let files = files(&manifest, annotations);
            let said = fault("visdocagentbench", &files.each_ref().map(|(name, text)| (*name, text.as_str())));
            assert!(said.contains(why), "{said}, not {why}");
        }
        let said = fault("visdocagentbench", &[("benchmark/queries.jsonl", QUERIES)]);
        assert!(said.starts_with("corpus/pages.jsonl is missing; its owners publish it"), "{said}");
    }

    const ALL: [&str; 2] = ["VDAB-R@1", "VDAB-MRR@10"];

    fn ids(names: &str) -> String {
        names.split(' ').map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn rankings_are_cut_to_ten_before_pages_count() {
        let set = set();
        let ten = "a_p001 a_p002 a_p003 a_p004 a_p005 a_p006 a_p007 a_p008 b_p001 b_p002";
        for (ranking, mrr) in [
            (ten.to_owned(), 1.0),
            (format!("{ten} a_p001 unknown"), 1.0),
            (ten.replace("b_p002", "unknown") + " b_p003", 0.0),
            (ten.replace("b_p002", "a_p001"), 0.0),
            (ten.replace(" b_p002", ""), 0.0),
            (ten.replace("a_p001", "b_p003").replace("b_p002", "a_p001"), 0.1),
            // Names are compared as they are written.
            (ten.replace("a_p001", "a_p1"), 0.0),
        ] {
            let row = format!("{{\"query_id\": \"q1\", \"ranked_page_ids\": [{}]}}", ids(&ranking));
            let found = values(&set, &rows(&set, "p.jsonl", &row).unwrap(), &ALL);
            assert_eq!(found[1].unwrap() * 3.0, mrr, "{ranking}");
        }
        let row = "{\"query_id\": \"q1\", \"ranked_page_ids\": []}\n";
        assert_eq!(rows(&set, "p.jsonl", &row.repeat(2)).unwrap_err(), "p.jsonl:2: \"q1\" has a row already");
        let other = row.replace("q1", "q9");
        assert_eq!(rows(&set, "p.jsonl", &other).unwrap_err(), "p.jsonl:1: \"q9\" is no item of the benchmark");
    }

    #[test]
    fn handles_that_nobody_knows_vanish_before_the_cut() {
        let set = set();
        let answers = |handles: std::ops::Range<u32>| {
            handles.map(|n| format!("{{\"page_handle\": \"page_{n:06}\"}}")).collect::<Vec<_>>().join(", ")
        };
        let mapping: String = (1..=8)
            .map(|n| format!("{{\"page_handle\": \"page_{n:06}\", \"page_id\": \"a_p{n:03}\"}}\n"))
            .chain(
                (9..=12).map(|n| format!("{{\"page_handle\": \"page_{n:06}\", \"page_id\": \"b_p{:03}\"}}\n", n - 8)),
            )
            .collect();
        let row = |answers: &str| {
            format!(
                "{{\"query_id\": \"q1\", \"submission\": {{\"ranked_answers\": [{answers}]}}, \"tool_trace\": \
                 [{{\"tool_name\": \"visual_search\", \"arguments\": {{\"query\": \"x\"}}, \"observation\": \
                 {{\"results\": [{{\"page_handle\": \"page_000009\", \"score\": 1}}]}}}}]}}\n\
                 {{\"query_id\": \"q2\", \"submission\": null}}\n"
            )
        };
        for (answers, value) in [
            (answers(1..11), 1.0),
            (answers(1..10), 0.0),
            (answers(1..10) + ", \"page_000099\", \"page_000010\"", 1.0),
            (answers(1..10) + ", \"page_000099\"", 0.0),
        ] {
            let desk = desk(&[("page_handle_mapping.internal.jsonl", &mapping)]);
            let rows = predictions::read(&write(&desk, "predictions.jsonl", row(&answers)), &set).unwrap();
            assert_eq!(values(&set, &rows, &ALL)[0].unwrap() * 3.0, value, "{answers}");
            assert_eq!((rows[0].searches[0].query.as_str(), rows[0].searches[0].pages.len()), ("x", 1));
            assert_eq!((rows[0].usage.steps, rows[1].ranking.len()), (Some(1), 0));
        }
        let missing = rows(&set, "predictions.jsonl", &row("")).unwrap_err();
        assert!(missing.starts_with("page_handle_mapping.internal.jsonl is missing; it says"), "{missing}");
    }

    #[test]
    fn golden_from_files_to_scores() {
        let golden = include_str!("../../tests/golden/visdocagentbench.json");
        let golden: serde_json::Value = serde_json::from_str(golden).unwrap();
        let vectors = golden["vectors"]["scoring"].as_array().unwrap();
        let manifest: String = (1..=30)
            .map(|n| format!("{{\"page_id\": \"p{n:02}\", \"document_id\": \"d\", \"page_index\": {n}}}\n"))
            .collect();
        for vector in vectors {
            let annotation = format!("{{\"query_id\": \"q\", \"answer_page_id\": {}, \"level\": 1}}", vector["gold"]);
            let set = read(
                "visdocagentbench",
                &[
                    ("benchmark/queries.jsonl", "{\"query_id\": \"q\", \"query\": \"?\"}"),
                    ("benchmark/evaluator_annotations.jsonl", &annotation),
                    ("corpus/pages.jsonl", &manifest),
                ],
            );
            let row = format!("{{\"query_id\": \"q\", \"ranked_page_ids\": {}}}", vector["ranking"]);
            let rows = rows(&set, "p.jsonl", &row).unwrap();
            let names = ["VDAB-R@1", "VDAB-R@3", "VDAB-R@5", "VDAB-R@10", "VDAB-MRR@10"];
            let theirs = ["recall@1", "recall@3", "recall@5", "recall@10", "mrr@10"];
            let theirs: Vec<_> = theirs.iter().map(|key| vector["metrics"][key].as_f64()).collect();
            assert_eq!(values(&set, &rows, &names), theirs, "{}", vector["note"]);
        }
        assert_eq!(vectors.len(), 10);
    }
}
