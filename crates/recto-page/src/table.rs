//! A table on a page: cells in rows and columns, each with its place.

use serde::{Deserialize, Serialize};

use crate::Region;

/// A table. Rows and columns count from 0; cells are sorted by row, then column, and do not overlap.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Where it stands.
    pub region: Region,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// How many of the first rows name the columns.
    pub header_rows: usize,
    /// Its cells; a place without text may have none.
    pub cells: Vec<Cell>,
    /// The line that names it, such as `Table 3: Costs`.
    pub caption: Option<String>,
    /// True if it goes on with the last table of the page before.
    pub continued: bool,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// The first row that it takes up.
    pub row: usize,
    /// The first column that it takes up.
    pub column: usize,
    /// How many rows it takes up, at least 1.
    pub row_span: usize,
    /// How many columns it takes up, at least 1.
    pub column_span: usize,
    /// Its text, lines joined by spaces.
    pub text: String,
    /// Where its text stands.
    pub region: Region,
}
