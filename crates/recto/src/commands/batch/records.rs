//! `records.jsonl`: one document a line, with a PDF, the texts of its pages, or both.

use std::collections::{BTreeMap, BTreeSet};
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
            Ok((source, _)) if !seen.insert(source.id.clone()) => {
                records.complaints.push(format!("line {line}: {} was there before; the first counts", source.id));
            }
            Ok((source, complaint)) => {
                records.complaints.extend(complaint.map(|why| format!("line {line}: {}: {why}", source.id)));
                records.sources.push(source);
            }
        }
    }
    records
}

/// The document of a row, and what of the row was left out.
fn source(corpus: &Path, row: &Map<String, Value>, max_pages: usize) -> Result<(Source, Option<String>), String> {
    let id = text(row, &["doc_id", "id", "document_id"]).ok_or("it has no doc_id")?;
    let (given, complaint) = given_texts(row, max_pages);
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
    Ok((source, complaint))
}

fn missing(path: PathBuf) -> Problem {
    let detail = format!("there is no file {}", path.display());
    Problem::of_document(ProblemCode::MissingSource, Stage::Discover, detail)
}

/// Texts of pages 1, 2, ...: a list of texts, or of objects with `page` and `text`; filled up to the page count. With them
/// what was left out: numbers that are none, or beyond the limit, and all but the first text of a page.
fn given_texts(row: &Map<String, Value>, max_pages: usize) -> (Vec<String>, Option<String>) {
    let field = ["pages", "page_texts", "text"].iter().find_map(|name| match row.get(*name)? {
        Value::Array(items) => Some(items.clone()),
        Value::String(text) => Some(text.split('\u{c}').map(|page| Value::String(page.into())).collect()),
        _ => None,
    });
    let (mut pages, mut left_out) = (BTreeMap::new(), Vec::new());
    for (index, item) in field.unwrap_or_default().iter().enumerate() {
        match page_index(item, index, max_pages) {
            Ok(page) if pages.contains_key(&page) => left_out.push(format!("page {} is there again", page + 1)),
            Ok(page) => drop(pages.insert(page, page_text(item))),
            Err(why) => left_out.push(why),
        }
    }
    let mut len = pages.last_key_value().map_or(0, |(last, _)| last + 1);
    match whole_number(row, &["page_count", "num_pages", "n_pages"]) {
        Some(count) if len > 0 && count > max_pages => left_out.push(format!("a page count of {count}")),
        Some(count) if len > 0 => len = len.max(count),
        _ => {}
    }
    ((0..len).map(|page| pages.remove(&page).unwrap_or_default()).collect(), complaint(&left_out))
}

/// The 0-based page of an item of the list: as it says, or by its place.
fn page_index(item: &Value, index: usize, max_pages: usize) -> Result<usize, String> {
    let named = ["page", "page_number", "number"].iter().find_map(|name| item.get(*name).filter(|n| !n.is_null()));
    let number = match named {
        Some(number) => number.as_u64().filter(|n| *n > 0).ok_or_else(|| format!("{number} is no page number"))?,
        None => index as u64 + 1,
    };
    let page = usize::try_from(number - 1).ok().filter(|page| *page < max_pages);
    page.ok_or_else(|| format!("page {number} is beyond the limit of {max_pages}"))
}

fn page_text(item: &Value) -> String {
    match item {
        Value::Object(page) => text(page, &["text"]).unwrap_or_default(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

fn complaint(left_out: &[String]) -> Option<String> {
    let (first, more) = left_out.split_first()?;
    let more = if more.is_empty() { String::new() } else { format!(" (and {} more)", more.len()) };
    Some(format!("left out: {first}{more}"))
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
            (r#"{"page_count": 5}"#, vec![]),
        ];
        for (row, want) in table {
            let row: Map<String, Value> = serde_json::from_str(row).unwrap();
            assert_eq!(given_texts(&row, 1000), (want.into_iter().map(str::to_owned).collect(), None), "{row:?}");
        }
    }

    #[test]
    fn numbers_of_pages_that_make_no_sense_are_left_out_and_named() {
        let table = [
            (r#"[{"page": 2, "text": "b"}, {"page": 2, "text": "c"}]"#, vec!["", "b"], "page 2 is there again"),
            (r#"[{"page": 1, "text": "a"}, {"page": -1, "text": "c"}]"#, vec!["a"], "-1 is no page number"),
            (r#"[{"page": 0, "text": "z"}, {"page": 1, "text": "a"}]"#, vec!["a"], "0 is no page number"),
            (r#"["a", {"page": 1e9, "text": "x"}]"#, vec!["a"], "1000000000.0 is no page number"),
            (r#"["a", {"page": 101, "text": "x"}]"#, vec!["a"], "page 101 is beyond the limit of 100"),
            (r#"["a", {"number": "2", "text": "x"}]"#, vec!["a"], "\"2\" is no page number"),
            (r#"["a"], "page_count": 2000000000"#, vec!["a"], "a page count of 2000000000"),
            (r#"[{"page": -1}, {"page": -2}, {"page": 0}]"#, vec![], "-1 is no page number (and 2 more)"),
        ];
        for (pages, want, why) in table {
            let row: Map<String, Value> = serde_json::from_str(&format!(r#"{{"pages": {pages}}}"#)).unwrap();
            let want = want.into_iter().map(str::to_owned).collect();
            assert_eq!(given_texts(&row, 100), (want, Some(format!("left out: {why}"))), "{pages}");
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
