//! A table as it was found: which words stand in which cell. Becomes the table of the page's record.

use recto_page::{Cell, Region, Table, TextLayer};

use super::grid::Span;

/// Rows and columns with the words in each cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Sketch {
    /// Number of rows.
    pub(super) rows: usize,
    /// Number of columns.
    pub(super) columns: usize,
    /// How many of the first rows name the columns.
    pub(super) header_rows: usize,
    /// Cells with words, by row, then column.
    pub(super) cells: Vec<(Span, Vec<usize>)>,
}

impl Sketch {
    /// All its words, cell by cell.
    pub(super) fn words(&self) -> impl Iterator<Item = usize> + '_ {
        self.cells.iter().flat_map(|(_, words)| words.iter().copied())
    }

    /// The table, without a caption.
    pub(super) fn to_table(&self, layer: &TextLayer) -> Table {
        let cells: Vec<Cell> = self.cells.iter().map(|(span, words)| cell(layer, *span, words)).collect();
        Table {
            region: Region::around(cells.iter().map(|cell| &cell.region)).unwrap_or_default(),
            rows: self.rows,
            columns: self.columns,
            header_rows: self.header_rows,
            cells,
            caption: None,
            continued: false,
        }
    }

    /// Leaves out rows and columns without any word.
    pub(super) fn without_empty(mut self) -> Self {
        let starts = |of: &dyn Fn(&Span) -> (usize, usize), count: usize| -> Vec<usize> {
            let mut used = vec![false; count];
            for (span, _) in &self.cells {
                let (first, _) = of(span);
                used.iter_mut().skip(first).take(1).for_each(|place| *place = true);
            }
            let kept = |used: &bool, count: &mut usize| {
                *count += usize::from(*used);
                Some(*count)
            };
            std::iter::once(0).chain(used.iter().scan(0, |count, used| kept(used, count))).collect()
        };
        let rows = starts(&|span| (span.row, span.row_span), self.rows);
        let columns = starts(&|span| (span.column, span.column_span), self.columns);
        let at = |places: &[usize], i: usize| places.get(i).copied().unwrap_or_default();
        for (span, _) in &mut self.cells {
            let (bottom, right) = (at(&rows, span.row + span.row_span), at(&columns, span.column + span.column_span));
            (span.row, span.column) = (at(&rows, span.row), at(&columns, span.column));
            (span.row_span, span.column_span) = (bottom - span.row, right - span.column);
        }
        (self.rows, self.columns) = (at(&rows, self.rows), at(&columns, self.columns));
        self
    }
}

fn cell(layer: &TextLayer, span: Span, words: &[usize]) -> Cell {
    let words = || words.iter().filter_map(|word| layer.words.get(*word));
    let text: Vec<&str> = words().map(|word| word.text.as_str()).filter(|text| !is_leader(text)).collect();
    Cell {
        row: span.row,
        column: span.column,
        row_span: span.row_span,
        column_span: span.column_span,
        text: without_leader(&text.join(" ")).to_owned(),
        region: Region::around(words().map(|word| &word.region)).unwrap_or_default(),
    }
}

fn without_leader(text: &str) -> &str {
    let bare = text.trim_end_matches('.');
    if text.len() - bare.len() >= 4 { bare.trim_end() } else { text }
}

/// True for the dots that lead from a label to its value.
pub(super) fn is_leader(text: &str) -> bool {
    text.len() >= 3 && text.chars().all(|c| matches!(c, '.' | '…' | '·' | '_'))
}
