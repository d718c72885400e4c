//! ViDoSeek: questions that have one answer in a large collection of slide decks and papers.
//!
//! Form learnt from the code and the example of Alibaba-NLP/ViDoRAG: an object whose `examples` have `uid`, `query`,
//! `reference_answer` and `meta_info` (`file_name`, `reference_page` numbers from 1, `source_type`, `query_type`). Where a
//! kind of query ends in `-Hop`, the part before its first `_` is the kind and that after its last the source, as in the
//! reference. The data set itself was not seen, nor what its file is called; how many pages a deck has is not in it.

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::{json, need, within};
use super::rows::{first, slices, text};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "vidoseek",
    about: "1,142 questions that have one answer in a collection of slides and papers",
    files: "a file such as rag_dataset.json, or its folder; the PDFs in pdf/",
    published: "its owners publish it as the data set autumncc/ViDoSeek, named in the repository Alibaba-NLP/ViDoRAG",
    license: "not known; see its card",
    measures: &[
        "ViDoSeek-R@1",
        "ViDoSeek-R@5",
        "ViDoSeek-R@10",
        "ViDoSeek-Hit@5",
        "ViDoSeek-nDCG@5",
        "ViDoSeek-MRR@5",
        "ViDoSeek-MRR@10",
    ],
    looks: |path| {
        let row = first(&within(path, FILE));
        row.is_some_and(|all| {
            all.pointer("/examples/0/uid").is_some() && all.pointer("/examples/0/meta_info").is_some()
        })
    },
    read,
};

const FILE: &str = "rag_dataset.json";

#[derive(Deserialize)]
struct All {
    examples: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    #[serde(deserialize_with = "text")]
    uid: String,
    query: String,
    reference_answer: String,
    meta_info: About,
}

#[derive(Deserialize)]
struct About {
    file_name: DocId,
    reference_page: Vec<PageNumber>,
    #[serde(default)]
    source_type: String,
    #[serde(default)]
    query_type: String,
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let all: All = json(&need(within(path, FILE), SET.published)?)?;
    Ok(BenchmarkSet { items: all.examples.into_iter().map(item).collect(), ..BenchmarkSet::default() })
}

fn item(row: Example) -> Item {
    let About { file_name, reference_page, source_type, query_type } = row.meta_info;
    let parts = || (query_type.split('_').next(), query_type.split('_').next_back());
    let (kind, source) = match parts() {
        (Some(kind), Some(source)) if query_type.contains("-Hop") => (kind.to_owned(), source.to_owned()),
        _ => (query_type.clone(), source_type),
    };
    let page = |page| PageId::new(file_name.clone(), page).into();
    Item {
        id: row.uid,
        question: row.query,
        slices: slices([("query_type", vec![kind]), ("source_type", vec![source])]),
        gold: Gold {
            answers: vec![vec![row.reference_answer]],
            pages: reference_page.into_iter().map(page).collect(),
            ..Gold::default()
        },
        ..Item::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, read, rows, slice, values};

    const ALL: &str = r#"{"examples": [
{"uid": "u1", "query": "Where?", "reference_answer": "Kent", "meta_info": {"file_name": "a_b.pdf", "reference_page": [11], "source_type": "2d_layout", "query_type": "content"}},
{"uid": "u2", "query": "When?", "reference_answer": "1911", "meta_info": {"file_name": "c.pdf", "reference_page": [1, 2], "source_type": "x", "query_type": "Multi-Hop_text"}}]}"#;

    #[test]
    fn examples_and_results() {
        let set = read("vidoseek", &[("rag_dataset.json", ALL)]);
        assert_eq!(gold(&set, 1), [("c.pdf", 1), ("c.pdf", 2)]);
        assert_eq!((slice(&set, 0, "source_type"), slice(&set, 0, "query_type")), (vec!["2d_layout"], vec!["content"]));
        assert_eq!((slice(&set, 1, "source_type"), slice(&set, 1, "query_type")), (vec!["text"], vec!["Multi-Hop"]));
        let said = r#"{"uid": "u1", "response": "Kent", "recall_results": {"source_nodes": [{"node": {"metadata": {"file_name": "img/z_1.jpg"}}, "score": 2}, {"node": {"metadata": {"file_name": "img/a_b_11.jpg"}}}]}}
{"uid": "u2", "recall_results": [{"metadata": {"file_path": "/d/c_2.png"}}, {"metadata": {"file_path": "c_2.v2.png"}}]}"#;
        let read = rows(&set, "r.jsonl", said).unwrap();
        assert_eq!(values(&set, &read, &["ViDoSeek-MRR@5", "ViDoSeek-R@5"]), [Some(0.75), Some(0.75)]);
        assert_eq!((read[0].answer.is_some(), read[1].answer.is_some()), (true, false));
        let without = r#"{"uid": "u1", "recall_results": [{"node": {"metadata": {}}}]}"#;
        assert_eq!(rows(&set, "r.jsonl", without).unwrap_err(), "r.jsonl:1: a node of recall_results names no picture");
    }

    #[test]
    fn wrong_files_are_named() {
        for (file, text, why) in [
            ("x", "", "rag_dataset.json is missing; its owners publish it"),
            ("rag_dataset.json", "{\"examples\": [\n{\"uid\": 1}]}", "rag_dataset.json:2: missing field `query`"),
            ("rag_dataset.json", &ALL.replace("[11]", "[0]"), "rag_dataset.json:2: invalid value: integer `0`"),
        ] {
            let said = fault("vidoseek", &[(file, text)]);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
