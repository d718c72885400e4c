//! MADQA's predictions (OxRML/MADQA, eval/evaluate.py): `question` or else `id` says which item, `answer` is a text or a
//! list, `citations` have `file` or else `document` and `page`, `search_history` or else `iterations` is the effort.
//!
//! As in the reference a citation without a document or a page is none, and a page that is no whole number (a text, 0)
//! is cited all the same and never right. Unlike it, rows of no item are refused and items without a row count 0.

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use super::{Form, answer, has};
use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::results::rows;
use crate::row::{Row, Search, Usage};
use crate::set::rows::Made;

pub(super) const FORM: Form = Form {
    fits: |row| {
        let more = ["answer", "citations", "search_history", "iterations"];
        has(row, &["question"]) && more.iter().any(|field| has(row, &[field]))
    },
    read,
};

#[derive(Deserialize)]
struct Prediction {
    #[serde(default)]
    question: String,
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    answer: Value,
    #[serde(default)]
    citations: Option<Vec<Citation>>,
    #[serde(default)]
    search_history: Option<Vec<Searched>>,
    #[serde(default)]
    iterations: Option<u32>,
}

#[derive(Deserialize)]
struct Citation {
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    document: Option<String>,
    #[serde(default)]
    page: Value,
}

#[derive(Deserialize)]
struct Searched {
    #[serde(default)]
    query: String,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let ids = set.by_id();
    // Of items with one question the last is meant, as in the reference.
    let questions: BTreeMap<&str, &str> =
        set.items.iter().map(|item| (item.question.trim(), item.id.as_str())).collect();
    rows(file, set, |prediction: Prediction| {
        let question = prediction.question.trim();
        let named = || prediction.id.as_deref().filter(|id| ids.contains_key(id));
        let id = questions.get(question).copied().or_else(named);
        let id = id.ok_or_else(|| format!("no item of the benchmark asks {question:?}"))?.to_owned();
        row(id, prediction)
    })
}

fn row(id: String, prediction: Prediction) -> Made<Row> {
    let searched = prediction.search_history.unwrap_or_default();
    let searches: Vec<Search> =
        searched.into_iter().map(|search| Search { query: search.query, pages: Vec::new() }).collect();
    let steps = if searches.is_empty() { prediction.iterations } else { u32::try_from(searches.len()).ok() };
    Ok(Row {
        id,
        answer: Some(answer(&prediction.answer)?),
        pages: prediction.citations.unwrap_or_default().into_iter().filter_map(cited).collect(),
        searches,
        usage: Usage { steps, ..Usage::default() },
        ..Row::default()
    })
}

fn cited(citation: Citation) -> Option<PageId> {
    let named = |name: Option<String>| name.filter(|name| !name.is_empty());
    let doc = named(citation.file).or_else(|| named(citation.document))?;
    let page = match citation.page {
        Value::Null => return None,
        page => page.as_f64().filter(|page| page.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(page)),
    };
    // No document has the last page that can be named.
    let page = page.and_then(|page| PageNumber::new(page as u32)).unwrap_or(PageNumber::from_index(usize::MAX));
    Some(PageId::new(DocId::new(doc), page))
}
