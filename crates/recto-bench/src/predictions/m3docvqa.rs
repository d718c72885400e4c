//! M3DocVQA's predictions (bloomberg/m3docrag, examples/run_rag_m3docvqa.py): one object with an entry for each question,
//! `pred_answer` (empty in a run that only retrieves) and `page_retrieval_results`, a list of [document, page from 0, score].

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::{Form, has};
use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::python::space;
use crate::results::entries;
use crate::row::{AnswerText, RankedPage, Row};

pub(super) const FORM: Form = Form {
    fits: |row| {
        let first = row.as_object().and_then(|row| row.values().next());
        first.is_some_and(|entry| has(entry, &["pred_answer"]) || has(entry, &["page_retrieval_results"]))
    },
    read,
};

#[derive(Deserialize)]
struct Prediction {
    #[serde(default)]
    pred_answer: Option<String>,
    #[serde(default)]
    page_retrieval_results: Vec<(DocId, usize, f64)>,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    entries(file, set, |id, prediction: Prediction| Ok(row(id, prediction)))
}

fn row(id: String, prediction: Prediction) -> Row {
    let answer = prediction.pred_answer.map(|answer| space::strip(&answer).to_owned());
    let hits = prediction.page_retrieval_results.into_iter();
    let ranked = |(doc, index, score)| RankedPage { page: PageId::new(doc, PageNumber::from_index(index)), score };
    Row { id, answer: answer.map(AnswerText::Text), ranking: hits.map(ranked).collect(), ..Row::default() }
}
