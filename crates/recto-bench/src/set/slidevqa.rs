//! SlideVQA: questions about decks of 20 slides.
//!
//! Form learnt from the README and the code of nttmdlab-nlp/SlideVQA: `annotations/qa/SPLIT.jsonl` with `deck_name`,
//! `image_urls`, `qa_id`, `question`, `answer`, `evidence_pages` (1 to 20, in order), `reasoning_type` and `answer_type`
//! a line. The rows themselves were not seen. A deck is one document; a folder stands for its test split, then dev.

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use super::SetDefinition;
use super::file::table;
use super::rows::{Made, items, plain, slices, table_has, text};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, Item};

pub(super) const SET: SetDefinition = SetDefinition {
    name: "slidevqa",
    about: "questions about slide decks, answered from one slide or several",
    files: "annotations/qa/test.jsonl (or another split's), or the folder that has it",
    published: "its owners publish it as the GitHub repository nttmdlab-nlp/SlideVQA",
    license: "its own, for research; see its LICENSE",
    measures: &["SlideVQA-EM", "SlideVQA-F1", "SlideVQA-EM(part=evidence)", "SlideVQA-F1(part=evidence)"],
    looks: |path| table_has(path, SPLITS, &["deck_name", "qa_id", "evidence_pages"]),
    read,
};

const SPLITS: &[&str] = &["annotations/qa/test", "annotations/qa/dev", "qa/test", "qa/dev", "test", "dev"];

#[derive(Deserialize)]
struct Question {
    deck_name: DocId,
    #[serde(deserialize_with = "text")]
    qa_id: String,
    question: String,
    answer: Value,
    evidence_pages: Vec<PageNumber>,
    #[serde(default)]
    image_urls: Vec<String>,
    #[serde(default)]
    reasoning_type: Option<String>,
    #[serde(default)]
    answer_type: Option<String>,
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let mut corpus = BTreeMap::new();
    let items = items(&table(path, SPLITS, SET.published)?, |row: Question| {
        if let Some(slides) = u32::try_from(row.image_urls.len()).ok().filter(|slides| *slides > 0) {
            corpus.insert(row.deck_name.clone(), slides);
        }
        item(row)
    })?;
    Ok(BenchmarkSet { items, corpus, ..BenchmarkSet::default() })
}

fn item(row: Question) -> Made<Item> {
    let deck = row.deck_name;
    Ok(Item {
        id: row.qa_id,
        question: row.question,
        slices: slices([
            ("reasoning_type", row.reasoning_type.into_iter().collect()),
            ("answer_type", row.answer_type.into_iter().collect()),
        ]),
        gold: Gold {
            answers: vec![vec![plain(&row.answer)?]],
            pages: row.evidence_pages.into_iter().map(|page| PageId::new(deck.clone(), page).into()).collect(),
            ..Gold::default()
        },
        docs: vec![deck],
    })
}

#[cfg(test)]
mod tests {
    use crate::predictions;
    use crate::set::desk::{fault, gold, read, rows, slice, values, write};

    const ROWS: &str = r#"{"deck_name": "deck", "image_urls": ["a", "b", "c"], "qa_id": 7, "question": "How many cats?", "answer": "two", "evidence_pages": [3, 1], "reasoning_type": "Multi-Hop", "answer_type": "Single-Span"}
{"deck_name": "deck", "image_urls": ["a", "b", "c"], "qa_id": "8", "question": "Who?", "answer": "Ann", "evidence_pages": [2]}"#;

    #[test]
    fn questions_and_predictions() {
        let set = read("slidevqa", &[("annotations/qa/test.jsonl", ROWS), ("annotations/qa/dev.jsonl", "{}")]);
        assert_eq!(gold(&set, 0), [("deck", 3), ("deck", 1)]);
        assert_eq!((set.corpus.values().sum::<u32>(), slice(&set, 0, "reasoning_type")), (3, vec!["Multi-Hop"]));
        let said = "{\"qa_id\": 7, \"answer\": \"2\", \"evidence_pages\": [1, 3]}\n{\"qa_id\": 8, \"answer\": \"ann\"}";
        let read = rows(&set, "p.jsonl", said).unwrap();
        let measures = ["SlideVQA-EM", "SlideVQA-EM(part=evidence)", "SlideVQA-F1(part=evidence)"];
        assert_eq!(values(&set, &read, &measures), [Some(1.0), Some(0.0), Some(0.5)]);
        let error = rows(&set, "p.jsonl", "{\"qa_id\": 9}").unwrap_err();
        assert_eq!(error, "p.jsonl:1: \"9\" is no item of the benchmark");
    }

    #[test]
    fn two_files_follow_the_data_set() {
        let set = read("slidevqa", &[("test.jsonl", ROWS)]);
        let desk = tempfile::tempdir().unwrap();
        write(&desk, "qa_preds.jsonl", "{\"answer\": \"2\"}\n{\"answer\": \"Bob\"}");
        write(&desk, "es_pred.jsonl", "{\"evidence_pages\": [3, 1]}\n{\"evidence_pages\": []}");
        let rows = predictions::read(desk.path(), &set).unwrap();
        assert_eq!(values(&set, &rows, &["SlideVQA-EM", "SlideVQA-EM(part=evidence)"]), [Some(0.5); 2]);
        write(&desk, "es_pred.jsonl", "{\"evidence_pages\": [3]}");
        let error = predictions::read(desk.path(), &set).unwrap_err().to_string();
        assert!(
            error.ends_with("es_pred.jsonl: 1 rows for the 2 questions of the data set, whose order they follow"),
            "{error}"
        );
    }

    #[test]
    fn wrong_files_are_named() {
        let list = ROWS.replace("\"two\"", "[\"two\"]");
        for (text, why) in [
            (list.as_str(), "test.jsonl:1: an answer is a text or a list of texts"),
            ("{\"deck_name\": \"a\", \"qa_id\": 1.5}", "test.jsonl:1: a text or a whole number"),
        ] {
            let said = fault("slidevqa", &[("test.jsonl", text)]);
            assert!(said.contains(why), "{said}, not {why}");
        }
        assert!(fault("slidevqa", &[("x", "")]).contains("annotations/qa/test"));
    }
}
