//! Sets tables: rows on pages, cells in rows, borders around them.

use std::ops::Range;

use super::draft::{Shape, Table};
use super::grid::Grid;
use super::lines;
use super::setter::{LEADING, MARGIN, SIZE, Setter, Style};

/// Font size in tables.
const CELL_SIZE: f32 = 9.0;

/// White space between a cell's text and its borders: wide enough to part the words of neighbouring cells.
const PADDING: f32 = 5.0;

/// White space between a cell's text and the borders above and below it, together. Lines of neighbouring rows then stand
/// about as close as lines of one row.
const ROW_PADDING: f32 = 3.0;

impl Setter {
    /// Measures a table of a section.
    pub(super) fn grid(&mut self, table: &Table, shape: Shape) -> Grid {
        let room = self.size.0 - 2.0 * MARGIN;
        Grid::new(table, &mut self.done.face, CELL_SIZE, PADDING, room, shape)
    }

    /// Sets a table.
    pub(super) fn table(&mut self, table: &Table, grid: &Grid) {
        self.gap(0.4 * SIZE);
        for columns in grid.slices() {
            let mut repeated = None;
            for (index, row) in table.rows.iter().enumerate() {
                let is_head = index == 0 && table.has_head;
                let row = self.row(row, grid, columns.clone(), is_head);
                self.row_on_pages(&row, repeated.as_ref());
                if is_head {
                    repeated = Some(row).filter(|head| head.height(head.n_lines()) < self.longest / 4.0);
                }
            }
            self.gap(SIZE);
        }
    }

    fn row<'g>(&mut self, cells: &[String], grid: &'g Grid, columns: Range<usize>, is_head: bool) -> Row<'g> {
        let widths = grid.widths.get(columns.clone()).unwrap_or_default();
        let broken = |(column, width): (usize, &f32)| {
            let text = cells.get(column).map_or("", String::as_str);
            lines::broken(text, &mut self.done.face, CELL_SIZE, width - 2.0 * PADDING)
        };
        Row { cells: columns.zip(widths).map(broken).collect(), widths, is_head }
    }

    /// Sets a row here or on a new page, which begins with the head; one that is longer than a page goes over several.
    fn row_on_pages(&mut self, row: &Row<'_>, head: Option<&Row<'_>>) {
        let mut from = 0;
        let mut is_fresh = self.y <= MARGIN;
        loop {
            let left = row.n_lines() - from;
            let fitting = ((self.longest - MARGIN - self.y - ROW_PADDING) / (LEADING * CELL_SIZE)).max(0.0) as usize;
            if left > fitting && !is_fresh {
                self.end_page();
                head.into_iter().for_each(|head| self.piece(head, 0..head.n_lines()));
                is_fresh = true;
                continue;
            }
            let end = from + left.min(fitting.max(1));
            self.piece(row, from..end);
            if end >= row.n_lines() {
                return;
            }
            (from, is_fresh) = (end, false);
        }
    }

    /// Draws these lines of a row's cells, with the borders around them.
    fn piece(&mut self, row: &Row<'_>, lines: Range<usize>) {
        let (top, height) = (self.y, row.height(lines.len()));
        self.boxes(row, top, height);
        let mut x = MARGIN;
        for (cell, width) in row.cells.iter().zip(row.widths) {
            let room = width - 2.0 * PADDING;
            let in_piece = cell.iter().skip(lines.start).take(lines.len());
            for (number, line) in (1..).zip(in_piece) {
                let style = Style { bold: row.is_head, size: CELL_SIZE };
                let slack = room - self.done.face.width(line) * CELL_SIZE;
                let indent = if is_number(line) && !row.is_head { slack.max(0.0) } else { 0.0 };
                let bottom = top + ROW_PADDING / 2.0 + LEADING * CELL_SIZE * number as f32;
                self.show(line, x + PADDING + indent, room - indent, bottom, style);
            }
            x += width;
        }
        self.y = top + height;
    }

    fn boxes(&mut self, row: &Row<'_>, top: f32, height: f32) {
        self.content.save_state().set_line_width(0.5).set_stroke_gray(0.6).set_fill_gray(0.93);
        let mut x = MARGIN;
        for width in row.widths {
            self.content.rect(x, -(top + height), *width, height);
            x += width;
        }
        if row.is_head {
            self.content.fill_nonzero_and_stroke();
        } else {
            self.content.stroke();
        }
        self.content.restore_state();
    }
}

/// A row of a table, its cells broken to lines.
struct Row<'g> {
    cells: Vec<Vec<String>>,
    widths: &'g [f32],
    is_head: bool,
}

impl Row<'_> {
    fn n_lines(&self) -> usize {
        self.cells.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }

    fn height(&self, n_lines: usize) -> f32 {
        ROW_PADDING + LEADING * CELL_SIZE * n_lines as f32
    }
}

/// True for what stands on the right in a column: numbers, amounts, percentages.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " .,+-()%€$£¥\u{a0}\u{2212}".contains(c))
}
