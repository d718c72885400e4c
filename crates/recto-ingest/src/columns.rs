//! Columns of a page: which strips of text are read one after the other. Splits a page at the gutter between two columns
//! of running text, again and again, and leaves tables alone.

use crate::reading_order::Strip;
use crate::tables;

/// Resolution at which gutters are looked for, in parts of the region's width.
const BINS: usize = 200;

/// A gutter may be crossed by this share of the text beside it (titles, tables and figures over both columns).
const MOST_CROSSED: f32 = 0.5;

/// A column has at least this many full rows.
const MIN_ROWS: usize = 4;

/// Running text has at least this many letters in most rows of a column.
const MIN_LETTERS: usize = 18;

/// Running text fills at least this share of the column's width in most rows.
const MIN_FILL: f32 = 0.6;

/// Pages with more strips are no pages to read; looking for their columns could take forever.
const MOST_STRIPS: usize = 10_000;

/// How often a page may be split.
const MAX_DEPTH: u32 = 6;

/// Groups strips, given in the order of drawing, to groups in reading order; within a group the strips are in order.
pub(crate) fn in_order(strips: Vec<Strip>) -> Vec<Vec<Strip>> {
    let mut groups = Vec::new();
    split(strips, 0, &mut groups);
    groups
}

fn split(strips: Vec<Strip>, depth: u32, groups: &mut Vec<Vec<Strip>>) {
    let gutter = if depth < MAX_DEPTH { gutter(&strips) } else { None };
    let Some(x) = gutter.filter(|x| is_drawn_across(&strips, *x)) else {
        return groups.push(in_sane_order(strips));
    };
    for band in bands(strips, x) {
        match columns(&band, x) {
            Some(columns) => columns.into_iter().for_each(|column| split(column, depth + 1, groups)),
            None => groups.push(in_sane_order(band)),
        }
    }
}

/// The two columns of a band, if it consists of two columns of running text that are drawn row by row.
fn columns(band: &[Strip], x: f32) -> Option<[Vec<Strip>; 2]> {
    let (left, right): (Vec<_>, Vec<_>) = band.iter().copied().partition(|s| middle(s) < x);
    let are_columns = is_running_text(&left) && is_running_text(&right) && is_drawn_across(band, x);
    are_columns.then_some([left, right])
}

fn middle(strip: &Strip) -> f32 {
    (strip.left + strip.right) / 2.0
}

fn crosses(strip: &Strip, x: f32) -> bool {
    strip.left < x && x < strip.right
}

/// Where the fewest strips are, in the middle part of the region, if that is few enough.
fn gutter(strips: &[Strip]) -> Option<f32> {
    if !(2 * MIN_ROWS..=MOST_STRIPS).contains(&strips.len()) {
        return None;
    }
    let left = strips.iter().map(|s| s.left).fold(f32::INFINITY, f32::min);
    let right = strips.iter().map(|s| s.right).fold(f32::NEG_INFINITY, f32::max);
    let width = (right - left) / BINS as f32;
    let counts = coverage(strips, left, width);
    let middle = counts.get(BINS / 5..BINS - BINS / 5)?;
    let fewest = *middle.iter().min()?;
    let beside = |part: Option<&[usize]>| part.and_then(|p| p.iter().max().copied()).unwrap_or(0);
    let start = middle.iter().position(|c| *c == fewest)? + BINS / 5;
    let end = start + counts.get(start..)?.iter().take_while(|c| **c == fewest).count();
    let least = beside(counts.get(..start)).min(beside(counts.get(end..)));
    let clear = fewest as f32 <= MOST_CROSSED * least as f32;
    clear.then_some(left + (start + end) as f32 / 2.0 * width)
}

/// How many strips stand over each part of the region's width.
fn coverage(strips: &[Strip], left: f32, width: f32) -> Vec<usize> {
    let mut counts = vec![0; BINS];
    let bin = |x: f32| ((x - left) / width.max(f32::MIN_POSITIVE)) as usize;
    for strip in strips {
        let end = bin(strip.right).min(BINS - 1);
        if let Some(covered) = counts.get_mut(bin(strip.left).min(end)..=end) {
            covered.iter_mut().for_each(|count| *count += 1);
        }
    }
    counts
}

/// True if the drawing goes back and forth over the gutter, as from row to row.
fn is_drawn_across(strips: &[Strip], x: f32) -> bool {
    let sides: Vec<bool> = strips.iter().filter(|s| !crosses(s, x)).map(|s| middle(s) < x).collect();
    let changes = sides.windows(2).filter(|pair| pair.first() != pair.last()).count();
    let left = sides.iter().filter(|is_left| **is_left).count();
    changes >= MIN_ROWS && changes >= left.min(sides.len() - left) / 2
}

/// Bands of the region from top to bottom: those that consist of two columns, and what is between them.
fn bands(strips: Vec<Strip>, x: f32) -> Vec<Vec<Strip>> {
    let crossing: Vec<Strip> = strips.iter().filter(|s| crosses(s, x)).copied().collect();
    let is_across = |s: &Strip| crossing.iter().any(|c| c.index == s.index || c.is_beside(s));
    let mut sorted: Vec<(bool, Strip)> = strips.into_iter().map(|s| (is_across(&s), s)).collect();
    sorted.sort_by(|(_, a), (_, b)| a.base.total_cmp(&b.base));
    let mut bands: Vec<(bool, Vec<Strip>)> = Vec::new();
    for part in sorted.chunk_by(|(a, _), (b, _)| a == b) {
        let mut part: Vec<Strip> = part.iter().map(|(_, strip)| *strip).collect();
        part.sort_by_key(|s| s.index);
        let has_columns = columns(&part, x).is_some();
        match bands.last_mut() {
            Some((false, band)) if !has_columns => band.append(&mut part),
            _ => bands.push((has_columns, part)),
        }
    }
    for (_, band) in &mut bands {
        band.sort_by_key(|s| s.index);
    }
    bands.into_iter().map(|(_, band)| band).collect()
}

/// True if most rows of the column are long and full: prose, not the cells of a table.
fn is_running_text(column: &[Strip]) -> bool {
    let left = column.iter().map(|s| s.left).fold(f32::INFINITY, f32::min);
    let right = column.iter().map(|s| s.right).fold(f32::NEG_INFINITY, f32::max);
    let mut sorted = column.to_vec();
    sorted.sort_by(|a, b| a.base.total_cmp(&b.base));
    let rows: Vec<&[Strip]> = sorted.chunk_by(Strip::is_beside).collect();
    let is_full = |row: &&&[Strip]| {
        let letters: usize = row.iter().map(|s| s.letters).sum();
        let filled: f32 = row.iter().map(|s| s.right - s.left).sum();
        letters >= MIN_LETTERS && filled >= MIN_FILL * (right - left)
    };
    let full = rows.iter().filter(is_full).count();
    full >= MIN_ROWS && full * 3 >= rows.len() * 2
}

/// The order of drawing, or that of the places if the drawing jumps about.
fn in_sane_order(strips: Vec<Strip>) -> Vec<Strip> {
    let jumps = strips.windows(2).filter(|pair| matches!(pair, [a, b] if is_jump_back(a, b))).count();
    if jumps >= MIN_ROWS && jumps * 3 > strips.len() {
        return tables::sorted_by_rows(strips);
    }
    tables::by_rows(strips)
}

/// True if the second strip stands where one would have read it before the first.
fn is_jump_back(a: &Strip, b: &Strip) -> bool {
    if a.is_beside(b) {
        if a.rtl || b.rtl { b.left > a.right } else { b.right < a.left }
    } else {
        b.base < a.base && a.shares_column(b)
    }
}
