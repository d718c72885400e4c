//! Reads rows of results: strictly, one at a time, in file order.

use std::collections::BTreeMap;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::error::{BenchError, Result};
use crate::item::BenchmarkSet;
use crate::row::Row;
use crate::set::json;
use crate::set::rows::{Entries, Made, each};

/// The rows of a `results.jsonl`. Rows that are missing are no error here; they score as nothing.
///
/// # Errors
/// With file and line: a row that is none, of an item that the set does not have, or of one that has a row already.
pub fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    rows(file, set, Ok)
}

/// Rows that `row` makes of the rows of a file.
pub(crate) fn rows<T: DeserializeOwned>(
    file: &Path,
    set: &BenchmarkSet,
    mut row: impl FnMut(T) -> Made<Row>,
) -> Result<Vec<Row>> {
    let mut open = Open::new(set);
    each(file, |value| open.take(row(value)?))
}

/// Rows that `row` makes of the entries of one JSON object, whose names are the items' ids.
pub(crate) fn entries<T: DeserializeOwned>(
    file: &Path,
    set: &BenchmarkSet,
    mut row: impl FnMut(String, T) -> Made<Row>,
) -> Result<Vec<Row>> {
    let mut open = Open::new(set);
    let Entries(entries) = json(file)?;
    let mut made = |(id, value)| row(id, value).and_then(|row| open.take(row));
    entries.into_iter().map(|entry| made(entry).map_err(|why| BenchError::row(file, 0, why))).collect()
}

/// The items of a set, and whether each has its row.
pub(crate) struct Open<'a>(BTreeMap<&'a str, bool>);

impl<'a> Open<'a> {
    /// No item has one yet.
    pub(crate) fn new(set: &'a BenchmarkSet) -> Self {
        Self(set.items.iter().map(|item| (item.id.as_str(), false)).collect())
    }

    /// Whether the set has an item of this id.
    pub(crate) fn knows(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    /// The row, if it is the first of an item of the set.
    pub(crate) fn take(&mut self, row: Row) -> Made<Row> {
        match self.0.get_mut(row.id.as_str()) {
            None => Err(format!("{:?} is no item of the benchmark", row.id)),
            Some(true) => Err(format!("{:?} has a row already", row.id)),
            Some(taken) => {
                *taken = true;
                Ok(row)
            }
        }
    }
}
