//! The validation folder of the batch task: questions about one document each, and their right answers.
//!
//! The task says that requests have `query_id`, `doc_id` and `question`, that labels lie beside them, that pages count from
//! 1, and that `corpus/records.jsonl` tells the documents' page counts. Not known: what the files are called and the names
//! of the labels' fields; usual ones are tried, see [`FILES`], [`LABELS`] and `loose`. Right pages beyond a document's end
//! are left out, as the task does for its diagnostics; their questions stay.

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::DocId;
use serde_json::Value;

use super::SetDefinition;
use super::file::table;
use super::loose::{self, Fields, IDS};
use super::rows::{all, items, slices, table_has};
use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;

pub(super) const SET: SetDefinition = SetDefinition {
    name: "batch-validation",
    about: "the batch task's questions with their answers, from MMLongBench-Doc and FinRAGBench-V",
    files: "the task's folder validation (queries.jsonl, labels.jsonl), with corpus/records.jsonl beside it",
    published: "its owners hand it out with the task, in its folder data/validation",
    license: "that of the two benchmarks",
    measures: &["Quality", "Reward", "MMLB", "PageF1", "R@5"],
    looks: |path| path.is_dir() && table_has(path, FILES, &["query_id", "doc_id", "question"]),
    read,
};

const FILES: &[&str] = &["queries", "requests", "questions", "validation"];
const LABELS: &[&str] = &["labels", "references", "answers", "gold"];
/// Which of the two benchmarks a question is from.
const SOURCES: &[&str] = &["source", "dataset", "benchmark"];
const RECORDS: &[&str] = &["records", "../corpus/records", "corpus/records"];

fn read(path: &Path) -> Result<BenchmarkSet> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let mut labels = labels(folder)?;
    let corpus = page_counts(folder)?;
    let items = items(&table(path, FILES, SET.published)?, |mut row: Fields| {
        let id = loose::text(&row, IDS)?.unwrap_or_default();
        // What the question's own row says comes first.
        for (name, value) in labels.remove(&id).into_iter().flatten() {
            row.entry(name).or_insert(value);
        }
        let mut item = loose::item(&row, ["answer_format", "answer_type"])?;
        item.slices.extend(slices([("source", loose::text(&row, SOURCES)?.into_iter().collect())]));
        let exists = |doc: &DocId, page: u32| corpus.get(doc).is_none_or(|count| page <= *count);
        item.gold.pages.retain(|graded| exists(&graded.page.doc, graded.page.page.get()));
        Ok(item)
    })?;
    if let Some(id) = labels.into_keys().next() {
        return Err(BenchError::row(path, 0, format!("the label of {id:?} is of no question")));
    }
    if items.iter().all(|item| item.gold.answers.is_empty()) {
        let file = folder.join("labels.jsonl");
        return Err(BenchError::MissingFile { file, published: SET.published.into() });
    }
    Ok(BenchmarkSet { items, corpus, ..BenchmarkSet::default() })
}

/// The labels by id of their question; none if they stand in the questions' own rows.
fn labels(folder: &Path) -> Result<BTreeMap<String, Fields>> {
    let mut labels = BTreeMap::new();
    let files = table(folder, LABELS, "").unwrap_or_default();
    all(&files, |row: Fields| {
        let id = loose::text(&row, IDS)?.ok_or("the label is of no question")?;
        let twice = labels.insert(id.clone(), row).is_some();
        if twice { Err(format!("{id:?} has a label already")) } else { Ok(()) }
    })?;
    Ok(labels)
}

/// How many pages documents have, as far as records say.
fn page_counts(folder: &Path) -> Result<BTreeMap<DocId, u32>> {
    let files = table(folder, RECORDS, "").unwrap_or_default();
    let counts = all(&files, |row: Fields| {
        let doc = loose::text(&row, &["doc_id", "id", "document_id"])?.ok_or("the record is of no document")?;
        let said = ["page_count", "num_pages", "n_pages"].iter().find_map(|name| row.get(*name)?.as_u64());
        let listed = || row.get("pages").and_then(Value::as_array).map(|pages| pages.len() as u64);
        Ok(said.or_else(listed).and_then(|count| Some((DocId::new(doc), u32::try_from(count).ok()?))))
    })?;
    Ok(counts.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, read, rows, slice, values};

    const QUERIES: (&str, &str) = (
        "queries.jsonl",
        r#"{"query_id": "q1", "doc_id": "a", "question": "How many?"}
{"query_id": "q2", "doc_id": "b", "question": "Who?"}"#,
    );
    const LABELS: (&str, &str) = (
        "labels.jsonl",
        r#"{"query_id": "q1", "answer": "3", "answer_format": "Int", "evidence_pages": [2, 9], "source": "mmlongbench-doc"}
{"query_id": "q2", "answer": "Not answerable", "answer_format": "None", "evidence_pages": []}"#,
    );
    const RECORDS: (&str, &str) = ("corpus/records.jsonl", r#"{"doc_id": "a", "pdf": "a.pdf", "page_count": 5}"#);

    #[test]
    fn labels_are_joined_and_pages_beyond_the_end_left_out() {
        let set = read("batch-validation", &[QUERIES, LABELS, RECORDS]);
        assert_eq!((gold(&set, 0), slice(&set, 0, "source")), (vec![("a", 2)], vec!["mmlongbench-doc"]));
        assert_eq!((set.items[1].gold.unanswerable, set.corpus.len()), (true, 1));
        let said = "{\"query_id\": \"q1\", \"answer\": \"3.0\", \"pages\": [2]}\n\
                    {\"query_id\": \"q2\", \"answer\": \"Not answerable\", \"pages\": []}";
        let read = rows(&set, "results.jsonl", said).unwrap();
        assert_eq!(values(&set, &read, &["MMLB", "PageF1", "Reward"]), [Some(1.0), Some(1.0), Some(1.0)]);
    }

    #[test]
    fn wrong_files_are_named() {
        let label = |text| ("labels.jsonl", text);
        for (files, why) in [
            (&[QUERIES] as &[_], "labels.jsonl is missing; its owners hand it out"),
            (&[LABELS], "queries.parquet is missing"),
            (&[QUERIES, label("{\"query_id\": \"q7\", \"answer\": \"\"}")], "the label of \"q7\" is of no question"),
            (&[QUERIES, label("{\"id\": \"q1\"}\n{\"id\": \"q1\"}")], "labels.jsonl:2: \"q1\" has a label already"),
            (&[QUERIES, label("{\"query_id\": \"q1\", \"pages\": [\"x\"]}")], "queries.jsonl:1: \"x\" is no page"),
        ] {
            let said = fault("batch-validation", files);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
