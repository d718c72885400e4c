//! Predictions for MMLongBench-Doc: `doc_id` and `question` say which item. `response` is the whole reply, as the second
//! version's judge reads it (VectifyAI/MMLongBench-Doc-V2, eval/evaluate.py); `pred` is the short answer that the first
//! version's code cuts out of it (mayubo2333/MMLongBench-Doc), and counts where it is there.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{Form, answer, has};
use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::measure::answer::NOT_ANSWERABLE;
use crate::results::rows;
use crate::row::{AnswerText, Outcome, Row};
use crate::set::mmlongbench::key;

pub(super) const FORM: Form =
    Form { fits: |row| has(row, &["doc_id", "question"]) && (has(row, &["response"]) || has(row, &["pred"])), read };

#[derive(Deserialize)]
struct Prediction {
    doc_id: String,
    question: String,
    #[serde(default)]
    pred: Option<Value>,
    #[serde(default)]
    response: Value,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    // One document of the first version is asked one question twice: its rows are taken in their order.
    let mut ids: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for item in set.items.iter().rev() {
        let doc = item.docs.first().map(|doc| doc.as_str()).unwrap_or_default();
        ids.entry(key(doc, &item.question)).or_default().push(&item.id);
    }
    rows(file, set, |row: Prediction| {
        let open = ids.get_mut(&key(&row.doc_id, &row.question));
        let open = open.ok_or_else(|| format!("no item of the benchmark asks {:?} of {}", row.question, row.doc_id))?;
        let id = if open.len() > 1 { open.pop() } else { open.first().copied() }.unwrap_or_default();
        let answer = answer(row.pred.as_ref().unwrap_or(&row.response))?;
        let declined = matches!(&answer, AnswerText::Text(text) if text == NOT_ANSWERABLE);
        let outcome = if declined { Outcome::Declined } else { Outcome::Done };
        Ok(Row { id: id.into(), outcome, answer: Some(answer), ..Row::default() })
    })
}
