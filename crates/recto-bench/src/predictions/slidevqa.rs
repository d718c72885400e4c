//! Predictions for SlideVQA: `qa_id`, `answer` and `evidence_pages`, the names that the reference (nttmdlab-nlp/SlideVQA,
//! evaluate.py) gives them. Its script wants answers and pages in two files whose lines follow those of the data set, and
//! can't run as it stands; here one file has both, or either.

use std::path::Path;

use recto_page::{PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use super::{Form, answer, has};
use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::results::rows;
use crate::row::Row;
use crate::set::rows::text;

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
    rows(file, set, |prediction: Prediction| {
        let doc = items.get(prediction.qa_id.as_str()).and_then(|item| item.docs.first());
        let pages = prediction.evidence_pages.into_iter().zip(doc.into_iter().cycle());
        Ok(Row {
            answer: prediction.answer.as_ref().map(answer).transpose()?,
            pages: pages.map(|(page, doc)| PageId::new(doc.clone(), page)).collect(),
            id: prediction.qa_id,
            ..Row::default()
        })
    })
}
