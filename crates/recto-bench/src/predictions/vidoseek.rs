//! ViDoSeek's results (Alibaba-NLP/ViDoRAG, eval.py and utils/overall_evaluator.py): the rows of the data set with
//! `recall_results` (nodes, or an object with `source_nodes`, whose metadata name the picture of a page) and `response`.
//!
//! As in the reference a page is the name of its picture up to the first dot, `FILE_PAGE`; pages stand in the order of the
//! nodes, found twice or not.

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use super::{Form, answer, has, ranked};
use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::results::rows;
use crate::row::Row;
use crate::set::rows::{Made, text};

pub(super) const FORM: Form =
    Form { fits: |row| has(row, &["uid"]) && (has(row, &["recall_results"]) || has(row, &["response"])), read };

#[derive(Deserialize)]
struct Prediction {
    #[serde(deserialize_with = "text")]
    uid: String,
    #[serde(default)]
    recall_results: Value,
    #[serde(default)]
    response: Option<Value>,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let pages = set.items.iter().flat_map(|item| &item.gold.pages);
    let docs: BTreeMap<&str, &DocId> = pages.map(|graded| (stem(graded.page.doc.as_str()), &graded.page.doc)).collect();
    rows(file, set, |prediction: Prediction| {
        let found = &prediction.recall_results;
        let nodes = found.get("source_nodes").unwrap_or(found).as_array().into_iter().flatten();
        let names: Vec<&str> = nodes.map(picture).collect::<Made<_>>()?;
        Ok(Row {
            id: prediction.uid,
            answer: prediction.response.as_ref().map(answer).transpose()?,
            ranking: ranked(names.into_iter().map(|name| page(name, &docs))),
            ..Row::default()
        })
    })
}

/// The file name of a node's picture.
fn picture(node: &Value) -> Made<&str> {
    let metadata = node.get("node").unwrap_or(node).get("metadata");
    let named = |key: &&str| metadata?.get(*key)?.as_str();
    let path = ["filename", "file_name", "file_path"].iter().find_map(named);
    path.and_then(|path| path.rsplit('/').next()).ok_or_else(|| "a node of recall_results names no picture".into())
}

fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The page of a picture; one of no known document is a document of its own.
fn page(picture: &str, docs: &BTreeMap<&str, &DocId>) -> PageId {
    let name = stem(picture);
    let parts = name.rsplit_once('_').and_then(|(doc, page)| Some((doc, page.parse().ok()?)));
    match parts {
        Some((doc, page)) => PageId::new(docs.get(doc).map_or_else(|| DocId::new(doc), |doc| (*doc).clone()), page),
        None => PageId::new(DocId::new(name), PageNumber::FIRST),
    }
}
