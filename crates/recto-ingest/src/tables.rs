//! Tables and charts whose columns of numbers are drawn one after the other: their rows are put together again, so that
//! a number stands beside its label. Tables drawn row by row need nothing of this.

use crate::reading_order::Strip;

/// A column has at least this many cells.
const MIN_CELLS: usize = 3;

/// A cell of a column has at most this many letters.
const MOST_LETTERS: usize = 40;

/// Numbers in the bars of a chart are set to the side of each other by up to this many ems.
const BAR_SHIFT: f32 = 3.0;

/// Pages with more columns of cells are left as they are.
const MOST_COLUMNS: usize = 200;

/// Puts strips of columns that stand beside a column of numbers in order of their rows, where the first of them was.
pub(crate) fn by_rows(strips: Vec<Strip>) -> Vec<Strip> {
    let columns: Vec<&[Strip]> = strips.chunk_by(is_next_cell).collect();
    let groups = groups(&columns);
    if groups.iter().enumerate().all(|(i, group)| i == *group) {
        return strips;
    }
    let mut ordered = Vec::with_capacity(strips.len());
    for own in 0..columns.len() {
        let members = columns.iter().zip(&groups).filter(|(_, group)| **group == own).map(|(column, _)| *column);
        let mut members: Vec<&[Strip]> = members.collect();
        if let [only] = members.as_slice() {
            ordered.extend_from_slice(only);
        } else {
            ordered.extend(sorted_by_rows(members.drain(..).flatten().copied().collect()));
        }
    }
    ordered
}

/// True if the second strip goes on with the column of the first.
fn is_next_cell(above: &Strip, below: &Strip) -> bool {
    let apart = (below.left - above.right).max(above.left - below.right);
    let is_near = apart < if above.is_number && below.is_number { BAR_SHIFT * above.size } else { 0.0 };
    below.base > above.base && !above.is_beside(below) && is_near
}

/// For each column the first column of its table: its own number if it is the first, or in none.
fn groups(columns: &[&[Strip]]) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..columns.len()).collect();
    let cells: Vec<usize> = (0..columns.len()).filter(|i| columns.get(*i).is_some_and(|c| are_cells(c))).collect();
    if cells.len() > MOST_COLUMNS {
        return groups;
    }
    for &i in &cells {
        for &j in &cells {
            if let (Some(a), Some(b)) = (columns.get(i), columns.get(j))
                && i != j
                && are_numbers(a)
                && stands_beside(a, b)
                && let (Some(&x), Some(&y)) = (groups.get(i), groups.get(j))
            {
                groups.iter_mut().filter(|group| **group == x.max(y)).for_each(|group| *group = x.min(y));
            }
        }
    }
    groups
}

fn are_cells(column: &[Strip]) -> bool {
    column.len() >= MIN_CELLS && column.iter().all(|s| s.letters <= MOST_LETTERS)
}

fn are_numbers(column: &[Strip]) -> bool {
    column.iter().filter(|s| s.is_number).count() * 5 >= column.len() * 4
}

/// True if most cells of the first column have one of the second beside them.
fn stands_beside(column: &[Strip], other: &[Strip]) -> bool {
    let matched = column.iter().filter(|cell| other.iter().any(|o| o.is_beside(cell) && !o.shares_column(cell)));
    matched.count() * 5 >= column.len() * 4
}

/// From top to bottom, and from left to right within a row.
pub(crate) fn sorted_by_rows(mut strips: Vec<Strip>) -> Vec<Strip> {
    strips.sort_by(|a, b| a.base.total_cmp(&b.base));
    let mut rows: Vec<Vec<Strip>> = strips.chunk_by(Strip::is_beside).map(<[Strip]>::to_vec).collect();
    for row in &mut rows {
        row.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    rows.concat()
}
