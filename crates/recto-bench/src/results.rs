//! Reads rows of results: strictly, line by line, in file order.

use std::collections::BTreeSet;
use std::path::Path;

use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::row::Row;
use crate::set::{Line, lines};

/// The rows of a `results.jsonl`. Rows that are missing are no error here; they score as nothing.
///
/// # Errors
/// With file and line: a row that is none, of an item that the set does not have, or of one that has a row already.
pub fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    rows(file, set, |line| line.parse())
}

/// Rows that `row` makes of lines.
pub(crate) fn rows(file: &Path, set: &BenchmarkSet, row: impl Fn(&Line) -> Result<Row>) -> Result<Vec<Row>> {
    let mut open: BTreeSet<&str> = set.items.iter().map(|item| item.id.as_str()).collect();
    let known = |id: &str| set.items.iter().any(|item| item.id == id);
    let mut rows = Vec::new();
    for line in lines(file)? {
        let line = line?;
        let row = row(&line)?;
        if !open.remove(row.id.as_str()) {
            let twice = known(&row.id);
            let why = if twice { "has a row already" } else { "is no item of the benchmark" };
            return Err(line.fault(format!("{:?} {why}", row.id)));
        }
        rows.push(row);
    }
    Ok(rows)
}
