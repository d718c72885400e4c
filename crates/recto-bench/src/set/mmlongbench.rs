//! MMLongBench-Doc, both versions: `samples.json`, a list of objects whose every value is a text; lists are Python
//! literals.
//!
//! Form learnt from the repositories mayubo2333/MMLongBench-Doc (1,082 rows) and VectifyAI/MMLongBench-Doc-V2 (1,071).
//! Rows have no id: the row's number from 0 serves. Seven unanswerable rows of the first name pages all the same; three of
//! either name a page 0, which is none: they count as questions of one page and have no right one. The second version has
//! `question_types.json` beside it, joined by document and question, and answers that begin with "Not answerable" and go
//! on; it is scored by a judge alone, so its measures here are those of evidence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::SetDefinition;
use super::file::{json, need, within};
use super::rows::{Made, each, have, slices};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};
use crate::measure::answer::NOT_ANSWERABLE;
use crate::python::literal::Literal;
use crate::python::space;

pub(super) const V1: SetDefinition = SetDefinition {
    name: "mmlongbench-doc",
    about: "questions about long documents: text, tables, charts, layout; a fifth has no answer",
    files: "samples.json, and the PDFs that it names in documents/",
    published: "its owners publish it as the GitHub repository mayubo2333/MMLongBench-Doc, folder data",
    license: "CC BY-NC 4.0",
    // Its authors report the first two.
    measures: &["MMLB", "MMLB-F1", "R@1", "R@5", "MRR@10", "PageF1"],
    looks: |path| have(&within(path, "samples.json"), FIELDS),
    read: |path| read(path, false),
};

pub(super) const V2: SetDefinition = SetDefinition {
    name: "mmlongbench-doc-v2",
    about: "the same questions with 106 corrections, for a judge of meaning",
    files: "samples.json with question_types.json beside it; the PDFs are those of mmlongbench-doc",
    published: "its owners publish it as the GitHub repository VectifyAI/MMLongBench-Doc-V2, folder data",
    license: "Apache-2.0",
    measures: &["Judged(by=mmlb-v2)", "Judged-F1(by=mmlb-v2)", "R@1", "R@5", "MRR@10", "PageF1"],
    looks: |path| types(path).is_file() && (V1.looks)(path),
    read: |path| read(path, true),
};

const FIELDS: &[&str] = &["doc_id", "evidence_pages", "answer_format"];

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

/// What V2 adds: labels by a model, for slices only.
#[derive(Deserialize)]
struct Kind {
    doc_id: String,
    question: String,
    task_type: String,
    requires_visual: bool,
}

fn types(path: &Path) -> PathBuf {
    within(path, "samples.json").with_file_name("question_types.json")
}

fn read(path: &Path, second: bool) -> Result<BenchmarkSet> {
    let set = if second { &V2 } else { &V1 };
    let file = need(within(path, "samples.json"), set.published)?;
    let mut kinds = BTreeMap::new();
    if second {
        for kind in json::<Vec<Kind>>(&need(types(path), set.published)?)? {
            kinds.insert(key(&kind.doc_id, &kind.question), kind);
        }
    }
    let mut number = 0..;
    let items = each(&file, |row: Sample| {
        let kind = kinds.get(&key(&row.doc_id, &row.question));
        let mut item = item(number.next().unwrap_or_default(), row)?;
        if let Some(kind) = kind {
            let sight = if kind.requires_visual { "visual" } else { "text" };
            item.slices.extend(slices([("task", vec![kind.task_type.clone()]), ("needs", vec![sight.into()])]));
        }
        Ok(item)
    })?;
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

/// By what rows are joined: the document, and the question with its white space folded.
pub(crate) fn key(doc: &str, question: &str) -> (String, String) {
    (doc.to_owned(), space::fold(question))
}

fn item(number: usize, row: Sample) -> Made<Item> {
    let doc = DocId::new(&row.doc_id);
    let parsed = |text: &String| text.parse().map_err(|_| format!("{text:?} is no page"));
    let numbers: Vec<u32> = list(&row.evidence_pages)?.iter().map(parsed).collect::<Made<_>>()?;
    let page = |number: &u32| Some(PageId::new(doc.clone(), PageNumber::new(*number)?).into());
    let pages: Vec<GradedPage> = numbers.iter().filter_map(page).collect();
    let unanswerable = row.answer.starts_with(NOT_ANSWERABLE);
    let span = match numbers.len() {
        1 => "single-page",
        _ if unanswerable => "unanswerable",
        _ => "cross-page",
    };
    Ok(Item {
        id: number.to_string(),
        question: row.question,
        slices: slices([
            ("answer_format", vec![row.answer_format.clone()]),
            ("doc_type", vec![row.doc_type]),
            ("evidence_sources", list(&row.evidence_sources)?),
            ("evidence", vec![span.into()]),
        ]),
        docs: vec![doc],
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
fn list(text: &str) -> Made<Vec<String>> {
    match Literal::parse(text) {
        Some(Literal::List(items)) => Ok(items.iter().map(Literal::text).collect()),
        _ => Err(format!("{text:?} is no list")),
    }
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, read, rows, slice, values};

    const SAMPLES: &str = r#"[{"doc_id": "a.pdf", "doc_type": "Guidebook", "question": "How  many?", "answer": "3", "evidence_pages": "[2]", "evidence_sources": "['Chart', 'Table']", "answer_format": "Int"},
{"doc_id": "a.pdf", "doc_type": "Guidebook", "question": "Which?", "answer": "Not answerable or none", "evidence_pages": "[]", "evidence_sources": "[]", "answer_format": "None"},
{"doc_id": "b.pdf", "doc_type": "Brochure", "question": "Who?", "answer": "Ann", "evidence_pages": "[1, 4]", "evidence_sources": "['Figure']", "answer_format": "Str"},
{"doc_id": "b.pdf", "doc_type": "Brochure", "question": "Who?", "answer": "Bob", "evidence_pages": "[0]", "evidence_sources": "['Figure']", "answer_format": "Str"}]"#;
    const TYPES: &str =
        r#"[{"doc_id": "a.pdf", "question": "How many?", "task_type": "count", "requires_visual": true}]"#;

    #[test]
    fn both_versions_are_told_apart() {
        let first = read("mmlongbench-doc", &[("samples.json", SAMPLES)]);
        let second = read("mmlongbench-doc-v2", &[("samples.json", SAMPLES), ("question_types.json", TYPES)]);
        for set in [&first, &second] {
            let spans: Vec<_> = (0..3).map(|item| slice(set, item, "evidence")[0]).collect();
            assert_eq!(spans, ["single-page", "unanswerable", "cross-page"]);
            assert_eq!((gold(set, 2), gold(set, 3)), (vec![("b.pdf", 1), ("b.pdf", 4)], vec![]));
            assert_eq!(slice(set, 3, "evidence"), ["single-page"]);
            assert_eq!(slice(set, 0, "evidence_sources"), ["Chart", "Table"]);
            assert_eq!(set.items[2].id, "2");
        }
        assert_eq!((slice(&first, 0, "task"), slice(&second, 0, "task")), (vec![], vec!["count"]));
        assert_eq!(slice(&second, 0, "needs"), ["visual"]);
    }

    #[test]
    fn wrong_files_are_named() {
        let samples = ("samples.json", SAMPLES);
        let list = SAMPLES.replace("[1, 4]", "['x']");
        for (name, files, why) in [
            ("mmlongbench-doc", &[("x", "")] as &[_], "samples.json is missing; its owners publish it"),
            ("mmlongbench-doc-v2", &[samples], "question_types.json is missing; its owners publish it"),
            ("mmlongbench-doc", &[("samples.json", &list)], "samples.json: row 3: \"x\" is no page"),
            ("mmlongbench-doc", &[("samples.json", "[{\"doc_id\": 1}]")], "samples.json:1: invalid type: integer `1`"),
        ] {
            let said = fault(name, files);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }

    #[test]
    fn predictions_are_joined_by_document_and_question() {
        let set = read("mmlongbench-doc", &[("samples.json", SAMPLES)]);
        let said = r#"[{"doc_id": "a.pdf", "question": "How many? ", "response": "It says 3.", "pred": "3"},
{"doc_id": "b.pdf", "question": "Who?", "response": "Ann"}, {"doc_id": "b.pdf", "question": "Who?", "response": "Bob"}]"#;
        let read = rows(&set, "p.json", said).unwrap();
        assert_eq!(read.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ["0", "2", "3"]);
        assert_eq!(values(&set, &read, &["MMLB"]), [Some(0.75)]);
        let third = said.replace("]", r#", {"doc_id": "b.pdf", "question": "Who?", "response": ""}]"#);
        assert_eq!(rows(&set, "p.json", &third).unwrap_err(), "p.json: row 4: \"3\" has a row already");
        let other = said.replace("\"b.pdf\"", "\"c.pdf\"");
        let why = "p.json: row 2: no item of the benchmark asks \"Who?\" of c.pdf";
        assert_eq!(rows(&set, "p.json", &other).unwrap_err(), why);
    }
}
