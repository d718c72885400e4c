//! The rows of a sheet, which may be far apart, as tables.

use std::collections::{BTreeMap, BTreeSet};

use crate::laid_out::{LINE, MOST, Part, Table};

/// Cells of a table beyond this, empty ones counted, do not fit a draft.
const MOST_CELLS: usize = 2_000_000;

/// A row is repeated no more often than this.
const MOST_REPEATED: usize = 1000;

/// The filled cells of a row, by their columns.
#[derive(Clone, Debug)]
struct Row {
    number: usize,
    cells: Vec<(usize, String)>,
}

/// The rows of a sheet by their numbers. What no draft can hold is left out.
#[derive(Debug)]
pub(super) struct Rows {
    rows: Vec<Row>,
    left: usize,
}

impl Default for Rows {
    fn default() -> Self {
        // Somewhat more than a draft holds, so that the draft knows of what is left out.
        Self { rows: Vec::new(), left: MOST + MOST / 4 }
    }
}

impl Rows {
    /// A row begins: the one after the last if it has no number.
    pub(super) fn start(&mut self, number: Option<usize>) {
        let next = self.rows.last().map_or(1, |row| row.number.saturating_add(1));
        self.rows.push(Row { number: number.unwrap_or(next), cells: Vec::new() });
    }

    /// A cell of the last row.
    pub(super) fn cell(&mut self, column: usize, text: String) {
        let cost = text.len() + LINE;
        if text.trim().is_empty() {
            return;
        }
        let fits = cost <= self.left;
        self.left = if fits { self.left - cost } else { 0 };
        if let Some(row) = self.rows.last_mut().filter(|_| fits) {
            row.cells.push((column, text));
        }
    }

    /// True once no further cell can be held.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// The last row stands there so many times.
    pub(super) fn repeat(&mut self, times: usize) {
        let Some(row) = self.rows.last_mut() else { return };
        if row.cells.is_empty() {
            row.number = row.number.saturating_add(times.saturating_sub(1));
            return;
        }
        let row = row.clone();
        for _ in 1..times.min(MOST_REPEATED) {
            self.start(None);
            row.cells.iter().for_each(|(column, text)| self.cell(*column, text.clone()));
        }
    }

    /// Parts the rows at empty ones: what lies between is a table, or a text if it is a single cell.
    pub(super) fn parts(&self) -> Vec<Part> {
        let filled: Vec<&Row> = self.rows.iter().filter(|row| !row.cells.is_empty()).collect();
        let groups = filled.chunk_by(|above, below| above.number.checked_add(1) == Some(below.number));
        groups.map(part).collect()
    }
}

fn part(group: &[&Row]) -> Part {
    match group.iter().flat_map(|row| &row.cells).take(2).collect::<Vec<_>>().as_slice() {
        [(_, only)] => Part::Text(only.clone()),
        _ => Part::Table(table(group)),
    }
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
