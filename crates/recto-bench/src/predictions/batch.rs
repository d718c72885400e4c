//! The output of a batch: `query_id`, `answer`, and `pages` as numbers within the item's one document.

use std::path::Path;

use recto_page::{PageId, PageNumber};
use serde::Deserialize;

use super::{Form, has};
use crate::error::Result;
use crate::item::{BenchmarkSet, Item};
use crate::measure::answer::NOT_ANSWERABLE;
use crate::results::rows;
use crate::row::{AnswerText, Outcome, Row};
use crate::set::rows::Made;

pub(super) const FORM: Form = Form { fits: |row| has(row, &["query_id"]), read };

#[derive(Deserialize)]
struct Answered {
    query_id: String,
    answer: AnswerText,
    #[serde(default)]
    pages: Vec<PageNumber>,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let items = set.by_id();
    rows(file, set, |answered: Answered| {
        let item = items.get(answered.query_id.as_str()).copied();
        row(answered, item)
    })
}

fn row(answered: Answered, item: Option<&Item>) -> Made<Row> {
    let pages = match item.map(|item| item.docs.as_slice()).unwrap_or_default() {
        [doc] => answered.pages.into_iter().map(|page| PageId::new(doc.clone(), page)).collect(),
        _ if answered.pages.is_empty() => Vec::new(),
        _ => return Err("pages without a document, and the item does not say which".into()),
    };
    let declined = matches!(&answered.answer, AnswerText::Text(text) if text == NOT_ANSWERABLE);
    let outcome = if declined { Outcome::Declined } else { Outcome::Done };
    Ok(Row { id: answered.query_id, outcome, answer: Some(answered.answer), pages, ..Row::default() })
}
