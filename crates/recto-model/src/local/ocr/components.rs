//! Connected spots of a probability map: runs of pixels above a limit, joined where they touch, also at corners.

/// Pixels `start..end` of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) y: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The runs of each spot, spots in the order of their first pixel, row by row.
pub(crate) fn spots(map: &[f32], width: usize, limit: f32) -> Vec<Vec<Run>> {
    let rows = map.chunks_exact(width.max(1)).enumerate();
    let runs: Vec<Run> = rows.flat_map(|(y, row)| runs_of(row, y, limit)).collect();
    let mut sets = Sets::new(runs.len());
    join_touching(&runs, &mut sets);
    let mut spots: Vec<Vec<Run>> = Vec::new();
    let mut spot_of = vec![usize::MAX; runs.len()];
    for (index, run) in runs.iter().enumerate() {
        let root = sets.root(index);
        if spot_of[root] == usize::MAX {
            spot_of[root] = spots.len();
            spots.push(Vec::new());
        }
        spots[spot_of[root]].push(*run);
    }
    spots
}

fn runs_of(row: &[f32], y: usize, limit: f32) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut start = None;
    for (x, &value) in row.iter().chain(&[f32::NEG_INFINITY]).enumerate() {
        match (start, value > limit) {
            (None, true) => start = Some(x),
            (Some(from), false) => {
                runs.push(Run { y, start: from, end: x });
                start = None;
            }
            _ => {}
        }
    }
    runs
}

/// Joins each run with those of the row above that it touches. Runs are sorted by row, then by start.
fn join_touching(runs: &[Run], sets: &mut Sets) {
    let mut above = 0;
    for (index, run) in runs.iter().enumerate() {
        while above < index && (runs[above].y + 1 < run.y || (runs[above].y < run.y && runs[above].end < run.start)) {
            above += 1;
        }
        let touching = (above..index).take_while(|&i| runs[i].y < run.y && runs[i].start <= run.end);
        touching.for_each(|i| sets.join(i, index));
    }
}

/// Disjoint sets of numbers; the root of a set is its smallest number.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.0[index] != index {
            self.0[index] = self.0[self.0[index]];
            index = self.0[index];
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(picture: &[&str], sizes: &[usize]) {
        let width = picture[0].len();
        let map: Vec<f32> =
            picture.iter().flat_map(|row| row.bytes().map(|b| f32::from(u8::from(b == b'#')))).collect();
        let pixels = |spot: &Vec<Run>| spot.iter().map(|run| run.end - run.start).sum::<usize>();
        assert_eq!(spots(&map, width, 0.5).iter().map(pixels).collect::<Vec<_>>(), sizes, "{picture:?}");
    }

    #[test]
    fn pixels_that_touch_are_one_spot() {
        check(&["....", "...."], &[]);
        check(&["#..#", "#..#"], &[2, 2]);
        check(&["#...", ".#..", "..##"], &[4]);
        check(&["#.#.#", "#####"], &[8]);
        check(&["##..##", "..##..", "......", "..##.."], &[6, 2]);
        check(&["#.#", "...", "#.#"], &[1, 1, 1, 1]);
        check(&["..#", "#.#", "###"], &[6]);
    }

    #[test]
    fn nothing_is_no_spot() {
        assert_eq!(spots(&[], 0, 0.5), Vec::<Vec<Run>>::new());
        assert_eq!(spots(&[f32::NAN, 1.0], 2, 0.5).len(), 1);
    }
}
