//! Tables of an HTML page, whose rows and cells may end without saying so. A table that holds another one, or has a single
//! column, only arranges the page: its cells are blocks of text.

use crate::laid_out::{Draft, MOST_CELLS, MOST_SPANNED, Part, Table};

/// The tables that are open, the outermost first.
#[derive(Default)]
pub(super) struct Tables {
    open: Vec<Open>,
    n_cells: usize,
}

#[derive(Default)]
struct Open {
    table: Table,
    row: Vec<String>,
    cell: Option<Cell>,
    /// For each column, how many further rows a cell from above reaches into.
    reaches: Vec<usize>,
    only_arranges: bool,
}

struct Cell {
    text: String,
    columns: usize,
    rows: usize,
}

impl Tables {
    /// True if a block of text belongs to a cell.
    pub(super) fn in_cell(&self) -> bool {
        self.open.last().is_some_and(|table| !table.only_arranges && table.cell.is_some())
    }

    /// True if a table is not closed.
    pub(super) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// A block of text of the cell at hand.
    pub(super) fn line(&mut self, text: &str) {
        if let Some(cell) = self.open.last_mut().and_then(|table| table.cell.as_mut()) {
            if !cell.text.is_empty() {
                cell.text.push('\n');
            }
            cell.text.push_str(text);
        }
    }

    /// A table begins. One that is open around it turns out to arrange the page.
    pub(super) fn open(&mut self, draft: &mut Draft) {
        if let Some(around) = self.open.last_mut() {
            around.only_arranges = true;
            around.end_row();
            around.spill(draft);
        }
        self.open.push(Open::default());
    }

    /// A row begins, which ends the one before.
    pub(super) fn start_row(&mut self) {
        self.end_row();
    }

    /// A cell begins, which ends the one before.
    pub(super) fn start_cell(&mut self, columns: usize, rows: usize, is_head: bool) {
        let Some(table) = self.open.last_mut() else { return };
        table.end_cell();
        table.table.has_head |= is_head && table.table.rows.is_empty();
        let [columns, rows] = [columns, rows].map(|span| span.clamp(1, MOST_SPANNED));
        // Cells that a span covers are made one by one.
        self.n_cells += columns * rows;
        let (columns, rows) = if self.n_cells < MOST_CELLS { (columns, rows) } else { (1, 1) };
        table.cell = Some(Cell { text: String::new(), columns, rows });
    }

    /// A cell ends.
    pub(super) fn end_cell(&mut self) {
        self.open.last_mut().into_iter().for_each(Open::end_cell);
    }

    /// A row ends.
    pub(super) fn end_row(&mut self) {
        self.open.last_mut().into_iter().for_each(Open::end_row);
    }

    /// A table ends.
    pub(super) fn close(&mut self, draft: &mut Draft) {
        let Some(mut table) = self.open.pop() else { return };
        table.end_row();
        if table.only_arranges || table.table.rows.iter().all(|row| row.len() < 2) {
            table.spill(draft);
        } else {
            draft.push(Part::Table(table.table));
        }
    }
}

impl Open {
    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        self.skip_reached();
        let start = self.row.len();
        self.row.push(cell.text);
        self.row.resize(start + cell.columns, String::new());
        if cell.rows > 1 {
            self.reaches.resize(self.reaches.len().max(self.row.len()), 0);
            self.reaches.iter_mut().skip(start).take(cell.columns).for_each(|rows| *rows = cell.rows);
        }
    }

    /// Leaves columns empty that a cell from above reaches into.
    fn skip_reached(&mut self) {
        while self.reaches.get(self.row.len()).is_some_and(|rows| *rows > 0) {
            self.row.push(String::new());
        }
    }

    fn end_row(&mut self) {
        self.end_cell();
        if !self.row.is_empty() {
            self.table.rows.push(std::mem::take(&mut self.row));
            self.reaches.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        }
    }

    /// The cells as blocks of text.
    fn spill(&mut self, draft: &mut Draft) {
        for cell in std::mem::take(&mut self.table.rows).into_iter().flatten() {
            draft.push(Part::Text(cell));
        }
    }
}
