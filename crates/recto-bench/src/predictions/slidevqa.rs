//! Predictions for SlideVQA: `qa_id`, `answer` and `evidence_pages`, the names that the reference (nttmdlab-nlp/SlideVQA,
//! evaluate.py) gives them, in one file. Its script, which can't run as it stands, wants answers and pages in two files whose
//! lines follow those of the data set: a folder with `qa_preds.jsonl` and `es_pred.jsonl`, as it calls them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use recto_page::{PageId, PageNumber};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Form, answer, has};
use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Item};
use crate::results::rows;
use crate::row::Row;
use crate::set::rows::{Made, each, text};

pub(super) const FORM: Form = Form { fits: |row| has(row, &["qa_id"]), read };

#[derive(Deserialize)]
struct Prediction {
    #[serde(deserialize_with = "text")]
    qa_id: String,
    #[serde(default)]
    answer: Option<Value>,
    #[serde(default)]
    evidence_pages: Vec<PageNumber>,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let items = set.by_id();
    rows(file, set, |prediction: Prediction| row(prediction, &items))
}

fn row(prediction: Prediction, items: &BTreeMap<&str, &Item>) -> Made<Row> {
    let doc = items.get(prediction.qa_id.as_str()).and_then(|item| item.docs.first());
    let pages = prediction.evidence_pages.into_iter().zip(doc.into_iter().cycle());
    Ok(Row {
        answer: prediction.answer.as_ref().map(answer).transpose()?,
        pages: pages.map(|(page, doc)| PageId::new(doc.clone(), page)).collect(),
        id: prediction.qa_id,
        ..Row::default()
    })
}

/// The files of a folder in the script's form.
pub(super) fn two_files(folder: &Path) -> Option<[PathBuf; 2]> {
    Some(["qa_preds.jsonl", "es_pred.jsonl"].map(|name| folder.join(name)))
        .filter(|files| files.iter().all(|f| f.is_file()))
}

/// Their rows.
pub(super) fn read_two([answers, pages]: &[PathBuf; 2], set: &BenchmarkSet) -> Result<Vec<Row>> {
    #[derive(Deserialize)]
    struct Answer {
        answer: Value,
    }
    #[derive(Deserialize)]
    struct Pages {
        evidence_pages: Vec<PageNumber>,
    }
    let answers = aligned(answers, set, |Answer { answer }| answer)?;
    let pages = aligned(pages, set, |Pages { evidence_pages }| evidence_pages)?;
    let items = set.by_id();
    let both = set.items.iter().zip(answers).zip(pages);
    let prediction = |((item, answer), evidence_pages): ((&Item, _), _)| Prediction {
        qa_id: item.id.clone(),
        answer: Some(answer),
        evidence_pages,
    };
    let placed = |(n, row): (usize, Made<Row>)| row.map_err(|why| BenchError::row(&set.name, n, why));
    (1..).zip(both.map(prediction).map(|prediction| row(prediction, &items))).map(placed).collect()
}

/// The rows of a file, one for each item.
fn aligned<T: DeserializeOwned, U>(file: &Path, set: &BenchmarkSet, of: impl Fn(T) -> U) -> Result<Vec<U>> {
    let rows: Vec<U> = each(file, |row: T| Ok(of(row)))?;
    let (n, items) = (rows.len(), set.items.len());
    let differ = || {
        BenchError::row(file, 0, format!("{n} rows for the {items} questions of the data set, whose order they follow"))
    };
    if n == items { Ok(rows) } else { Err(differ()) }
}
