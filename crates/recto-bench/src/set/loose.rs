//! Rows of benchmarks whose field names are not known for certain: each thing is looked for under the names that it
//! usually has. Not for files whose form is known, where another name is a fault.

use recto_page::{DocId, PageId, PageNumber};
use serde_json::{Map, Value};

use super::rows::{Made, plain, slices};
use crate::item::{Gold, GradedPage, Item};
use crate::measure::answer::NOT_ANSWERABLE;

/// The fields of a row.
pub(super) type Fields = Map<String, Value>;

pub(super) const IDS: &[&str] = &["query_id", "question_id", "task_id", "id", "qid", "uid", "index"];
const QUESTIONS: &[&str] = &["question", "query"];
/// Several that are equally right.
const VARIANTS: &[&str] = &["answers", "references", "answer_variants"];
const ANSWERS: &[&str] = &["answer", "reference_answer", "reference", "final_answer", "gold_answer", "ground_truth"];
const DOCS: &[&str] = &["doc_id", "document_id", "doc", "document", "file_name", "file"];
const PAGES: &[&str] = &["evidence_pages", "pages", "evidence", "reference_pages", "page"];
const PAGE: &[&str] = &["page", "page_number"];
const FORMATS: &[&str] = &["answer_format", "answer_type", "format"];

/// An item of a row, with a slice for each of `kinds` that the row has as a text.
pub(super) fn item<const N: usize>(row: &Fields, kinds: [&str; N]) -> Made<Item> {
    let id = text(row, IDS)?.ok_or_else(|| lacks("id", IDS))?;
    let question = text(row, QUESTIONS)?.ok_or_else(|| lacks("question", QUESTIONS))?;
    let docs: Vec<DocId> = text(row, DOCS)?.into_iter().map(DocId::new).collect();
    let pages = field(row, PAGES).map_or(Ok(Vec::new()), |value| pages(value, docs.first()))?;
    let answers = answers(row)?;
    let unanswerable = answers.iter().flatten().any(|answer| answer.eq_ignore_ascii_case(NOT_ANSWERABLE));
    let gold = Gold { answers, format: text(row, FORMATS)?, unanswerable, pages, ..Gold::default() };
    let named = |kind| (kind, row.get(kind).and_then(Value::as_str).map(str::to_owned).into_iter().collect());
    Ok(Item { id, question, docs, gold, slices: slices(kinds.map(named)) })
}

/// What a row says under the first of `names` that it has.
fn field<'a>(row: &'a Fields, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| row.get(*name)).filter(|value| !value.is_null())
}

/// The same as a text; a number is one too.
pub(super) fn text(row: &Fields, names: &[&str]) -> Made<Option<String>> {
    field(row, names).map(|value| plain(value).map_err(|_| format!("{} is no text", names.join(", ")))).transpose()
}

fn lacks(what: &str, names: &[&str]) -> String {
    format!("the row has no {what}, under none of the names {}", names.join(", "))
}

/// Answers that are equally right; a list under a name for one answer is one of several parts.
fn answers(row: &Fields) -> Made<Vec<Vec<String>>> {
    let list = |value: &Value| match value {
        Value::Array(entries) => entries.iter().map(plain).collect(),
        value => Ok(vec![plain(value)?]),
    };
    match (field(row, VARIANTS), field(row, ANSWERS)) {
        (Some(Value::Array(variants)), _) => variants.iter().map(list).collect(),
        (Some(value), _) | (None, Some(value)) => Ok(vec![list(value)?]),
        (None, None) => Ok(Vec::new()),
    }
}

/// A page, or a list of them: numbers of the one document, or objects with a page and a document.
fn pages(value: &Value, doc: Option<&DocId>) -> Made<Vec<GradedPage>> {
    let number = |value: &Value| -> Made<PageNumber> {
        let number = value.as_u64().and_then(|n| u32::try_from(n).ok()).and_then(PageNumber::new);
        number.ok_or_else(|| format!("{value} is no page"))
    };
    let page = |value: &Value| match value {
        Value::Object(at) => {
            let own = text(at, DOCS)?.map(DocId::new);
            let doc = own.or_else(|| doc.cloned()).ok_or_else(|| lacks("document of its page", DOCS))?;
            Ok(PageId::new(doc, number(field(at, PAGE).unwrap_or(&Value::Null))?).into())
        }
        value => {
            let doc = doc.cloned().ok_or_else(|| lacks("document of its page", DOCS))?;
            Ok(PageId::new(doc, number(value)?).into())
        }
    };
    match value {
        Value::Array(list) => list.iter().map(page).collect(),
        value => Ok(vec![page(value)?]),
    }
}
