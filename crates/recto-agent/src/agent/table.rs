//! A table as agents read it: with its rows on later pages, some of its rows only, and a number over one of its columns.

use recto_page::{Page, PageId, PageNumber, Table};

use super::desk::Desk;
use super::observation::Observation;
use super::shelf::Shelf;
use crate::calculator;

/// So many rows are shown.
const ROWS: usize = 80;
/// So many pages are looked at for where a table goes on.
const CONTINUES: usize = 30;

/// What is asked of a table.
pub(super) struct Wanted<'a> {
    pub(super) page: &'a PageId,
    /// Which one of the page, from 1.
    pub(super) table: usize,
    pub(super) rows: &'a str,
    pub(super) column: &'a str,
    pub(super) compute: &'a str,
}

/// Rows of cells, each a text in its column.
struct Grid {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    pages: Vec<PageId>,
    caption: Option<String>,
}

/// The table, as far as it is wanted.
pub(super) fn read(wanted: &Wanted<'_>, desk: &dyn Desk, shelf: &Shelf) -> Observation {
    match grid(wanted, desk, shelf).and_then(|grid| told(wanted, grid, shelf)) {
        Ok(observation) => observation,
        Err(why) => Observation::refused(why),
    }
}

fn grid(wanted: &Wanted<'_>, desk: &dyn Desk, shelf: &Shelf) -> Result<Grid, String> {
    let first = desk.page(wanted.page).map_err(|error| error.why)?;
    let name = shelf.page_name(wanted.page);
    let n = first.tables.len();
    let table = wanted.table.checked_sub(1).and_then(|at| first.tables.get(at)).ok_or_else(|| match n {
        0 => format!("no table was recognised on {name}: read_page gives its text, look_at_page its picture"),
        _ => format!("{name} has {n} tables, numbered from 1"),
    })?;
    let mut grid =
        Grid { head: head(table), rows: body(table), pages: vec![wanted.page.clone()], caption: table.caption.clone() };
    if wanted.table == n {
        go_on(&mut grid, desk, shelf);
    }
    Ok(grid)
}

/// Adds the rows of the pages on which the table goes on.
fn go_on(grid: &mut Grid, desk: &dyn Desk, shelf: &Shelf) {
    let n_pages = grid.pages.first().and_then(|page| shelf.entry(&page.doc)).map_or(0, |entry| entry.n_pages);
    for _ in 0..CONTINUES {
        let Some(last) = grid.pages.last() else { return };
        let Some(next) = PageNumber::new(last.page.get() + 1).filter(|next| next.get() <= n_pages) else { return };
        let id = PageId::new(last.doc.clone(), next);
        let page: Option<Page> = desk.page(&id).ok();
        let Some(table) = page.as_ref().and_then(|page| page.tables.first()).filter(|table| table.continued) else {
            return;
        };
        let repeated = head(table);
        let rows = body(table).into_iter().filter(|row| *row != grid.head);
        // What looks like a heading on the next page is a row unless it repeats the first one.
        let lost = (!repeated.iter().all(String::is_empty) && repeated != grid.head).then_some(repeated.clone());
        grid.rows.extend(lost.into_iter().chain(rows).collect::<Vec<_>>());
        grid.pages.push(id);
        if page.is_some_and(|page| page.tables.len() > 1) {
            return;
        }
    }
}

fn cells(table: &Table, rows: std::ops::Range<usize>) -> Vec<Vec<String>> {
    let mut grid = vec![vec![String::new(); table.columns]; rows.len()];
    for cell in &table.cells {
        let wide = if cell.row < table.header_rows { cell.column_span.max(1) } else { 1 };
        for row in cell.row..cell.row.saturating_add(cell.row_span.max(1)) {
            let Some(row) = row.checked_sub(rows.start).and_then(|row| grid.get_mut(row)) else { continue };
            row.iter_mut().skip(cell.column).take(wide).for_each(|place| place.clone_from(&cell.text));
        }
    }
    grid
}

fn body(table: &Table) -> Vec<Vec<String>> {
    cells(table, table.header_rows.min(table.rows)..table.rows)
}

fn head(table: &Table) -> Vec<String> {
    let mut head = vec![String::new(); table.columns];
    for row in cells(table, 0..table.header_rows.min(table.rows)) {
        for (name, text) in head.iter_mut().zip(row).filter(|(name, text)| !text.is_empty() && *name != text) {
            name.push_str(if name.is_empty() { "" } else { " " });
            name.push_str(&text);
        }
    }
    head
}

fn told(wanted: &Wanted<'_>, mut grid: Grid, shelf: &Shelf) -> Result<Observation, String> {
    let all = grid.rows.len();
    if !wanted.rows.is_empty() {
        let wanted = wanted.rows.to_lowercase();
        grid.rows.retain(|row| row.join(" ").to_lowercase().contains(&wanted));
    }
    let pages: Vec<String> = grid.pages.iter().map(|page| shelf.page_name(page)).collect();
    let (n, shown) = (grid.rows.len(), grid.rows.len().min(ROWS));
    let mut about = format!("Table {} of {}: {n} of {all} rows", wanted.table, pages.join(", "));
    if shown < n {
        about.push_str(&format!(", the first {shown} are shown; name rows to see others"));
    }
    let mut observation = Observation::says(format!("{about}."));
    let computed = match wanted.compute {
        "" => None,
        how => Some(compute(how, wanted.column, &grid)?),
    };
    observation = observation.quoting(markdown(&grid, shown));
    if let Some(computed) = computed {
        observation = observation.and(computed);
    }
    Ok(Observation { seen: grid.pages, ..observation })
}

fn markdown(grid: &Grid, rows: usize) -> String {
    let width = grid.rows.iter().map(Vec::len).max().unwrap_or(0).max(grid.head.len());
    let line = |cells: &[String]| {
        let cell = |at: usize| cells.get(at).map_or("", String::as_str).replace('|', "\\|").replace(['\n', '\r'], " ");
        format!("| {} |\n", (0..width).map(cell).collect::<Vec<_>>().join(" | "))
    };
    let mut text = grid.caption.as_ref().map_or_else(String::new, |caption| format!("{caption}\n"));
    text.push_str(&line(&grid.head));
    text.push_str(&line(&vec!["---".into(); width]));
    grid.rows.iter().take(rows).for_each(|row| text.push_str(&line(row)));
    text
}

fn compute(how: &str, column: &str, grid: &Grid) -> Result<super::Told, String> {
    let known = ["sum", "mean", "median", "min", "max", "count"];
    if !known.contains(&how) {
        return Err(format!("compute: {how:?} is not known; there are {}", known.join(", ")));
    }
    if how == "count" && column.is_empty() {
        return Ok(super::Told::Recto(format!("count of rows: {}", grid.rows.len())));
    }
    let at = place(column, grid)?;
    let texts: Vec<&str> = grid.rows.iter().filter_map(|row| row.get(at)).map(|text| text.trim()).collect();
    let filled = texts.iter().filter(|text| !text.is_empty()).count();
    let numbers: Vec<String> = texts.iter().filter_map(|text| calculator::number_in(text)).collect();
    let value = calculator::over(how, &numbers)?;
    let left_out = filled - numbers.len();
    let without =
        if left_out > 0 { format!("; {left_out} cells hold no number and are left out") } else { String::new() };
    Ok(super::Told::Recto(format!("{how} of column {}, over {} numbers{without}: {value}", at + 1, numbers.len())))
}

/// The column that is meant by a number from 1, its heading, or a part of that which no other has.
fn place(column: &str, grid: &Grid) -> Result<usize, String> {
    let width = grid.rows.iter().map(Vec::len).max().unwrap_or(0).max(grid.head.len());
    if let Some(at) = column.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|at| *at < width) {
        return Ok(at);
    }
    let lower = column.to_lowercase();
    let by = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting =
            (0..grid.head.len()).filter(|at| grid.head.get(*at).is_some_and(|name| fits(&name.to_lowercase())));
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let found = by(&|name| name == lower).or_else(|| by(&|name| !lower.is_empty() && name.contains(&lower)));
    found.ok_or_else(|| {
        format!("column: {column:?} is no heading that one column alone has; give its number, 1 to {width}")
    })
}
