//! VisDocAgentBench's predictions (hulx2002/VisDocAgentBench, evaluation/evaluate.py): `query_id` with
//! `ranked_page_ids`, or an agent's `submission.ranked_answers` of opaque `page_handle`s, whose meaning stands in the file
//! that its runner writes beside them.
//!
//! As in the reference, handles that the file does not have vanish before the ranking is cut to ten, and pages that the
//! corpus does not have after it, so that either leaves fewer than ten. What an agent searched for is taken from its
//! `tool_trace`.

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::PageId;
use serde::Deserialize;
use serde_json::Value;

use super::{Form, has, ranked};
use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::results::rows;
use crate::row::{Row, Search, Usage};
use crate::set::need;
use crate::set::rows::{each, text};

pub(super) const FORM: Form =
    Form { fits: |row| has(row, &["query_id"]) && (has(row, &["ranked_page_ids"]) || has(row, &["submission"])), read };

/// What an agent's runner writes beside its predictions, and what it may have been renamed to.
const MAPPINGS: [&str; 2] = ["page_handle_mapping.internal.jsonl", "page_handle_mapping.jsonl"];

/// So many pages are ranked.
const TEN: usize = 10;

#[derive(Deserialize)]
struct Prediction {
    #[serde(deserialize_with = "text")]
    query_id: String,
    #[serde(default)]
    ranked_page_ids: Option<Vec<String>>,
    #[serde(default)]
    submission: Option<Submission>,
    #[serde(default)]
    tool_trace: Vec<Call>,
}

#[derive(Deserialize)]
struct Submission {
    #[serde(default)]
    ranked_answers: Option<Vec<Answer>>,
}

/// A page, or its handle alone.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an answer is a page_handle, or an object with one")]
enum Answer {
    Handle(String),
    Page { page_handle: String },
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    tool_name: String,
    #[serde(default)]
    arguments: Value,
    #[serde(default)]
    observation: Value,
}

#[derive(Deserialize)]
struct Mapped {
    page_handle: String,
    page_id: String,
}

/// What handles and ids of pages mean.
struct Pages<'a> {
    handles: BTreeMap<String, String>,
    set: &'a BenchmarkSet,
}

fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let mut handles = BTreeMap::new();
    if super::rows::first(file).is_some_and(|row| !has(&row, &["ranked_page_ids"])) {
        let beside = MAPPINGS.map(|name| file.with_file_name(name));
        let there = beside.iter().find(|file| file.is_file()).unwrap_or(&beside[0]);
        let mapping = need(there.clone(), "it says which page a handle means, and lies beside an agent's predictions")?;
        handles.extend(each(&mapping, |row: Mapped| Ok((row.page_handle, row.page_id)))?);
    }
    let pages = Pages { handles, set };
    rows(file, set, |prediction: Prediction| Ok(row(prediction, &pages)))
}

fn row(prediction: Prediction, pages: &Pages<'_>) -> Row {
    let searches: Vec<Search> = prediction.tool_trace.iter().filter_map(|call| search(call, pages)).collect();
    let ids = match prediction.ranked_page_ids {
        Some(ids) => ids,
        None => {
            let answers = prediction.submission.and_then(|submission| submission.ranked_answers).unwrap_or_default();
            let handle = |answer: Answer| match answer {
                Answer::Handle(page_handle) | Answer::Page { page_handle } => page_handle,
            };
            answers.into_iter().filter_map(|answer| pages.handles.get(&handle(answer)).cloned()).collect()
        }
    };
    let steps = u32::try_from(prediction.tool_trace.len()).ok().filter(|steps| *steps > 0);
    Row {
        id: prediction.query_id,
        ranking: ranked(ids.iter().take(TEN).filter_map(|id| pages.set.page(id))),
        searches,
        usage: Usage { steps, ..Usage::default() },
        ..Row::default()
    }
}

/// A call of one of the two search tools.
fn search(call: &Call, pages: &Pages<'_>) -> Option<Search> {
    if !matches!(call.tool_name.as_str(), "visual_search" | "text_search") {
        return None;
    }
    let page = |hit: &Value| -> Option<PageId> {
        let id = pages.handles.get(hit.get("page_handle")?.as_str()?)?;
        pages.set.page(id)
    };
    let hits = call.observation.get("results").and_then(Value::as_array);
    Some(Search {
        query: call.arguments.get("query").and_then(Value::as_str).unwrap_or_default().into(),
        pages: hits.into_iter().flatten().filter_map(page).collect(),
    })
}
