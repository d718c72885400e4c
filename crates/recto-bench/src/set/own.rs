//! Questions of one's own: JSONL, an [`Item`] a line. For people who write them by hand there is a short form: `answer`
//! or `answers`, `doc` or `docs`, and `pages` as numbers (of the one document) or as `{"doc", "page"}`.

use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;

use super::file::lines;
use super::rows::Ids;
use super::{Line, SetDefinition};
use crate::error::Result;
use crate::item::{BenchmarkSet, Gold, GradedPage, Item};

pub(super) const OWN: SetDefinition = SetDefinition {
    name: "jsonl",
    about: "questions of your own, one a line",
    files: "a file: {\"id\", \"question\", \"answer\", \"docs\", \"pages\"} a line",
    published: "you write it",
    license: "yours",
    measures: &["R@1", "R@5", "MRR@10", "ANLS", "PageF1"],
    looks: |path| path.is_file(),
    read,
};

/// An answer that stands for "the documents do not say".
const NOT_ANSWERABLE: &str = "not answerable";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Short {
    id: String,
    question: String,
    #[serde(default)]
    answer: Option<Texts>,
    #[serde(default)]
    answers: Vec<Texts>,
    #[serde(default)]
    doc: Option<DocId>,
    #[serde(default)]
    docs: Vec<DocId>,
    #[serde(default)]
    pages: Vec<Place>,
}

/// A text, or a list of texts that all belong to the answer.
#[derive(Deserialize)]
#[serde(untagged, expecting = "an answer is a text or a list of texts")]
enum Texts {
    One(String),
    Many(Vec<String>),
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
    let taken = |line: Result<Line>| {
        let line = line?;
        ids.take(item(&line)?).map_err(|why| line.fault(why))
    };
    let items = lines(path)?.map(taken).collect::<Result<Vec<_>>>()?;
    Ok(BenchmarkSet { name, items, ..Default::default() })
}

fn item(line: &Line) -> Result<Item> {
    let value: serde_json::Value = line.parse()?;
    if value.get("gold").is_some() {
        return line.parse();
    }
    short(line.parse()?).map_err(|why| line.fault(why))
}

fn short(row: Short) -> std::result::Result<Item, String> {
    let docs: Vec<DocId> = row.doc.into_iter().chain(row.docs).collect();
    let page = |place| match (place, docs.as_slice()) {
        (Place::Page(page), _) => Ok(page),
        (Place::Number(number), [doc]) => Ok(PageId::new(doc.clone(), number).into()),
        _ => Err("a page number belongs to one document; with several, write {\"doc\", \"page\"}".to_owned()),
    };
    let answers: Vec<Vec<String>> = row.answer.into_iter().chain(row.answers).map(Texts::into_list).collect();
    let is_none = |answer: &Vec<String>| matches!(answer.as_slice(), [one] if one.eq_ignore_ascii_case(NOT_ANSWERABLE));
    let gold = Gold {
        unanswerable: answers.iter().any(is_none),
        pages: row.pages.into_iter().map(page).collect::<std::result::Result<_, _>>()?,
        answers,
        ..Gold::default()
    };
    Ok(Item { id: row.id, question: row.question, docs, gold, ..Item::default() })
}

impl Texts {
    fn into_list(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Many(texts) => texts,
        }
    }
}
