//! The rows of a sheet, which may be far apart, as tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::laid_out::Table;

/// Cells of a table beyond this, empty ones counted, do not fit a draft.
const MOST_CELLS: usize = 2_000_000;

/// The filled cells of a row, by their columns.
pub(super) struct Row {
    /// Its number in the sheet.
    pub(super) number: usize,
    /// Column and text.
    pub(super) cells: Vec<(usize, String)>,
}

/// Parts rows at empty ones: what lies between is a table.
pub(super) fn tables(rows: &[Row]) -> Vec<Table> {
    let filled: Vec<&Row> = rows.iter().filter(|row| !row.cells.is_empty()).collect();
    filled.chunk_by(|above, below| above.number.checked_add(1) == Some(below.number)).map(table).collect()
}

/// The table of these rows, without its empty columns.
fn table(rows: &[&Row]) -> Table {
    let used: BTreeSet<usize> = rows.iter().flat_map(|row| row.cells.iter().map(|(column, _)| *column)).collect();
    let columns: BTreeMap<usize, usize> = used.iter().copied().zip(0..).collect();
    let dense = |row: &&Row| {
        let mut cells = vec![String::new(); columns.len()];
        for (column, text) in &row.cells {
            if let Some(cell) = columns.get(column).and_then(|index| cells.get_mut(*index)) {
                cell.clone_from(text);
            }
        }
        cells
    };
    let rows: Vec<Vec<String>> = rows.iter().take(MOST_CELLS / columns.len().max(1) + 1).map(dense).collect();
    let has_head = rows.len() > 1 && rows.first().is_some_and(|row| row.iter().all(|cell| names_a_column(cell)));
    Table { rows, has_head }
}

fn names_a_column(cell: &str) -> bool {
    !cell.trim().is_empty() && (cell.contains(char::is_alphabetic) || cell.len() == 4)
}
