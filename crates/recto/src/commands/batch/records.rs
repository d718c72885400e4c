//! `records.jsonl`: one document a line, with a PDF, the texts of its pages, or both.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use recto_ingest::discover::stamp;
use recto_page::{DocId, Problem, ProblemCode, Stage};
use serde_json::{Map, Value};

use super::fields::{rows, text, whole_number};
use crate::commands::index::sources::{Source, fingerprint};

/// The documents of a corpus, and what is wrong with rows of its records.
pub(super) struct Records {
    pub(super) sources: Vec<Source>,
    pub(super) complaints: Vec<String>,
}

/// Reads the records of `corpus` from `text`. Of two rows for one document the first counts.
pub(super) fn parse(corpus: &Path, text: &str, max_pages: usize) -> Records {
    let mut records = Records { sources: Vec::new(), complaints: Vec::new() };
    let mut seen = BTreeSet::new();
    for (line, row) in rows(text) {
        match row.and_then(|row| source(corpus, &row, max_pages)) {
            Err(why) => records.complaints.push(format!("line {line}: {why}")),
            Ok(source) if !seen.insert(source.id.clone()) => {
                records.complaints.push(format!("line {line}: {} was there before; the first counts", source.id));
            }
            Ok(source) => records.sources.push(source),
        }
    }
    records
}

fn source(corpus: &Path, row: &Map<String, Value>, max_pages: usize) -> Result<Source, String> {
    let id = text(row, &["doc_id", "id", "document_id"]).ok_or("it has no doc_id")?;
    let given = given_texts(row, max_pages);
    let named = text(row, &["pdf", "pdf_path", "path", "file"]).filter(|path| !path.is_empty());
    let path = named.map(|path| corpus.join(path));
    let metadata = path.as_deref().map(std::fs::metadata);
    let mut source = Source {
        id: DocId::new(&id),
        root: Some(corpus.into()),
        stamp: None,
        fingerprint: fingerprint(None, &given),
        given,
        problems: Vec::new(),
        path,
        is_passing: false,
    };
    match metadata {
        Some(Ok(metadata)) if metadata.is_file() => source.stamp = Some(stamp(&metadata)),
        Some(_) => source.problems.push(missing(source.path.clone().unwrap_or_default())),
        None if source.given.is_empty() => return Err(format!("{id} has neither a file nor texts of pages")),
        None => {}
    }
    Ok(source)
}

fn missing(path: PathBuf) -> Problem {
    let detail = format!("there is no file {}", path.display());
    Problem::of_document(ProblemCode::MissingSource, Stage::Discover, detail)
}

/// Texts of pages 1, 2, ...: a list of texts, or of objects with `page` and `text`; filled up to the page count.
fn given_texts(row: &Map<String, Value>, max_pages: usize) -> Vec<String> {
    let mut texts = Vec::new();
    let field = ["pages", "page_texts", "text"].iter().find_map(|name| match row.get(*name)? {
        Value::Array(items) => Some(items.clone()),
        Value::String(text) => Some(text.split('\u{c}').map(|page| Value::String(page.into())).collect()),
        _ => None,
    });
    for (index, item) in field.unwrap_or_default().iter().enumerate() {
        let (page, text) = match item {
            Value::Object(page) => {
                let number = whole_number(page, &["page", "page_number", "number"]).filter(|n| *n > 0);
                (number.map_or(index, |n| n - 1), text(page, &["text"]).unwrap_or_default())
            }
            other => (index, other.as_str().unwrap_or_default().to_owned()),
        };
        if page < max_pages {
            grow(&mut texts, page + 1);
            texts[page] = text;
        }
    }
    let count = whole_number(row, &["page_count", "num_pages", "n_pages"]).unwrap_or(0).min(max_pages);
    if !texts.is_empty() {
        grow(&mut texts, count);
    }
    texts
}

fn grow(texts: &mut Vec<String>, len: usize) {
    if texts.len() < len {
        texts.resize(len, String::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_pages_come_in_several_forms() {
        let table = [
            (r#"{"pages": ["a", "b"]}"#, vec!["a", "b"]),
            (r#"{"page_texts": [{"page": 2, "text": "b"}, {"page": 1, "text": "a"}]}"#, vec!["a", "b"]),
            (r#"{"text": ["a", null, 3], "n_pages": 4}"#, vec!["a", "", "", ""]),
            (r#"{"pages": 12, "text": "one"}"#, vec!["one"]),
            (r#"{"pages": [{"page": 99999999, "text": "x"}, {"page": 0, "text": "y"}]}"#, vec!["", "y"]),
            (r#"{"page_count": 5}"#, vec![]),
        ];
        for (row, want) in table {
            let row: Map<String, Value> = serde_json::from_str(row).unwrap();
            assert_eq!(given_texts(&row, 1000), want, "{row:?}");
        }
    }

    #[test]
    fn bad_rows_are_named_by_line_and_good_ones_are_kept() {
        let text = "\u{feff}{\"doc_id\": \"a\", \"pages\": [\"x\"], \"more\": {}}\r\n\nnonsense\n[]\n{\"pages\": [\"x\"]}\n\
                    {\"id\": 7, \"text\": [\"y\"]}\n{\"doc_id\": \"a\", \"pages\": [\"z\"]}\n{\"doc_id\": \"b\"}\n\
                    {\"doc_id\": \"c\", \"pdf\": \"gone.pdf\"}";
        let records = parse(Path::new("/nowhere"), text, 10);
        let ids: Vec<_> = records.sources.iter().map(|s| s.id.as_str()).collect();
        assert_eq!(ids, ["a", "7", "c"]);
        assert_eq!(records.sources[2].problems[0].code, ProblemCode::MissingSource);
        let lines: Vec<_> = records.complaints.iter().map(|c| c.split(':').next().unwrap()).collect();
        assert_eq!(lines, ["line 3", "line 4", "line 5", "line 7", "line 8"]);
    }
}
