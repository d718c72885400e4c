//! Questions of one's own: JSONL, an [`Item`] a line, or a list of them. For people who write them by hand there is a short form: `answer`
//! or `answers`, `doc` or `docs`, and `pages` as numbers (of the one document) or as `{"doc", "page"}`.

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use super::SetDefinition;
use super::rows::{Ids, Made, each, plain, text};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};

pub(super) const OWN: SetDefinition = SetDefinition {
    name: "jsonl",
    about: "questions of your own, one a line",
    files: "a file: {\"id\", \"question\", \"answer\", \"docs\", \"pages\"} a line",
    published: "you write it",
    license: "yours",
    measures: &["Accuracy", "ANLS", "PageF1", "R@1", "R@5", "MRR@10"],
    looks: |path| path.is_file(),
    read,
};

/// An answer that stands for "the documents do not say".
const NOT_ANSWERABLE: &str = "not answerable";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a question, an object with id, question and answer")]
struct Short {
    #[serde(deserialize_with = "text")]
    id: String,
    question: String,
    #[serde(default)]
    answer: Option<Value>,
    #[serde(default)]
    answers: Vec<Value>,
    #[serde(default)]
    doc: Option<DocId>,
    #[serde(default)]
    docs: Vec<DocId>,
    #[serde(default)]
    pages: Vec<Place>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a page is a number from 1, or {doc, page}")]
enum Place {
    Number(PageNumber),
    Page(GradedPage),
}

fn read(path: &Path) -> Result<BenchmarkSet> {
    let name = path.file_stem().map_or_else(|| "jsonl".into(), |stem| stem.to_string_lossy().into_owned());
    let mut ids = Ids::default();
    let items = each(path, |value| ids.take(item(value)?))?;
    Ok(BenchmarkSet { name, items, ..Default::default() })
}

fn item(value: Value) -> Made<Item> {
    let told = |error: serde_json::Error| error.to_string();
    match value.get("gold") {
        Some(_) => serde_json::from_value(value).map_err(told),
        None => short(serde_json::from_value(value).map_err(told)?),
    }
}

fn short(row: Short) -> Made<Item> {
    let docs: Vec<DocId> = row.doc.into_iter().chain(row.docs).collect();
    let page = |place| match (place, docs.as_slice()) {
        (Place::Page(page), _) => Ok(page),
        (Place::Number(number), [doc]) => Ok(PageId::new(doc.clone(), number).into()),
        _ => Err("a page number belongs to one document; with several, write {\"doc\", \"page\"}".to_owned()),
    };
    let answers: Vec<Vec<String>> = row.answer.iter().chain(&row.answers).map(parts).collect::<Made<_>>()?;
    let is_none = |answer: &Vec<String>| matches!(answer.as_slice(), [one] if one.eq_ignore_ascii_case(NOT_ANSWERABLE));
    let gold = Gold {
        unanswerable: answers.iter().any(is_none),
        pages: row.pages.into_iter().map(page).collect::<Made<_>>()?,
        answers,
        ..Gold::default()
    };
    Ok(Item { id: row.id, question: row.question, docs, gold, ..Item::default() })
}

/// The parts of an answer, which all belong to it; a plain one is one part.
fn parts(answer: &Value) -> Made<Vec<String>> {
    match answer {
        Value::Array(parts) => parts.iter().map(plain).collect(),
        answer => Ok(vec![plain(answer)?]),
    }
}

#[cfg(test)]
mod tests {
    use crate::set::desk::{gold, read, write};

    #[test]
    fn questions_written_by_hand() {
        let line = r#"{"id": 1, "question": "How many?", "answer": 5, "doc": "d.pdf", "pages": [2]}"#;
        let list = format!(
            "\u{feff}[{line},\r\n{}]",
            line.replace("\"id\": 1", "\"id\": \"b\"").replace('5', "[\"x\", 2.5, true]")
        );
        let set = read("q", &[("q.json", list.as_str())]);
        assert_eq!((set.items[0].id.as_str(), gold(&set, 0)), ("1", vec![("d.pdf", 2)]));
        assert_eq!(set.items[0].gold.answers, [["5"]]);
        assert_eq!(set.items[1].gold.answers, [["x", "2.5", "True"]]);
        let long = format!(
            "{line}\n{}",
            line.replace("\"id\": 1", "\"id\": \"c\"")
                .replace("\"answer\": 5", "\"gold\": {}")
                .replace(", \"doc\": \"d.pdf\", \"pages\": [2]", "")
        );
        assert_eq!(read("q", &[("q.jsonl", long.as_str())]).items.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let line = r#"{"id": "a", "question": "q", "answer": "x", "doc": "d.pdf", "pages": [1]}"#;
        for (text, why) in [
            (line.replace("[1]", "[0]"), "q:1: a page is a number from 1, or {doc, page}"),
            (line.replace("\"doc\": \"d.pdf\", ", ""), "q:1: a page number belongs to one document"),
            (line.replace("\"doc\"", "\"dco\""), "q:1: unknown field `dco`, expected one of"),
            (line.replace("\"x\"", "{\"a\": 1}"), "q:1: an answer is a text or a list of texts"),
            (format!("{line}\n{line}"), "q:2: \"a\" has a row already"),
            (format!("[{line},{line}]"), "q: row 2: \"a\" has a row already"),
            ("5".into(), "q:1: invalid type: integer `5`, expected a question, an object with id, question and answer"),
        ] {
            let desk = tempfile::tempdir().unwrap();
            let said = crate::set::open(Some("jsonl"), &write(&desk, "q", text)).unwrap_err().to_string();
            assert!(said.contains(why), "{said}, not {why}");
        }
    }
}
