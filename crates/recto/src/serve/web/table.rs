//! A table of a page as a table.

use maud::{Markup, html};
use recto_page::{Cell, Table};

/// More places than this are not drawn one by one.
const MOST_PLACES: usize = 20_000;

/// The table with its spans; places without text are empty cells.
pub(super) fn table(table: &Table) -> Markup {
    if table.rows.saturating_mul(table.columns) > MOST_PLACES {
        return html! { pre { (table.to_markdown()) } };
    }
    let places = places(table);
    html! {
        div.wide tabindex="0" role="group" aria-label=(table.caption.as_deref().unwrap_or("Table")) {
            table.grid {
                @if let Some(caption) = &table.caption { caption { (caption) } }
                @for (row, places) in places.iter().enumerate() {
                    tr { @for place in places { (cell(place, row < table.header_rows)) } }
                }
            }
        }
        @if table.continued { p.dim { "Goes on from the page before." } }
    }
}

/// A place of a table.
#[derive(Clone, Copy)]
enum Place<'a> {
    Empty,
    Begins(&'a Cell),
    Covered,
}

fn places(table: &Table) -> Vec<Vec<Place<'_>>> {
    let mut places = vec![vec![Place::Empty; table.columns]; table.rows];
    for cell in &table.cells {
        for row in cell.row..cell.row.saturating_add(cell.row_span.max(1)).min(table.rows) {
            for column in cell.column..cell.column.saturating_add(cell.column_span.max(1)).min(table.columns) {
                let begins = (row, column) == (cell.row, cell.column);
                if let Some(place) = places.get_mut(row).and_then(|row| row.get_mut(column)) {
                    *place = if begins { Place::Begins(cell) } else { Place::Covered };
                }
            }
        }
    }
    places
}

fn cell(place: &Place<'_>, is_head: bool) -> Markup {
    let Place::Begins(cell) = place else {
        return if matches!(place, Place::Empty) {
            html! { td {} }
        } else {
            html! {}
        };
    };
    let span = |n: usize| Some(n).filter(|n| *n > 1);
    html! {
        @if is_head && !cell.text.is_empty() {
            th scope="col" colspan=[span(cell.column_span)] rowspan=[span(cell.row_span)] { (cell.text) }
        } @else {
            td colspan=[span(cell.column_span)] rowspan=[span(cell.row_span)] { (cell.text) }
        }
    }
}

#[cfg(test)]
mod tests {
    use recto_page::Region;

    use super::*;

    #[test]
    fn spans_stay_spans_and_text_stays_text() {
        let cell = |row, column, row_span, column_span, text: &str| Cell {
            row,
            column,
            row_span,
            column_span,
            text: text.into(),
            region: Region::FULL,
        };
        let shown = table(&Table {
            region: Region::FULL,
            rows: 2,
            columns: 3,
            header_rows: 1,
            cells: vec![cell(0, 1, 1, 2, "Year"), cell(1, 0, 1, 1, "<b>")],
            caption: None,
            continued: false,
        });
        let want =
            "<tr><td></td><th scope=\"col\" colspan=\"2\">Year</th></tr><tr><td>&lt;b&gt;</td><td></td><td></td></tr>";
        assert!(shown.0.contains(want), "{}", shown.0);
    }
}
