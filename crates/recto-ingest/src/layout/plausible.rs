//! Tells tables from text whose chunks happen to stand in columns: prose in columns, lists, bibliographies, tables of
//! contents, forms.

use super::chunk::{Chunk, Row};
use super::lattice::Lattice;
use super::marks::Marks;
use super::sketch::Sketch;
use super::unruled::MIN_ROWS;
use crate::glyph::{NOWHERE, union};

/// Cells of a table of words have at most this many letters in the middle.
const WORDY: usize = 30;

/// Chunks of a column are off their common edge by less than this share of a line's height.
const MAX_OFF: f32 = 0.5;

/// True if rows and columns are those of a table.
pub(super) fn is_table(lattice: &Lattice<'_>, sketch: &Sketch) -> bool {
    let (n_columns, heads) = (lattice.columns.len(), lattice.heads());
    let several: Vec<(&Row, &Vec<(usize, usize)>)> =
        lattice.rows.iter().zip(&lattice.places).skip(heads).filter(|(_, places)| is_parted(places)).collect();
    if several.len() + heads.min(1) < MIN_ROWS || sketch.rows < MIN_ROWS {
        return false;
    }
    let in_column = |column: usize| {
        let chunks = several.iter().flat_map(|(row, places)| row.chunks.iter().zip(*places));
        chunks.filter(move |(_, (start, _))| *start == column).map(|(chunk, _)| chunk)
    };
    let filled: usize = (0..n_columns).map(|column| in_column(column).count()).sum();
    if filled * 4 < several.len() * n_columns || are_marks(&several) || is_contents(&several) {
        return false;
    }
    let n_aligned = (1..n_columns).filter(|column| are_aligned(in_column(*column).collect())).count();
    if n_aligned * 3 < (n_columns - 1) * 2 {
        return false;
    }
    let later: Vec<&Chunk> = (1..n_columns).flat_map(in_column).collect();
    let numbers = later.iter().filter(|chunk| chunk.is_number).count();
    let mostly_numbers = numbers * 2 >= later.len();
    let a_column_of_numbers = (1..n_columns).any(|c| {
        let (n, all) = in_column(c).fold((0, 0), |(n, all), chunk| (n + usize::from(chunk.is_number), all + 1));
        n >= MIN_ROWS && n * 5 >= all * 3
    });
    let mut letters: Vec<usize> = several.iter().flat_map(|(row, _)| &row.chunks).map(|chunk| chunk.letters).collect();
    letters.sort_unstable();
    let usual = letters.get(letters.len() / 2).copied().unwrap_or_default();
    let is_full = filled * 4 >= several.len() * n_columns * 3;
    let is_sparse = filled * 2 < several.len() * n_columns;
    match n_columns {
        _ if is_sparse => numbers * 5 >= later.len() * 3 && several.len() >= MIN_ROWS,
        2 => mostly_numbers && several.len() >= MIN_ROWS && usual <= WORDY,
        _ => {
            mostly_numbers
                || a_column_of_numbers && several.len() >= MIN_ROWS
                || is_full && usual <= WORDY && several.len() >= MIN_ROWS
        }
    }
}

/// True if most chunks of a column begin, end or are centred at one place.
fn are_aligned(chunks: Vec<&Chunk>) -> bool {
    let height = chunks.iter().map(|c| c.area[3] - c.area[1]).fold(f32::INFINITY, f32::min);
    let edges: [fn(&[f32; 4]) -> f32; 3] = [|area| area[0], |area| area[2], |area| (area[0] + area[2]) / 2.0];
    edges.iter().any(|edge| {
        let mut places: Vec<f32> = chunks.iter().map(|chunk| edge(&chunk.area)).collect();
        places.sort_by(f32::total_cmp);
        let usual = places.get(places.len() / 2).copied().unwrap_or_default();
        places.iter().filter(|place| (**place - usual).abs() < MAX_OFF * height).count() * 5 >= places.len() * 3
    })
}

fn is_parted(places: &[(usize, usize)]) -> bool {
    places.iter().zip(places.iter().skip(1)).any(|((a, _), (b, _))| a != b)
}

/// True if the first of two columns has the marks of a list or bibliography.
fn are_marks(rows: &[(&Row, &Vec<(usize, usize)>)]) -> bool {
    let firsts = rows.iter().filter_map(|(row, _)| row.chunks.first());
    let marks = firsts.filter(|chunk| chunk.letters <= 4 && chunk.words.len() == 1).count();
    let longs =
        rows.iter().filter(|(row, _)| row.chunks.len() == 2 && row.chunks.get(1).is_some_and(|c| c.letters > 12));
    marks * 3 >= rows.len() * 2 && longs.count() * 2 >= rows.len()
}

/// True if each row is a title and the number of a page.
fn is_contents(rows: &[(&Row, &Vec<(usize, usize)>)]) -> bool {
    let ends = || rows.iter().filter_map(|(row, _)| row.chunks.last());
    let is_page = |chunk: &&Chunk| {
        chunk.is_number && chunk.letters <= 4 && chunk.words.len() == 1 && chunk.opening.is_ascii_digit()
    };
    let short = ends().filter(is_page).count();
    let is_title = |row: &Row| row.chunks.iter().filter(|c| c.is_number).count() <= 1 && row.chunks.len() <= 3;
    let titles = rows.iter().filter(|(row, _)| is_title(row)).count();
    let led = rows.iter().filter(|(row, _)| row.chunks.iter().any(|chunk| chunk.is_led)).count();
    let most = |n: usize| n * 5 >= rows.len() * 4;
    most(short) && most(titles) && (led * 2 >= rows.len() || rows.iter().any(|(row, _)| row.letters() > 40))
}

/// A drawing narrower than this share of the table is a sign in it.
const SIGN: f32 = 0.15;

/// True if it is a chart with its labels: numbers stand in bars of their own, or there are curves among them.
pub(super) fn is_chart(lattice: &Lattice<'_>, marks: &Marks) -> bool {
    let area = lattice.rows.iter().map(|row| row.area).fold(NOWHERE, union);
    let width = area[2] - area[0];
    let has_curve = marks.drawings.iter().any(|drawn| {
        let is_large = drawn[2] - drawn[0] > SIGN * width && drawn[3] - drawn[1] > 2.0;
        is_large && holds(area, *drawn) && drawn[2] - drawn[0] <= width + 1.0
    });
    let numbers: Vec<&Chunk> =
        lattice.rows.iter().flat_map(|row| &row.chunks).filter(|chunk| chunk.is_number).collect();
    let mut bars: Vec<[i32; 2]> = numbers.iter().filter_map(|number| bar(number, &numbers, marks)).collect();
    let n_bars = bars.len();
    bars.sort_unstable();
    bars.dedup();
    // The shades of cells begin and end where their columns do; bars do not.
    let are_uneven = bars.len() > 2 * lattice.columns.len() && bars.len() * 3 > n_bars;
    has_curve || n_bars * 5 >= numbers.len() * 2 && are_uneven
}

/// Where the box begins and ends that holds this number and no other, to two points.
fn bar(number: &Chunk, numbers: &[&Chunk], marks: &Marks) -> Option<[i32; 2]> {
    let own = marks.boxes.iter().find(|area| {
        holds(**area, number.area) && numbers.iter().filter(|other| holds(**area, other.area)).count() == 1
    })?;
    Some([own[0], own[2]].map(|x| (x / 2.0).round() as i32))
}

/// True if the middle of the second box is within the first.
fn holds(area: [f32; 4], other: [f32; 4]) -> bool {
    let (x, y) = ((other[0] + other[2]) / 2.0, (other[1] + other[3]) / 2.0);
    area[0] <= x && x <= area[2] && area[1] <= y && y <= area[3]
}
