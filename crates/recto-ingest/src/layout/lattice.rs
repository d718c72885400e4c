//! Rows whose chunks stand in common columns, and the table that they make: headings over several columns, and lines that go
//! on with a cell above.

use std::ops::Range;

use super::chunk::{Chunk, Row};
use super::grid::Span;
use super::sketch::Sketch;
use super::unruled::{MIN_ROWS, gap};

/// A heading of columns is at most this many line heights above the table.
pub(super) const MOST_HEAD_GAP: f32 = 1.5;

/// So many lines above a table may belong to the headings of its columns.
const MOST_HEADS: usize = 10;

/// A heading begins at most so many line heights left of its first column.
const HEAD_REACH: f32 = 3.5;

/// Between two columns there is at least this share of a line's height, free but for few rows.
const MIN_GAP: f32 = 0.3;

/// A line over several columns with more letters is text, not a heading within the table.
const HEADING_LETTERS: usize = 40;

/// A line above a table with more letters and nothing beside it is its title, not a heading of columns.
const TITLE_LETTERS: usize = 30;

/// What has more columns is a drawing, and would take long.
const MOST_COLUMNS: usize = 60;

/// One in so many rows may reach over the gap between two columns.
const ROWS_PER_CROSSING: usize = 7;

/// Rows with their chunks in columns, while a table is made of them.
#[derive(Clone, Debug)]
pub(super) struct Lattice<'r> {
    /// Rows of the page, from top to bottom.
    pub(super) rows: &'r [Row],
    /// Where columns begin and end.
    pub(super) columns: Vec<(f32, f32)>,
    /// For each row and chunk its first and last column.
    pub(super) places: Vec<Vec<(usize, usize)>>,
}

impl<'r> Lattice<'r> {
    /// Columns are where few rows leave gaps; at least two are needed.
    pub(super) fn of(rows: &'r [Row]) -> Option<Self> {
        let several: Vec<&Row> = rows.iter().filter(|row| row.chunks.len() > 1).collect();
        let height = rows.iter().map(|row| row.height).fold(f32::INFINITY, f32::min);
        let mut columns = columns(&several, MIN_GAP * height);
        if columns.len() > MOST_COLUMNS {
            return None;
        }
        loop {
            let lattice = Self { rows, places: rows.iter().map(|row| places(row, &columns)).collect(), columns };
            match lattice.weak_column() {
                Some(weak) if lattice.columns.len() > 2 => columns = lattice.without(weak),
                _ => return (lattice.columns.len() > 1).then(|| lattice.with_wide_heads()),
            }
        }
    }

    /// With the lines right above that stand over its columns, but not over the first.
    pub(super) fn with_heads(self, rows: &'r [Row], run: Range<usize>) -> Self {
        let is_head = |i: &usize| {
            let (Some(row), Some(below)) = (rows.get(*i), rows.get(i + 1)) else { return false };
            let is_near = row.area[1] < below.area[1] && gap(row, below) < MOST_HEAD_GAP * below.height;
            let is_title =
                row.chunks.len() == 1 && row.letters() > TITLE_LETTERS && row.chunks.iter().all(|c| c.opening != '(');
            is_near
                && !is_title
                && row
                    .chunks
                    .iter()
                    .zip(places(row, &self.columns))
                    .all(|(chunk, place)| self.stands_over(chunk, place))
        };
        let heads = (0..run.start).rev().take(MOST_HEADS).take_while(is_head).count();
        let rows = rows.get(run.start - heads..run.end).unwrap_or_default();
        let places = rows.iter().map(|row| places(row, &self.columns)).collect();
        Self { rows, places, columns: self.columns }.with_wide_heads()
    }

    /// True if the chunk is a heading of its columns, but for the first.
    fn stands_over(&self, chunk: &Chunk, (start, end): (usize, usize)) -> bool {
        let reach = HEAD_REACH * (chunk.area[3] - chunk.area[1]);
        let (Some((left, _)), Some((_, right))) = (self.columns.get(start), self.columns.get(end)) else {
            return false;
        };
        let is_left = start > 1
            || chunk.area[0] > left - reach && chunk.area[0] > self.columns.first().map_or(0.0, |(_, end)| *end);
        let is_right = end + 1 < self.columns.len() || chunk.area[2] < right + reach;
        start > 0 && is_left && is_right && !chunk.opens_caption
    }

    /// A line of text over several columns, which parts what stands above from what stands below.
    pub(super) fn line_of_text(&self) -> Option<usize> {
        let reaches = |places: &[(usize, usize)]| matches!(places, [(0, last)] if *last > 0);
        let is_text = |row: &Row| row.letters() >= HEADING_LETTERS && row.chunks.iter().all(|c| !c.is_number);
        let spans = |row: &Row, places: &[(usize, usize)]| reaches(places) && is_text(row);
        let any = self.rows.iter().zip(&self.places).position(|(row, places)| spans(row, places));
        any.filter(|at| *at > 0 || self.rows.len() > 1)
    }

    /// Headings that stand centred over several columns reach over all of them.
    fn with_wide_heads(mut self) -> Self {
        for i in 0..self.heads() {
            let (Some(row), Some(own)) = (self.rows.get(i), self.places.get(i)) else { break };
            let widened = row.chunks.iter().zip(own).map(|(chunk, place)| self.widened(i, chunk, *place)).collect();
            if let Some(places) = self.places.get_mut(i) {
                *places = widened;
            }
        }
        self
    }

    /// The columns below the heading that are centred under it and have headings or cells of their own.
    fn widened(&self, i: usize, chunk: &Chunk, own: (usize, usize)) -> (usize, usize) {
        let beside = self.places.get(i).map_or(&[][..], Vec::as_slice);
        let cells = |rows: Range<usize>| {
            let rows = self.rows.iter().zip(&self.places).take(rows.end).skip(rows.start);
            rows.flat_map(|(row, places)| row.chunks.iter().zip(places))
        };
        let height = chunk.area[3] - chunk.area[1];
        let below = || cells(i + 1..self.heads());
        let in_heads = |column: usize| below().any(|(_, place)| *place == (column, column));
        let in_body =
            |column: usize| cells(self.heads()..self.heads() + 1).any(|(_, place)| *place == (column, column));
        let is_headed =
            |column: usize| if in_heads(own.0) { in_heads(column) } else { in_body(column) && !in_heads(column) };
        let is_free = |column: usize| {
            beside.iter().all(|place| *place == own || column < place.0 || place.1 < column) && is_headed(column)
        };
        // The next line of a heading over one column is right below.
        let is_apart =
            |(next, place): (&Chunk, &(usize, usize))| *place != own || next.area[1] - chunk.area[3] > 0.1 * height;
        if own.0 == own.1 && !(is_headed(own.0) && below().all(is_apart)) {
            return own;
        }
        let first = (1..own.0).rev().take_while(|column| is_free(*column)).last().unwrap_or(own.0);
        let last = (own.1 + 1..self.columns.len()).take_while(|column| is_free(*column)).last().unwrap_or(own.1);
        let pairs = (first..=own.0).flat_map(|a| (own.1..=last).map(move |b| (a, b)));
        pairs.filter(|(a, b)| self.is_centred(chunk, *a, *b)).max_by_key(|(a, b)| b - a).unwrap_or(own)
    }

    fn is_centred(&self, chunk: &Chunk, first: usize, last: usize) -> bool {
        let (Some((left, _)), Some((_, right))) = (self.columns.get(first), self.columns.get(last)) else {
            return false;
        };
        let off = (left + right - chunk.area[0] - chunk.area[2]).abs() / 2.0;
        first > 0 && off < chunk.area[3] - chunk.area[1]
    }

    /// A column with a single chunk is none.
    fn weak_column(&self) -> Option<usize> {
        let alone = |column: &usize| self.places.iter().flatten().filter(|(a, b)| a == column && b == column).count();
        (0..self.columns.len()).find(|column| alone(column) < 2)
    }

    /// The column joined with its nearer neighbour.
    fn without(&self, weak: usize) -> Vec<(f32, f32)> {
        let mut columns = self.columns.clone();
        let (left, right) = columns.remove(weak);
        let to_left = weak.checked_sub(1).and_then(|i| columns.get(i)).map_or(f32::INFINITY, |(_, end)| left - end);
        let to_right = columns.get(weak).map_or(f32::INFINITY, |(start, _)| start - right);
        let joined = if to_left <= to_right { weak.saturating_sub(1) } else { weak };
        if let Some(column) = columns.get_mut(joined) {
            *column = (column.0.min(left), column.1.max(right));
        }
        columns
    }

    /// Rows of the page to rows of the table: those that go on with the row above are joined with it.
    pub(super) fn sketch(&self) -> Sketch {
        let mut cells: Vec<(Span, Vec<usize>)> = Vec::new();
        let heads = self.heads();
        let (mut row, mut first, mut header_rows) = (0, 0, 0);
        for (i, (source, places)) in self.rows.iter().zip(&self.places).enumerate() {
            let held = cells.get(first..).unwrap_or_default();
            let joins = if i < heads { self.is_same_head(i, held) } else { i > heads && self.is_continued(i) };
            if i > 0 && !joins {
                row += 1;
                first = cells.len();
            }
            header_rows = if i < heads { row + 1 } else { header_rows };
            for (chunk, (start, end)) in source.chunks.iter().zip(places) {
                let reaches = |span: &Span| span.column <= *end && *start < span.column + span.column_span;
                match cells.iter_mut().skip(first).find(|(span, _)| reaches(span)) {
                    Some((_, held)) => held.extend(chunk.words.clone()),
                    None => {
                        let span = Span { row, column: *start, row_span: 1, column_span: end - start + 1 };
                        cells.push((span, chunk.words.clone().collect()));
                    }
                }
            }
        }
        cells.sort_by_key(|(span, _)| (span.row, span.column));
        Sketch { rows: row + 1, columns: self.columns.len(), header_rows, cells }
    }

    /// How many rows at the top name columns: those above the first numbers, years aside, but for labels of the rows below.
    /// One if there are no numbers.
    pub(super) fn heads(&self) -> usize {
        let is_amount =
            |(chunk, (start, _)): (&Chunk, &(usize, usize))| *start > 0 && chunk.is_number && !is_year(chunk);
        let has_amounts = |(row, places): (&Row, &Vec<(usize, usize)>)| row.chunks.iter().zip(places).any(is_amount);
        let with_amounts = || self.rows.iter().zip(&self.places).enumerate().filter(|(_, row)| has_amounts(*row));
        let Some((body, _)) =
            with_amounts().next().filter(|(body, _)| with_amounts().count() * 3 > self.rows.len() - body)
        else {
            return 1;
        };
        let stands_over = |places: &Vec<(usize, usize)>| places.iter().any(|(start, _)| *start > 0);
        self.places.iter().take(body).rposition(stands_over).map_or(0, |last| last + 1)
    }

    /// True if the line goes on with the headings above it: no chunk stands under one that reaches over other columns.
    fn is_same_head(&self, i: usize, held: &[(Span, Vec<usize>)]) -> bool {
        let (Some(above), Some(row)) = (self.rows.get(i.wrapping_sub(1)), self.rows.get(i)) else { return false };
        let fits = |(start, end): &(usize, usize)| {
            held.iter().all(|(span, _)| {
                let last = span.column + span.column_span - 1;
                *end < span.column || last < *start || (span.column, last) == (*start, *end)
            })
        };
        gap(above, row) < 0.6 * row.height && self.places.get(i).is_some_and(|places| places.iter().all(fits))
    }

    /// True if the row goes on with cells of the row above.
    fn is_continued(&self, i: usize) -> bool {
        let (Some(above), Some(row)) = (self.rows.get(i.wrapping_sub(1)), self.rows.get(i)) else { return false };
        let (Some(held), Some(places)) = (self.places.get(i.wrapping_sub(1)), self.places.get(i)) else { return false };
        if gap(above, row) > 0.6 * row.height {
            return false;
        }
        let has_numbers = |row: &Row, places: &[(usize, usize)]| {
            let is_alone = |place: &(usize, usize)| places.iter().filter(|other| *other == place).count() == 1;
            row.chunks.iter().zip(places).any(|(chunk, place)| chunk.is_number && is_alone(place))
        };
        let starts = |places: &[(usize, usize)]| places.iter().any(|(start, _)| *start == 0);
        if !starts(places) {
            return !has_numbers(row, places) && (starts(held) || !has_numbers(above, held));
        }
        let label = above.chunks.first().zip(row.chunks.first());
        let goes_on =
            label.is_some_and(|(above, row)| !above.is_led && (row.opening.is_lowercase() || self.is_full(above)));
        goes_on && starts(held) && (held.len() == 1 || places.len() == 1)
    }

    /// True if the chunk reaches to the end of the first column, so that its text goes on below.
    fn is_full(&self, chunk: &Chunk) -> bool {
        let (end, next) = (self.columns.first(), self.columns.get(1));
        let height = chunk.area[3] - chunk.area[1];
        let is_longest = end.is_some_and(|(_, end)| chunk.area[2] > end - height);
        is_longest && next.is_some_and(|(start, _)| start - chunk.area[2] < 3.0 * height) && chunk.letters >= 15
    }
}

fn is_year(chunk: &Chunk) -> bool {
    chunk.letters == 4 && chunk.words.len() == 1
}

/// Where columns begin and end: between gaps that few rows cross.
fn columns(rows: &[&Row], min_gap: f32) -> Vec<(f32, f32)> {
    let most = rows.len() / ROWS_PER_CROSSING;
    // A row over several columns is likely at the top.
    let most = if rows.len() > MIN_ROWS { most.max(1) } else { most };
    let mut edges: Vec<(f32, i32)> =
        rows.iter().flat_map(|row| &row.chunks).flat_map(|c| [(c.area[0], 1), (c.area[2], -1)]).collect();
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let mut columns: Vec<(f32, f32)> = Vec::new();
    let (mut open, mut start) = (0, None);
    for (x, step) in edges {
        open += step;
        match start {
            None if open > most as i32 => start = Some(x),
            Some(from) if open <= most as i32 => {
                columns.push((from, x));
                start = None;
            }
            _ => {}
        }
    }
    let mut joined: Vec<(f32, f32)> = Vec::new();
    for column in columns {
        match joined.last_mut() {
            Some(last) if column.0 - last.1 < min_gap => last.1 = column.1,
            _ => joined.push(column),
        }
    }
    joined
}

/// For each chunk the first and last column that it reaches into, or the nearest one.
fn places(row: &Row, columns: &[(f32, f32)]) -> Vec<(usize, usize)> {
    let reach = |chunk: &Chunk| {
        let [left, _, right, _] = chunk.area;
        let reaches =
            |(start, end): &(f32, f32)| right.min(*end) - left.max(*start) > 0.25 * (end - start).min(right - left);
        let first = columns.iter().position(reaches);
        let last = columns.iter().rposition(reaches);
        let distance = |(start, end): &(f32, f32)| ((start + end) / 2.0 - (left + right) / 2.0).abs();
        let nearest = || {
            (0..columns.len()).min_by(|a, b| {
                let of = |i: &usize| columns.get(*i).map_or(f32::INFINITY, distance);
                of(a).total_cmp(&of(b))
            })
        };
        first.zip(last).unwrap_or_else(|| (nearest().unwrap_or(0), nearest().unwrap_or(0)))
    };
    row.chunks.iter().map(reach).collect()
}
