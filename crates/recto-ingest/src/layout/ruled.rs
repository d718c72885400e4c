//! Tables whose cells are parted by ruling lines.

use recto_page::TextLayer;

use super::chunk::Row;
use super::grid::{self, Grid, Span};
use super::sketch::Sketch;

/// Of its cells, this share has words; else it is a drawing or an empty form.
const MIN_FILLED: f32 = 0.35;

/// A cell with more lines is a part of a page that is laid out by lines.
const MOST_LINES: usize = 40;

/// A table of rows without lines between them has at least this many.
const MIN_ROWS: usize = 3;

/// A table with more stretches between lines has a line between any two rows.
const FEW_BANDS: usize = 3;

/// Unless a stretch has more rows than this.
const MANY_ROWS: usize = 4;

/// Tables in grids. `areas` has the place of each word in points of the frame of the rulings; `None` for words that are
/// not to be looked at.
pub(super) fn find(layer: &TextLayer, areas: &[Option<[f32; 4]>], rows: &[Row], rulings: &[[f32; 4]]) -> Vec<Sketch> {
    let mut grids = grid::grids(rulings);
    // A table within a cell of another one comes first, and takes its words.
    grids.sort_by(|a, b| size(a).total_cmp(&size(b)));
    let mut areas = areas.to_vec();
    let mut found = Vec::new();
    for grid in grids.iter().filter_map(|grid| refined(grid, rows)) {
        if let Some(sketch) = sketch(&grid, &areas, layer) {
            sketch.words().for_each(|word| areas.iter_mut().skip(word).take(1).for_each(|area| *area = None));
            found.push(sketch);
        }
    }
    found
}

fn size(grid: &Grid) -> f32 {
    let extent = |places: &[f32]| places.last().zip(places.first()).map_or(0.0, |(b, a)| b - a);
    extent(&grid.xs) * extent(&grid.ys)
}

fn sketch(grid: &Grid, areas: &[Option<[f32; 4]>], layer: &TextLayer) -> Option<Sketch> {
    let (rows, columns) = (grid.ys.len() - 1, grid.xs.len() - 1);
    let mut cells: Vec<_> = grid.cells.iter().map(|span| (*span, Vec::new())).collect();
    let mut cell_at = vec![None; rows * columns];
    for (i, span) in grid.cells.iter().enumerate() {
        for row in span.row..span.row + span.row_span {
            cell_at.iter_mut().skip(row * columns + span.column).take(span.column_span).for_each(|at| *at = Some(i));
        }
    }
    let mut last: Option<(usize, [f32; 4])> = None;
    for (word, area) in areas.iter().enumerate() {
        let Some(area @ [left, top, right, bottom]) = *area else { continue };
        let place = place(&grid.ys, (top + bottom) / 2.0).zip(place(&grid.xs, (left + right) / 2.0));
        let own = place.and_then(|(row, column)| *cell_at.get(row * columns + column)?);
        // Text that is longer than its cell runs on over the line at its end.
        let over = last.filter(|(cell, before)| runs_over(grid, *cell, *before, area)).map(|(cell, _)| cell);
        let Some(cell) = over.or(own) else { continue };
        if let Some((_, words)) = cells.get_mut(cell) {
            words.push(word);
        }
        last = Some((cell, area));
    }
    let n_cells = cells.len();
    cells.retain(|(_, words)| !words.is_empty());
    let is_layout = cells.iter().any(|(_, words)| n_lines(words, areas) > MOST_LINES);
    let is_filled = !is_layout && cells.len() as f32 >= MIN_FILLED * n_cells as f32 && cells.len() >= 4;
    let sketch = Sketch { rows, columns, header_rows: 0, cells }.without_empty();
    let is_table = is_filled && sketch.rows >= 2 && sketch.columns >= 2;
    is_table.then(|| Sketch { header_rows: header_rows(&sketch, layer), ..sketch })
}

/// True if the word before reaches over the right end of its cell, and this one follows after a space.
fn runs_over(grid: &Grid, cell: usize, before: [f32; 4], area: [f32; 4]) -> bool {
    let span = grid.cells.get(cell);
    let Some(end) = span.and_then(|span| grid.xs.get(span.column + span.column_span)) else { return false };
    let height = before[3] - before[1];
    let is_level = (before[1] - area[1]).abs() < 0.2 * height && (before[3] - area[3]).abs() < 0.2 * height;
    is_level && before[2] > end + 0.5 && (-0.1 * height..0.4 * height).contains(&(area[0] - before[2]))
}

/// How many lines the words make, given in reading order.
fn n_lines(words: &[usize], areas: &[Option<[f32; 4]>]) -> usize {
    let places: Vec<[f32; 4]> = words.iter().filter_map(|word| areas.get(*word).copied().flatten()).collect();
    places.windows(2).filter(|pair| matches!(pair, [a, b] if b[1] > (a[1] + a[3]) / 2.0)).count() + 1
}

/// Between which two of the places `x` is.
fn place(places: &[f32], x: f32) -> Option<usize> {
    let after = places.partition_point(|place| *place <= x);
    (after > 0 && after < places.len()).then(|| after - 1)
}

/// The first row names the columns if it has words in most of them and no amounts; so does the next if a cell of the
/// first reaches over several columns.
fn header_rows(sketch: &Sketch, layer: &TextLayer) -> usize {
    let first = || sketch.cells.iter().filter(|(span, _)| span.row == 0);
    let has_amount = |words: &[usize]| {
        let word = |word: &usize| layer.words.get(*word).is_some_and(|w| w.text.chars().any(|c| c.is_ascii_digit()));
        words.len() <= 2 && words.iter().any(word)
    };
    let named: usize = first().map(|(span, _)| span.column_span).sum();
    let amounts = first().filter(|(span, words)| span.column > 0 && has_amount(words)).count();
    if named * 3 < sketch.columns * 2 || amounts * 2 > first().count() {
        return 0;
    }
    let reaches = first().any(|(span, _)| span.column_span > 1 && span.column_span < sketch.columns);
    1 + usize::from(reaches && sketch.rows > 2)
}

/// What a stretch between two ruling lines holds.
enum Band {
    /// A row of the table.
    Row,
    /// Several rows; where each but the first begins.
    Rows(Vec<f32>),
    /// Several columns within one of the grid.
    Columns,
}

/// The grid with rows that no line parts, but columns of numbers do; `None` if columns are not parted either: the table is
/// then found by its words.
fn refined(grid: &Grid, rows: &[Row]) -> Option<Grid> {
    let bands: Vec<(f32, f32)> = grid.ys.iter().copied().zip(grid.ys.iter().skip(1).copied()).collect();
    let mut ys = grid.ys.clone();
    for (top, bottom) in &bands {
        match band(&grid.xs, rows, *top, *bottom) {
            Band::Row => {}
            Band::Rows(starts) if bands.len() <= FEW_BANDS || starts.len() >= MANY_ROWS => ys.extend(starts),
            Band::Rows(_) => {}
            Band::Columns => return None,
        }
    }
    ys.sort_by(f32::total_cmp);
    let first = |row: usize| grid.ys.get(row).map_or(0, |y| ys.partition_point(|other| other < y));
    let mut cells = Vec::new();
    for cell in &grid.cells {
        let (start, end) = (first(cell.row), first(cell.row + cell.row_span));
        let high = if cell.row_span == 1 { 1 } else { end - start };
        cells.extend((start..end).step_by(high.max(1)).map(|row| Span { row, row_span: high, ..*cell }));
    }
    cells.sort_by_key(|cell| (cell.row, cell.column));
    Some(Grid { xs: grid.xs.clone(), ys, cells })
}

fn band(xs: &[f32], rows: &[Row], top: f32, bottom: f32) -> Band {
    let n_columns = xs.len().saturating_sub(1);
    let inside = |row: &&Row| (top..bottom).contains(&((row.area[1] + row.area[3]) / 2.0));
    // For each row its upper edge, and for each column how many chunks and how many numbers it has.
    let mut found: Vec<(f32, Vec<(usize, usize)>)> = Vec::new();
    for row in rows.iter().filter(inside) {
        let mut counts = vec![(0, 0); n_columns];
        for chunk in &row.chunks {
            let column = place(xs, (chunk.area[0] + chunk.area[2]) / 2.0);
            if let Some((all, numbers)) = column.and_then(|column| counts.get_mut(column)) {
                (*all, *numbers) = (*all + 1, *numbers + usize::from(chunk.is_number));
            }
        }
        found.push((row.area[1], counts));
    }
    found.retain(|(_, counts)| counts.iter().any(|(all, _)| *all > 0));
    let several =
        |counts: &[(usize, usize)], column: usize| counts.get(column).is_some_and(|(all, n)| *all > 1 && *n > 0);
    let is_parted = |c: usize| found.iter().filter(|(_, counts)| several(counts, c)).count() * 5 >= found.len() * 4;
    if found.len() >= MIN_ROWS && (0..n_columns).any(is_parted) {
        return Band::Columns;
    }
    let begins = |counts: &[(usize, usize)]| {
        counts.first().is_some_and(|(all, _)| *all > 0) && counts.iter().filter(|(all, _)| *all > 0).count() > 1
    };
    let starts: Vec<&(f32, Vec<(usize, usize)>)> = found.iter().filter(|(_, counts)| begins(counts)).collect();
    let are_numbers =
        |c: usize| starts.iter().all(|(_, counts)| counts.get(c).is_some_and(|(_, numbers)| *numbers > 0));
    if starts.len() >= MIN_ROWS && (0..n_columns).any(are_numbers) {
        return Band::Rows(starts.iter().skip(1).map(|(top, _)| top - 1.0).collect());
    }
    Band::Row
}
