//! M3DocVQA: the questions of MultimodalQA, asked of 3,368 PDFs of encyclopedia articles.
//!
//! Form learnt from the code of bloomberg/m3docrag: `multimodalqa/MMQA_dev.jsonl` with `qid`, `question`, `answers` (each
//! `answer` and `modality`; together they are one right list), `metadata.type` and `supporting_context` (`doc_id`). The
//! rows themselves were not seen. Which *page* of a document is right nobody says: the first stands for it, and only
//! measures of documents mean something (`M3-R`, `DocF1`).

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use super::SetDefinition;
use super::file::table;
use super::rows::{Made, items, plain, slices, table_has};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "m3docvqa",
    about: "questions over one to several of 3,368 documents: text, tables, pictures",
    files: "MMQA_dev.jsonl, or the folder that has it",
    published: "its owners tell how to make it in the GitHub repository bloomberg/m3docrag, folder m3docvqa; the questions \
                are those of allenai/multimodalqa",
    license: "that of MultimodalQA; the articles have their own",
    measures: &["M3-EM", "M3-F1", "M3-R@1", "M3-R@2", "M3-R@4", "M3-R@5", "M3-R@10"],
    looks: |path| table_has(path, SPLITS, &["qid", "answers", "supporting_context"]),
    read,
};

const SPLITS: &[&str] = &["MMQA_dev", "multimodalqa/MMQA_dev"];

#[derive(Deserialize)]
struct Question {
    qid: String,
    question: String,
    answers: Vec<Answer>,
    metadata: About,
    supporting_context: Vec<Context>,
}

#[derive(Deserialize)]
struct Answer {
    answer: Value,
    #[serde(default)]
    modality: String,
}

#[derive(Deserialize)]
struct About {
    r#type: String,
}

#[derive(Deserialize)]
struct Context {
    doc_id: DocId,
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let items = items(&table(path, SPLITS, SET.published)?, item)?;
    Ok(BenchmarkSet { items, ..BenchmarkSet::default() })
}

fn item(row: Question) -> Made<Item> {
    let answer = row.answers.iter().map(|answer| plain(&answer.answer)).collect::<Made<_>>()?;
    // A kind of several questions is written as a formula over theirs.
    let hops = if row.metadata.r#type.contains('(') { "Multi-hop" } else { "Single-hop" };
    let page = |context: Context| PageId::new(context.doc_id, PageNumber::FIRST).into();
    Ok(Item {
        id: row.qid,
        question: row.question,
        slices: slices([
            ("modality", row.answers.into_iter().map(|answer| answer.modality).collect()),
            ("hops", vec![hops.into()]),
            ("type", vec![row.metadata.r#type]),
        ]),
        gold: Gold {
            answers: vec![answer],
            pages: row.supporting_context.into_iter().map(page).collect(),
            ..Gold::default()
        },
        ..Item::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{fault, gold, read, rows, slice, values};

    const ROWS: &str = r#"{"qid": "q1", "question": "Which?", "answers": [{"answer": "Oslo", "modality": "text"}, {"answer": 7, "modality": "text"}], "metadata": {"type": "Compose(TextQ,TableQ)"}, "supporting_context": [{"doc_id": "d1", "doc_part": "text"}, {"doc_id": "d2", "doc_part": "table"}]}
{"qid": "q2", "question": "Who?", "answers": [{"answer": "Ann", "modality": "image"}], "metadata": {"type": "ImageQ"}, "supporting_context": [{"doc_id": "d1"}]}"#;

    #[test]
    fn questions_and_predictions() {
        let set = read("m3docvqa", &[("multimodalqa/MMQA_dev.jsonl", ROWS), ("dev_doc_ids.json", "[]")]);
        assert_eq!(set.items[0].gold.answers, [["Oslo", "7"]]);
        assert_eq!(gold(&set, 0), [("d1", 1), ("d2", 1)]);
        assert_eq!((slice(&set, 0, "hops"), slice(&set, 1, "modality")), (vec!["Multi-hop"], vec!["image"]));
        let said = r#"{"q1": {"pred_answer": "x", "page_retrieval_results": [["d2", 0, 2.5], ["d9", 3, 1]]},
"q2": {"pred_answer": " Ann. ", "page_retrieval_results": [["d3", 2, 2], ["d1", 4, 1]], "time_qa": 1}}"#;
        let read = rows(&set, "p.json", said).unwrap();
        assert_eq!(values(&set, &read, &["M3-EM", "M3-R@1", "M3-R@2"]), [Some(0.5), Some(0.25), Some(0.75)]);
        assert_eq!(read[1].ranking[0].page.page.get(), 3);
        let twice = said.replace("q2", "q1");
        assert_eq!(rows(&set, "p.json", &twice).unwrap_err(), "p.json: \"q1\" has a row already");
        let wrong = said.replace("[\"d3\", 2, 2]", "[\"d3\", -1, 2]");
        assert!(rows(&set, "p.json", &wrong).unwrap_err().starts_with("p.json:2: invalid value: integer `-1`"));
    }

    #[test]
    fn wrong_files_are_named() {
        for (text, why) in [
            (ROWS.replace("7,", "[7],"), "MMQA_dev.jsonl:1: an answer is a text"),
            (ROWS.replace("\"qid\": \"q2\", ", ""), "MMQA_dev.jsonl:2: missing field `qid`"),
            (ROWS.replace("q2", "q1"), "MMQA_dev.jsonl:2: \"q1\" has a row already"),
        ] {
            let said = fault("m3docvqa", &[("MMQA_dev.jsonl", &text)]);
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
