//! Ruling lines to grids: where the rows and columns of a ruled table are, and which cells reach over several. Knows no
//! words.

/// Rulings nearer than this, in points, are one, and touch each other.
const NEAR: f32 = 3.0;

/// Of a cell's side, this share must be ruled; else the cell goes on beyond it.
const MIN_RULED: f32 = 0.6;

/// A page with more rulings in one direction is a drawing.
const MOST_LINES: usize = 250;

/// Rows and columns that ruling lines make, with the cells between them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Grid {
    /// Where the columns begin and end.
    pub(super) xs: Vec<f32>,
    /// Where the rows begin and end.
    pub(super) ys: Vec<f32>,
    /// The cells, by row, then column.
    pub(super) cells: Vec<Span>,
}

/// The rows and columns that a cell takes up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
}

/// A straight line: where it is across its direction, and from where to where it goes.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Line {
    at: f32,
    from: f32,
    to: f32,
}

/// All grids of at least two rows and two columns.
pub(super) fn grids(rulings: &[[f32; 4]]) -> Vec<Grid> {
    let (across, down): (Vec<[f32; 4]>, Vec<[f32; 4]>) = rulings.iter().partition(|[l, t, r, b]| r - l > b - t);
    let across = merged(across.iter().map(|[l, t, r, b]| Line { at: (t + b) / 2.0, from: *l, to: *r }).collect());
    let down = merged(down.iter().map(|[l, t, r, b]| Line { at: (l + r) / 2.0, from: *t, to: *b }).collect());
    if across.len() > MOST_LINES || down.len() > MOST_LINES {
        return Vec::new();
    }
    connected(&across, &down).into_iter().filter_map(|(across, down)| grid(&across, &down)).collect()
}

/// Lines at one place become one, and so do those that go on where another ends.
fn merged(mut lines: Vec<Line>) -> Vec<Line> {
    lines.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut merged: Vec<Line> = Vec::new();
    for cluster in lines.chunk_by_mut(|a, b| b.at - a.at < NEAR / 2.0) {
        let at = cluster.iter().map(|line| line.at).sum::<f32>() / cluster.len().max(1) as f32;
        cluster.sort_by(|a, b| a.from.total_cmp(&b.from));
        for line in cluster.iter() {
            match merged.last_mut() {
                Some(last) if last.at == at && line.from <= last.to + NEAR => last.to = last.to.max(line.to),
                _ => merged.push(Line { at, ..*line }),
            }
        }
    }
    merged
}

/// Groups of lines that touch each other, directly or through others.
fn connected(across: &[Line], down: &[Line]) -> Vec<(Vec<Line>, Vec<Line>)> {
    let mut group: Vec<usize> = (0..across.len() + down.len()).collect();
    for (i, h) in across.iter().enumerate() {
        for (j, _) in down.iter().enumerate().filter(|(_, v)| h.touches(v)) {
            let (a, b) = (root(&group, i), root(&group, across.len() + j));
            if let Some(parent) = group.get_mut(a.max(b)) {
                *parent = a.min(b);
            }
        }
    }
    let of = |root_of: usize, lines: &[Line], first: usize| -> Vec<Line> {
        lines.iter().enumerate().filter(|(i, _)| root(&group, first + i) == root_of).map(|(_, line)| *line).collect()
    };
    let roots = (0..across.len()).filter(|i| root(&group, *i) == *i);
    roots.map(|i| (of(i, across, 0), of(i, down, across.len()))).filter(|(_, down)| !down.is_empty()).collect()
}

fn root(parents: &[usize], mut i: usize) -> usize {
    while let Some(parent) = parents.get(i).filter(|parent| **parent != i) {
        i = *parent;
    }
    i
}

impl Line {
    fn touches(&self, other: &Self) -> bool {
        let reaches = |line: &Self, at: f32| (line.from - NEAR..=line.to + NEAR).contains(&at);
        reaches(self, other.at) && reaches(other, self.at)
    }

    /// How much of the stretch the line covers.
    fn covered(&self, from: f32, to: f32) -> f32 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }
}

fn grid(across: &[Line], down: &[Line]) -> Option<Grid> {
    let (xs, ys) = (places(down, across), places(across, down));
    let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
    if columns < 2 || rows < 2 || !has_long_lines(&xs, &ys, down) {
        return None;
    }
    let cells = cells(&Ruled { xs: &xs, ys: &ys, across, down }, rows, columns);
    let several = |many: &dyn Fn(&Span) -> usize| cells.iter().any(|cell| many(cell) > 0);
    (several(&|cell| cell.row) && several(&|cell| cell.column)).then_some(Grid { xs, ys, cells })
}

/// True if half of the lines between columns go down half of the grid: boxes here and there make no columns.
fn has_long_lines(xs: &[f32], ys: &[f32], down: &[Line]) -> bool {
    let (Some(top), Some(bottom)) = (ys.first(), ys.last()) else { return false };
    let covered = |x: &f32| -> f32 {
        down.iter().filter(|line| (line.at - x).abs() < NEAR).map(|line| line.covered(*top, *bottom)).sum()
    };
    let inner = xs.get(1..xs.len() - 1).unwrap_or_default();
    let long = inner.iter().filter(|x| covered(x) * 2.0 >= bottom - top).count();
    long * 2 >= inner.len()
}

/// Where lines are, and where those across them begin and end: the outer lines of a table are often not drawn.
fn places(lines: &[Line], across: &[Line]) -> Vec<f32> {
    let ends = across.iter().flat_map(|line| [line.from, line.to]);
    let (least, most) = ends.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let mut places: Vec<f32> =
        lines.iter().map(|line| line.at).chain([least, most]).filter(|x| x.is_finite()).collect();
    places.sort_by(f32::total_cmp);
    places.dedup_by(|next, last| *next - *last < NEAR);
    places
}

struct Ruled<'g> {
    xs: &'g [f32],
    ys: &'g [f32],
    across: &'g [Line],
    down: &'g [Line],
}

impl Ruled<'_> {
    /// True if a line stands between a cell and the one to its left.
    fn has_left(&self, row: usize, column: usize) -> bool {
        is_ruled(self.down, self.xs.get(column), self.ys.get(row..row + 2))
    }

    /// True if a line stands between a cell and the one above.
    fn has_top(&self, row: usize, column: usize) -> bool {
        is_ruled(self.across, self.ys.get(row), self.xs.get(column..column + 2))
    }
}

fn is_ruled(lines: &[Line], at: Option<&f32>, stretch: Option<&[f32]>) -> bool {
    let (Some(at), Some([from, to])) = (at, stretch) else { return true };
    let covered: f32 = lines.iter().filter(|l| (l.at - at).abs() < NEAR).map(|l| l.covered(*from, *to)).sum();
    covered >= MIN_RULED * (to - from)
}

/// The cells of a grid: places with no line between them are one, if they form a rectangle.
fn cells(ruled: &Ruled<'_>, rows: usize, columns: usize) -> Vec<Span> {
    let mut taken = vec![false; rows * columns];
    let mut cells = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if taken.get(row * columns + column) != Some(&false) {
            continue;
        }
        let is_open = |r: usize, c: usize| taken.get(r * columns + c) == Some(&false);
        let wide = (column + 1..columns).take_while(|c| is_open(row, *c) && !ruled.has_left(row, *c)).count() + 1;
        let joins = |r: &usize| {
            (column..column + wide)
                .all(|c| is_open(*r, c) && !ruled.has_top(*r, c) && (c == column || !ruled.has_left(*r, c)))
        };
        let high = (row + 1..rows).take_while(joins).count() + 1;
        for r in row..row + high {
            taken.iter_mut().skip(r * columns + column).take(wide).for_each(|place| *place = true);
        }
        cells.push(Span { row, column, row_span: high, column_span: wide });
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn across(y: f32, from: f32, to: f32) -> [f32; 4] {
        [from, y, to, y + 0.5]
    }

    fn down(x: f32, from: f32, to: f32) -> [f32; 4] {
        [x, from, x + 0.5, to]
    }

    /// Rows x columns, then `row,column:rows x columns` of cells that take up several.
    fn check(rulings: &[[f32; 4]], want: &str) {
        let say = |cell: &Span| {
            let Span { row, column, row_span, column_span } = cell;
            format!("{row},{column}:{row_span}x{column_span}")
        };
        let found = grids(rulings);
        let all = found.iter().map(|grid| {
            let spans = grid.cells.iter().filter(|c| c.row_span * c.column_span > 1).map(say).collect::<Vec<_>>();
            [vec![format!("{}x{}", grid.ys.len() - 1, grid.xs.len() - 1)], spans].concat().join(" ")
        });
        assert_eq!(all.collect::<Vec<_>>().join("; "), want);
    }

    #[test]
    fn lines_make_grids() {
        let frame = [across(0.0, 0.0, 300.0), across(60.0, 0.0, 300.0), down(0.0, 0.0, 60.0), down(300.0, 0.0, 60.0)];
        let inner =
            [across(20.0, 0.0, 300.0), across(40.0, 0.0, 300.0), down(100.0, 0.0, 60.0), down(200.0, 0.0, 60.0)];
        check(&frame, "");
        check(&[&frame[..], &inner].concat(), "3x3");
        check(&inner, "3x3");
        let header_over_two = [&frame[..], &inner[..3], &[down(200.0, 20.0, 60.0)]].concat();
        check(&header_over_two, "3x3 0,1:1x2");
        let label_over_two = [&frame[..], &inner[2..], &[inner[0], across(40.0, 100.0, 300.0)]].concat();
        check(&label_over_two, "3x3 1,0:2x1");
        let broken_lines: Vec<[f32; 4]> =
            [0.0, 20.0, 40.0].iter().flat_map(|y| [across(*y, 0.0, 99.0), across(*y + 0.4, 101.0, 200.0)]).collect();
        check(&[&broken_lines[..], &[down(100.0, 0.0, 40.0)]].concat(), "2x2");
        let apart: Vec<[f32; 4]> =
            inner.iter().map(|[l, t, r, b]| [l + 400.0, t + 100.0, r + 400.0, b + 100.0]).collect();
        check(&[&inner[..], &apart].concat(), "3x3; 3x3");
    }
}
