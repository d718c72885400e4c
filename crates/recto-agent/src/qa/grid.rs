//! Where words stand in the tables of their page: row, column, head. And what that says of two of them.

use std::ops::Range;

use recto_page::{Cell, Page, Table};

/// The places of a page's words.
#[derive(Default)]
pub(crate) struct Grid {
    places: Vec<Option<Place>>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    table: usize,
    cell: usize,
    rows: Range<usize>,
    columns: Range<usize>,
    /// True if the cell names columns.
    pub(crate) is_head: bool,
    /// True if the cell is the only one of its row: it names the rows that follow, up to this one.
    names_until: Option<usize>,
}

impl Grid {
    pub(crate) fn new(page: &Page) -> Self {
        let words = &page.text_layer.words;
        let mut places = vec![None; words.len()];
        for (number, table) in page.tables.iter().enumerate() {
            let named = named_rows(table);
            for (word, place) in words.iter().zip(&mut places).filter(|(_, place)| place.is_none()) {
                let at = word.region.center();
                let cell = table.cells.iter().enumerate().find(|(_, cell)| holds(cell, at));
                *place = cell.map(|(at, cell)| place_of(number, at, table, cell, &named));
            }
        }
        Self { places }
    }

    pub(crate) fn place(&self, word: usize) -> Option<&Place> {
        self.places.get(word)?.as_ref()
    }

    /// The words in the same cell, in the order of the text layer.
    pub(crate) fn cell_words(&self, word: usize) -> Vec<usize> {
        let Some(own) = self.place(word) else { return Vec::new() };
        self.all(|other| (other.table, other.cell) == (own.table, own.cell))
    }

    /// The words that head the columns of `word`, those of its own cell aside.
    pub(crate) fn heads(&self, word: usize) -> Vec<usize> {
        let Some(own) = self.place(word).filter(|own| !own.is_head) else { return Vec::new() };
        self.all(|other| other.table == own.table && other.is_head && meet(&own.columns, &other.columns))
    }

    /// The words left of `word` in its row.
    pub(crate) fn before(&self, word: usize) -> Vec<usize> {
        let Some(own) = self.place(word) else { return Vec::new() };
        let left = |other: &Place| meet(&own.rows, &other.rows) && other.columns.end <= own.columns.start;
        self.all(|other| other.table == own.table && left(other))
    }

    /// The words in the first cell of the row.
    pub(crate) fn label(&self, word: usize) -> Vec<usize> {
        let before = self.before(word);
        let first = before.iter().filter_map(|w| self.place(*w)).map(|place| place.columns.start).min();
        before.into_iter().filter(|w| self.place(*w).map(|place| place.columns.start) == first).collect()
    }

    fn all(&self, fits: impl Fn(&Place) -> bool) -> Vec<usize> {
        let words = self.places.iter().enumerate();
        words.filter(|(_, place)| place.as_ref().is_some_and(&fits)).map(|(word, _)| word).collect()
    }

    /// How much `word` says of what stands at `span`, 0 to 1; `None` if the table does not tell.
    pub(crate) fn relation(&self, span: usize, word: usize) -> Option<f64> {
        let (own, other) = (self.place(span)?, self.place(word)?);
        let (row, column) = (meet(&own.rows, &other.rows), meet(&own.columns, &other.columns));
        let above = other.rows.end <= own.rows.start;
        if own.table != other.table || row && column {
            return None;
        }
        Some(match () {
            () if other.is_head && !own.is_head => {
                if column {
                    0.9
                } else {
                    0.0
                }
            }
            () if other.names_until.is_some_and(|end| above && own.rows.start < end) => 0.75,
            () if row => {
                if other.columns.start < own.columns.start {
                    0.95
                } else {
                    0.5
                }
            }
            () if column && above => return None,
            () => 0.0,
        })
    }
}

fn holds(cell: &Cell, (x, y): (f32, f32)) -> bool {
    let at = &cell.region;
    (at.left()..=at.right()).contains(&x) && (at.top()..=at.bottom()).contains(&y)
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

fn place_of(number: usize, at: usize, table: &Table, cell: &Cell, named: &[(usize, usize)]) -> Place {
    let (rows, columns) =
        (cell.row..cell.row + cell.row_span.max(1), cell.column..cell.column + cell.column_span.max(1));
    let names_until = named.iter().find(|(row, _)| *row == cell.row).map(|(_, end)| *end);
    Place { table: number, cell: at, rows, columns, is_head: cell.row < table.header_rows, names_until }
}

/// Rows below the heads that hold one cell only, each with the next of them: they name what stands between.
fn named_rows(table: &Table) -> Vec<(usize, usize)> {
    let filled = |row: usize| table.cells.iter().filter(|c| c.row == row && !c.text.trim().is_empty()).count();
    let lone: Vec<usize> = (table.header_rows..table.rows.min(MOST_ROWS)).filter(|row| filled(*row) == 1).collect();
    let ends = lone.iter().skip(1).copied().chain([table.rows]);
    lone.iter().copied().zip(ends).collect()
}

/// Rows of longer tables have no names.
const MOST_ROWS: usize = 500;

#[cfg(test)]
mod tests {
    use recto_page::{PageNumber, PageSize, Region, Word};

    use super::*;

    #[test]
    fn tables_say_what_belongs_together() {
        let rows = [["Mill", "Planned", "Built"], ["North", "", ""], ["Harl", "12", "9"], ["Brack", "7", "8"]];
        let mut page = Page::empty(PageNumber::FIRST, PageSize { width: 600.0, height: 800.0 });
        let mut cells = Vec::new();
        for (row, texts) in rows.iter().enumerate() {
            for (column, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
                let (x, y) = (column as f64 / 10.0, row as f64 / 10.0);
                let region = Region::new(x, y, x + 0.1, y + 0.1);
                page.text_layer.words.push(Word { text: (*text).into(), region });
                cells.push(Cell { row, column, row_span: 1, column_span: 1, text: (*text).into(), region });
            }
        }
        let table =
            Table { region: Region::FULL, rows: 4, columns: 3, header_rows: 1, cells, caption: None, continued: false };
        page.tables.push(table);
        let grid = Grid::new(&page);
        let at = |text: &str| page.text_layer.words.iter().position(|w| w.text == text).unwrap();
        let table = [
            ("9", "Built", Some(0.9)),
            ("9", "Planned", Some(0.0)),
            ("9", "Harl", Some(0.95)),
            ("9", "Brack", Some(0.0)),
            ("9", "North", Some(0.75)),
            ("12", "9", Some(0.5)),
            ("9", "9", None),
            ("8", "9", None),
        ];
        for (span, word, right) in table {
            assert_eq!(grid.relation(at(span), at(word)), right, "{span} {word}");
        }
        assert_eq!((grid.heads(at("8")), grid.label(at("8"))), (vec![at("Built")], vec![at("Brack")]));
    }
}
