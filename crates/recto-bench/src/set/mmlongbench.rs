//! MMLongBench-Doc: `samples.json`, a list of objects whose every value is a text; lists are Python literals.
//!
//! Form learnt from the repository mayubo2333/MMLongBench-Doc (1,082 rows). Rows have no id: the row's number from 0
//! serves, as in the files that its own evaluation writes. Seven unanswerable rows name pages all the same.

use std::path::{Path, PathBuf};

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::json;
use crate::error::{BenchError, Result};
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};
use crate::measure;
use crate::python::literal::Literal;

pub(super) const V1: SetDefinition = SetDefinition {
    name: "mmlongbench-doc",
    about: "questions about long documents: text, tables, charts, layout; a fifth has no answer",
    files: "samples.json, and the PDFs that it names in documents/",
    published: "its owners publish it as the GitHub repository mayubo2333/MMLongBench-Doc, folder data",
    license: "CC BY-NC 4.0",
    looks: |path| samples(path).is_file() && (path.is_dir() || path.extension().is_some_and(|ending| ending == "json")),
    read,
};

/// Its authors report the first two; the others are ours.
pub(crate) const MEASURES: &[&str] = &["MMLB", "MMLB-F1", "R@1", "R@5", "MRR@10", "PageF1"];

#[derive(Deserialize)]
struct Sample {
    doc_id: String,
    doc_type: String,
    question: String,
    answer: String,
    evidence_pages: String,
    evidence_sources: String,
    answer_format: String,
}

fn samples(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("samples.json") } else { path.into() }
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let file = samples(path);
    if !file.is_file() {
        return Err(BenchError::MissingFile { file, published: V1.published.into() });
    }
    let rows: Vec<Sample> = json(&file)?;
    let item =
        |(number, row)| item(number, row).map_err(|why| BenchError::row(&file, 0, format!("row {number}: {why}")));
    let items = rows.into_iter().enumerate().map(item).collect::<Result<_>>()?;
    let measures = measure::parsed(MEASURES);
    Ok(BenchmarkSet { name: V1.name.into(), items, measures, ..Default::default() })
}

fn item(number: usize, row: Sample) -> std::result::Result<Item, String> {
    let doc = DocId::new(&row.doc_id);
    let page = |text: &String| {
        let page: PageNumber = text.parse().map_err(|_| format!("{text:?} is no page"))?;
        Ok(GradedPage { page: PageId::new(doc.clone(), page), grade: 1 })
    };
    let pages: Vec<GradedPage> =
        list(&row.evidence_pages)?.iter().map(page).collect::<std::result::Result<_, String>>()?;
    let unanswerable = row.answer == "Not answerable";
    let span = match pages.len() {
        1 => "single-page",
        _ if unanswerable => "unanswerable",
        _ => "cross-page",
    };
    Ok(Item {
        id: number.to_string(),
        question: row.question,
        docs: vec![doc],
        slices: [
            ("answer_format", vec![row.answer_format.clone()]),
            ("doc_type", vec![row.doc_type]),
            ("evidence_sources", list(&row.evidence_sources)?),
            ("evidence", vec![span.into()]),
        ]
        .into_iter()
        .map(|(kind, names)| (kind.to_owned(), names.into_iter().collect()))
        .collect(),
        gold: Gold {
            answers: vec![vec![row.answer]],
            format: Some(row.answer_format),
            unanswerable,
            pages,
            ..Gold::default()
        },
    })
}

/// The entries of a Python list, as text.
fn list(text: &str) -> std::result::Result<Vec<String>, String> {
    match Literal::parse(text) {
        Some(Literal::List(items)) => Ok(items.iter().map(Literal::text).collect()),
        _ => Err(format!("{text:?} is no list")),
    }
}
