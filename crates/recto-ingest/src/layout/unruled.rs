//! Tables whose cells are parted by white space only: runs of rows whose chunks stand in common columns. Text that happens
//! to stand so is told from tables in [`super::plausible`].

use std::ops::Range;

use super::chunk::Row;
use super::lattice::{Lattice, MOST_HEAD_GAP};
use super::marks::Marks;
use super::plausible;
use super::sketch::Sketch;

/// A table has at least this many rows with several chunks.
pub(super) const MIN_ROWS: usize = 3;

/// The next row of a table is at most this many line heights below.
const MOST_GAP: f32 = 2.6;

/// A line with more letters and nothing beside it is prose.
const PROSE_LETTERS: usize = 60;

/// How often a run may be parted.
const MAX_DEPTH: u32 = 30;

/// A row of words that fills this share of its width is text.
const PROSE_FILL: f32 = 0.8;

/// All tables in rows of one direction, given in reading order.
pub(super) fn find(rows: &[Row], marks: &Marks) -> Vec<Sketch> {
    let mut found = Vec::new();
    for run in runs(rows) {
        add_tables(rows, run, marks, MAX_DEPTH, &mut found);
    }
    found
}

/// Adds the table that a run is, or those in its parts if lines of text part it.
fn add_tables(rows: &[Row], run: Range<usize>, marks: &Marks, depth: u32, found: &mut Vec<Sketch>) {
    let Some(lattice) = rows.get(run.clone()).and_then(Lattice::of) else { return };
    if let Some(at) = lattice.line_of_text().filter(|_| depth > 0) {
        let at = run.start + at;
        for part in [run.start..at, at + 1..run.end] {
            let part = trimmed(rows, part);
            if n_parted(rows, &part) >= MIN_ROWS {
                add_tables(rows, part, marks, depth - 1, found);
            }
        }
        return;
    }
    let lattice = lattice.with_heads(rows, run);
    let sketch = lattice.sketch();
    if plausible::is_table(&lattice, &sketch) && !plausible::is_chart(&lattice, marks) {
        found.push(sketch);
    }
}

/// How many rows have several chunks.
fn n_parted(rows: &[Row], run: &Range<usize>) -> usize {
    rows.get(run.clone()).unwrap_or_default().iter().filter(|row| row.chunks.len() > 1).count()
}

/// Stretches of rows below each other with no prose between them; each begins and ends with a row of several chunks.
fn runs(rows: &[Row]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for i in 1..=rows.len() {
        if i == rows.len() || !goes_on(rows.get(start..i).unwrap_or_default(), rows.get(i..).unwrap_or_default()) {
            runs.push(trimmed(rows, start..i));
            start = i;
        }
    }
    runs.retain(|run| n_parted(rows, run) >= MIN_ROWS);
    runs
}

fn trimmed(rows: &[Row], mut run: Range<usize>) -> Range<usize> {
    while let Some(first) = rows.get(run.start)
        && run.start < run.end
        && (first.chunks.len() < 2 || is_prose(first))
    {
        run.start += 1;
    }
    while let Some(last) = run.end.checked_sub(1).and_then(|i| rows.get(i))
        && run.start < run.end
        && last.chunks.len() < 2
        && !last_is_wrapped(rows.get(run.start..run.end - 1).unwrap_or_default(), last)
    {
        run.end -= 1;
    }
    run
}

/// True if the last row goes on with a cell of the row above, other than the first.
fn last_is_wrapped(rest: &[Row], last: &Row) -> bool {
    let anchor = rest.iter().rev().find(|row| row.chunks.len() > 1);
    let is_tight = rest.last().is_some_and(|above| gap(above, last) < 0.6 * last.height);
    is_tight && anchor.is_some_and(|anchor| is_below_cell(anchor, last))
}

/// True if the first row of `below` goes on with the run above it.
fn goes_on(run: &[Row], below: &[Row]) -> bool {
    let (Some(last), Some(next)) = (run.last(), below.first()) else { return false };
    let gap = gap(last, next);
    let shares = |row: &Row| row.area[0] < next.area[2] && next.area[0] < row.area[2];
    let shares = gap < MOST_HEAD_GAP * next.height || run.iter().any(shares);
    if gap < -0.5 * next.height || gap > MOST_GAP * next.height.max(last.height) || !shares {
        return false;
    }
    let anchor = run.iter().rev().find(|row| row.chunks.len() > 1);
    let continues = anchor.is_some_and(|anchor| is_below_cell(anchor, next));
    let is_end = is_prose(next) && below.get(1).is_none_or(is_prose);
    continues || !is_end
}

/// The free height between two rows; negative if they overlap.
pub(super) fn gap(above: &Row, below: &Row) -> f32 {
    below.area[1] - above.area[3]
}

fn is_prose(row: &Row) -> bool {
    let is_words = row.chunks.iter().all(|chunk| !chunk.is_number && !chunk.is_led);
    let filled: f32 = row.chunks.iter().map(|chunk| chunk.area[2] - chunk.area[0]).sum();
    let is_full = filled > PROSE_FILL * (row.area[2] - row.area[0]);
    row.chunks.len() < 3 && is_words && is_full && row.letters() >= PROSE_LETTERS
}

/// True if the row stands below one cell of the other, not the first, and beside no other.
fn is_below_cell(above: &Row, row: &Row) -> bool {
    let [only] = row.chunks.as_slice() else { return false };
    let cell = above.chunks.iter().skip(1).position(|cell| (cell.area[0] - only.area[0]).abs() < 0.5 * row.height);
    let next = cell.and_then(|i| above.chunks.get(i + 2));
    cell.is_some() && next.is_none_or(|next| only.area[2] < next.area[0])
}
