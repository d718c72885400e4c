//! Tables as they come from a file, cell by cell. A table within a cell becomes lines of that cell.

use super::draft::Table;

/// A cell spans no more columns, or rows, than this.
pub(crate) const MOST_SPANNED: usize = 100;

/// Cells of a document beyond this do not fit a draft.
pub(crate) const MOST_CELLS: usize = 2_000_000;

/// The tables that are open, the outermost first.
#[derive(Default)]
pub(crate) struct TableBuilder {
    open: Vec<Open>,
    n_cells: usize,
}

#[derive(Default)]
struct Open {
    table: Table,
    row: Vec<String>,
    cell: String,
    span: usize,
}

impl TableBuilder {
    /// True within a table.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// A table begins.
    pub(crate) fn open_table(&mut self) {
        self.open.push(Open::default());
    }

    /// A cell begins.
    pub(crate) fn open_cell(&mut self) {
        self.with(|open| (open.cell, open.span) = (String::new(), 1));
    }

    /// The cell spans so many columns.
    pub(crate) fn span(&mut self, columns: usize) {
        self.with(|open| open.span = columns.clamp(1, MOST_SPANNED));
    }

    /// The first row names the columns.
    pub(crate) fn has_head(&mut self) {
        self.with(|open| open.table.has_head |= open.table.rows.is_empty());
    }

    /// A line of the cell's text.
    pub(crate) fn line(&mut self, text: &str) {
        self.with(|open| {
            if !open.cell.is_empty() && !text.is_empty() {
                open.cell.push('\n');
            }
            open.cell.push_str(text);
        });
    }

    /// A cell ends.
    pub(crate) fn close_cell(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        let span = if self.n_cells < MOST_CELLS { open.span } else { 0 };
        self.n_cells += span;
        open.row.resize(open.row.len() + span, String::new());
        let first = open.row.len() - span;
        if let Some(cell) = open.row.get_mut(first) {
            *cell = std::mem::take(&mut open.cell);
        }
    }

    /// A row ends.
    pub(crate) fn close_row(&mut self) {
        self.with(|open| open.table.rows.push(std::mem::take(&mut open.row)));
    }

    /// Rows that are complete, taken out of the outermost table; the head stays for the rows that follow.
    pub(crate) fn take_rows(&mut self) -> Table {
        let Some(open) = self.open.first_mut() else { return Table::default() };
        let head = open.table.rows.first().filter(|_| open.table.has_head).cloned();
        let rest = Table { rows: head.into_iter().collect(), has_head: open.table.has_head };
        std::mem::replace(&mut open.table, rest)
    }

    /// A table ends; `None` if it was within another one.
    pub(crate) fn close_table(&mut self) -> Option<Table> {
        let table = self.open.pop()?.table;
        if !self.is_open() {
            return Some(table);
        }
        for row in &table.rows {
            let cells: Vec<&str> = row.iter().map(String::as_str).filter(|cell| !cell.is_empty()).collect();
            self.line(&cells.join(" "));
        }
        None
    }

    fn with(&mut self, change: impl FnOnce(&mut Open)) {
        if let Some(open) = self.open.last_mut() {
            change(open);
        }
    }
}
