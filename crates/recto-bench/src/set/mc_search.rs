//! MC-Search: questions answered over a chain of pictures and texts, step by step.
//!
//! Form learnt from the card of the data set YennNing/MC-Search (3,333 rows in Parquet): `index`, `question`, `answer`,
//! `graph_type` and `subqa_chain`, whose steps have `subquestion`, `modality`, `answer` and `supporting_fact_id`; the
//! question's pictures (`image`) are not read. The rows themselves were not seen. A piece of evidence is a document of one
//! page under its id; that ids of pictures and of texts differ is assumed. Steps without evidence are left out of the path.

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::table;
use super::rows::{items, slices, table_has, text};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "mc-search",
    about: "questions over chains of pictures and texts, with each step's evidence",
    files: "the folder of the data set, with data/train-*.parquet, or a file of its rows",
    published: "its owners publish it as the data set YennNing/MC-Search",
    license: "not known; see its card",
    measures: &["HPS", "RD"],
    looks: |path| table_has(path, FILES, &["question", "answer", "subqa_chain"]),
    read,
};

const FILES: &[&str] = &["data/train", "train"];

#[derive(Deserialize)]
struct Question {
    #[serde(deserialize_with = "text")]
    index: String,
    question: String,
    answer: String,
    #[serde(default)]
    graph_type: Option<String>,
    subqa_chain: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    #[serde(default)]
    modality: Option<String>,
    #[serde(default)]
    supporting_fact_id: Option<String>,
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let items = items(&table(path, FILES, SET.published)?, |row| Ok(item(row)))?;
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

fn item(row: Question) -> Item {
    let hops = row.subqa_chain.len().to_string();
    let modalities = row.subqa_chain.iter().filter_map(|step| step.modality.clone()).collect();
    let facts = row.subqa_chain.into_iter().filter_map(|step| step.supporting_fact_id).filter(|id| !id.is_empty());
    let path: Vec<PageId> = facts.map(|id| PageId::new(DocId::new(id), PageNumber::FIRST)).collect();
    Item {
        id: row.index,
        question: row.question,
        slices: slices([
            ("hops", vec![hops]),
            ("graph_type", row.graph_type.into_iter().collect()),
            ("modality", modalities),
        ]),
        gold: Gold {
            answers: vec![vec![row.answer]],
            pages: path.iter().cloned().map(Into::into).collect(),
            path,
            ..Gold::default()
        },
        ..Item::default()
    }
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, rows, slice, values, write};

    #[test]
    fn chains_are_read_from_parquet() {
        let desk = tempfile::tempdir().unwrap();
        let table = include_bytes!("../../tests/data/sets/mc_search.parquet");
        write(&desk, "data/train-00000-of-00001.parquet", table);
        let set = crate::set::open(None, desk.path()).unwrap();
        assert_eq!((set.name.as_str(), gold(&set, 0)), ("mc-search", vec![("30000001", 1), ("d5", 1)]));
        assert_eq!((slice(&set, 0, "hops"), slice(&set, 0, "modality")), (vec!["2"], vec!["image", "text"]));
        assert_eq!(slice(&set, 0, "graph_type"), ["Image-Initiated Chain"]);
        let said = "{\"id\": \"0\", \"outcome\": \"done\", \"searches\": [{\"query\": \"q\", \"pages\": [{\"doc\": \"d5\", \
                    \"page\": 1}]}]}";
        assert_eq!(values(&set, &rows(&set, "p.jsonl", said).unwrap(), &["HPS", "RD"]), [Some(0.5), Some(1.0)]);
    }

    #[test]
    fn wrong_files_are_named() {
        let said = fault("mc-search", &[("train.jsonl", "{\"index\": 1, \"question\": \"a\", \"answer\": 5}")]);
        assert!(said.contains("train.jsonl:1: invalid type: integer `5`"), "{said}");
        assert!(fault("mc-search", &[("x", "")]).starts_with("data/train.parquet is missing; its owners publish it"));
    }
}
