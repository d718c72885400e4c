//! What other systems said, in the forms in which they write it. One file a form; each says from what it was learnt.
//!
//! The form is told by the first row: see `FORMS`. Rows of our own (`id`, `outcome`) are what is left. A row of an item
//! that the benchmark does not have, and a second row of one item, are refused in every form but rankings for the tools of
//! TREC and MTEB, whose queries without judgements are passed over as those tools do.
//!
//! Two forms are folders: FinRAGBench-V's answers, a file each, and SlideVQA's two files.

mod batch;
mod finragbench;
mod m3docvqa;
mod madqa;
mod mmlongbench;
mod mteb;
mod slidevqa;
mod vidoseek;
mod visdocagentbench;

use std::path::Path;

use recto_page::PageId;
use serde_json::Value;

use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;
use crate::measure::Measure;
use crate::results;
use crate::row::{AnswerText, RankedPage, Row};
use crate::set::rows::Made;
use crate::set::{Line, head, rows, trec};

/// A form of predictions.
struct Form {
    /// Whether a first row is of this form.
    fits: fn(&Value) -> bool,
    /// The rows of a file.
    read: fn(&Path, &BenchmarkSet) -> Result<Vec<Row>>,
}

/// Every form; the first that fits is meant.
const FORMS: [&Form; 8] = [
    &visdocagentbench::FORM,
    &batch::FORM,
    &mmlongbench::FORM,
    &vidoseek::FORM,
    &slidevqa::FORM,
    &madqa::FORM,
    &m3docvqa::FORM,
    &mteb::FORM,
];

/// Reads predictions as far as `measures` look at them: of a run in TREC's form, measures of rankings need the judged pages
/// alone.
///
/// # Errors
/// As [`read`].
pub fn read_for(measures: &[Measure], file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    if file.exists() && !file.is_file() && !file.is_dir() {
        return Err(BenchError::row(
            file,
            0,
            "it is a pipe or a device, which can't be read twice; write it to a file first",
        ));
    }
    let placed = measures.iter().all(Measure::needs_places_only) && file.is_file() && is_trec(file)?;
    let rows = if placed { trec::places::run(file, set)? } else { None };
    rows.map_or_else(|| read(file, set), Ok)
}

/// Reads predictions whole.
///
/// # Errors
/// With file and line, as [`results::read`]; or when the form is not known.
pub fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    if file.is_dir() {
        return of_folder(file, set);
    }
    if is_trec(file)? {
        return trec::run(file, set);
    }
    let first = rows::first(file).unwrap_or_default();
    if first.is_null() && !head(file)?.is_some_and(|line| line.text().starts_with(['{', '['])) {
        return Err(BenchError::row(file, 0, "its first line is neither a JSON object or list nor one of a TREC run"));
    }
    let form = FORMS.iter().find(|form| (form.fits)(&first));
    form.map_or(results::read as _, |form| form.read)(file, set)
}

/// Whether a folder holds predictions.
pub fn holds(folder: &Path) -> bool {
    slidevqa::two_files(folder).is_some() || !finragbench::answers(folder).is_empty()
}

fn of_folder(folder: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    match slidevqa::two_files(folder) {
        Some(files) => slidevqa::read_two(&files, set),
        None if holds(folder) => finragbench::read(folder, set),
        None => Err(BenchError::row(folder, 0, NO_PREDICTIONS)),
    }
}

/// What a folder must hold.
const NO_PREDICTIONS: &str = "the folder holds no predictions: neither ID_answer.json files (FinRAGBench-V) nor \
     qa_preds.jsonl with es_pred.jsonl (SlideVQA); predictions in other forms are files";

fn is_trec(file: &Path) -> Result<bool> {
    let is_run = |line: &Line| trec::is_run(line) && !line.text().starts_with(['{', '[']);
    match head(file) {
        Ok(line) => line.as_ref().map(is_run).ok_or_else(|| BenchError::row(file, 0, "the file holds no row")),
        // What is no text may be a table.
        Err(BenchError::BadRow { line: 1.., .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether a row has these fields.
fn has(row: &Value, fields: &[&str]) -> bool {
    fields.iter().all(|field| row.get(field).is_some())
}

/// An answer with its entries as Python's `str` gives them; null is an empty list.
fn answer(value: &Value) -> Made<AnswerText> {
    Ok(match value {
        Value::Null => AnswerText::List(Vec::new()),
        Value::Array(entries) => AnswerText::List(entries.iter().map(rows::plain).collect::<Made<_>>()?),
        value => AnswerText::Text(rows::plain(value)?),
    })
}

/// Pages whose scores nobody gave, best first.
fn ranked(pages: impl IntoIterator<Item = PageId>) -> Vec<RankedPage> {
    (1..).zip(pages).map(|(rank, page)| RankedPage { page, score: 1.0 / f64::from(rank) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Item;
    use crate::set::desk::write;

    #[test]
    fn files_that_are_no_rows_say_what_they_are() {
        let desk = tempfile::tempdir().unwrap();
        let item = Item { id: "a".into(), ..Item::default() };
        let set = BenchmarkSet { items: vec![item], ..BenchmarkSet::default() };
        for (bytes, why) in [
            (&b"\x1f\x8b\x08\x00"[..], "p: it is packed with gzip; unpack it first"),
            (b"PK\x03\x04", "p: it is a ZIP archive"),
            (b"\x89PNG\r\n", "p: it is a picture"),
            (b"\0\0\0", "p: it holds no text"),
            (b"id,answer\na,x\n", "p: its first line is neither a JSON object or list nor one of a TREC run"),
            (b"null", "p: its first line is neither"),
            (b"{\n\"id\": 1\n}", "p:1: EOF while parsing an object at column 1; a row stands on one line"),
            (b"{\"id\": \"a\", \"confidence\": NaN}", "; JSON has no NaN and no Infinity"),
            (b"[[]]", "p:1: invalid length 0, expected a row, an object with id and outcome"),
            (b"[5]", "p:1: invalid type: integer `5`, expected a row, an object with id and outcome"),
            (b"{\"id\": \"a\", \"outcome\": \"done\", \"pages\": [1]}", "expected a page, an object with doc and page"),
            (b"\xff\xfe{", "p:1: invalid utf-8"),
            (b"", "p: the file holds no row"),
        ] {
            let error = read(&write(&desk, "p", bytes), &set).unwrap_err().to_string();
            assert!(error.contains(why), "{error}, not {why}");
        }
    }
}
