//! What other systems said, in the forms in which they write it.
//!
//! The form is told by the first line: rows of our own (`id`, `outcome`), the output of a batch (`query_id`, `answer`,
//! `pages` as numbers within the item's one document), or a run in TREC's form.

use std::path::Path;

use recto_page::{PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;
use crate::measure::Measure;
use crate::results::{self, rows};
use crate::row::{AnswerText, Outcome, Row};
use crate::set::{Line, lines, trec};

#[derive(Deserialize)]
struct BatchRow {
    query_id: String,
    answer: AnswerText,
    #[serde(default)]
    pages: Vec<PageNumber>,
}

/// Reads predictions, as far as `measures` look at them: of a run in TREC's form, measures of rankings need the judged pages
/// alone.
///
/// # Errors
/// With file and line, as [`results::read`]; or when the form is not known.
pub fn read_for(measures: &[Measure], file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let placed = is_trec(file)? && measures.iter().all(Measure::needs_places_only);
    let rows = placed.then(|| trec::places::run(file, set)).transpose()?.flatten();
    rows.map_or_else(|| read(file, set), Ok)
}

fn is_trec(file: &Path) -> Result<bool> {
    let first = lines(file)?.next().transpose()?;
    Ok(first.is_some_and(|line| trec::is_run(&line) && !line.text().starts_with('{')))
}

/// Reads predictions whole.
///
/// # Errors
/// With file and line, as [`results::read`]; or when the form is not known.
pub fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    if is_trec(file)? {
        return trec::run(file, set);
    }
    let first = lines(file)?.next().ok_or_else(|| BenchError::row(file, 0, "the file holds no row"))??;
    let first: Value = first.parse()?;
    if first.get("query_id").is_some() {
        return rows(file, set, |line| batch_row(line, set));
    }
    results::read(file, set)
}

fn batch_row(line: &Line, set: &BenchmarkSet) -> Result<Row> {
    let row: BatchRow = line.parse()?;
    let item = set.items.iter().find(|item| item.id == row.query_id);
    let doc = item.map(|item| item.docs.as_slice()).unwrap_or_default();
    let pages = match doc {
        [doc] => row.pages.into_iter().map(|page| PageId::new(doc.clone(), page)).collect(),
        _ if row.pages.is_empty() => Vec::new(),
        _ => return Err(line.fault("pages without a document, and the item does not say which")),
    };
    let declined = matches!(&row.answer, AnswerText::Text(text) if text == "Not answerable");
    let outcome = if declined { Outcome::Declined } else { Outcome::Done };
    Ok(Row { id: row.query_id, outcome, answer: Some(row.answer), pages, ..Row::default() })
}
