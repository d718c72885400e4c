//! Who goes with whom, so that the sum is largest: the assignment problem.
//!
//! Of equally good assignments this finds the one that `munkres` 3.0.0 (PyPI) finds, on which ANLS* of nested lists
//! depends: each row in turn takes its first best column if that is free, the others follow by shortest augmenting paths.

/// The pairs (row, column) of the largest sum, in the order of the rows; as many as the shorter side has entries. The
/// rows of `profit` are of one length and hold no NaN.
pub fn best_pairs(profit: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let columns = profit.first().map_or(0, Vec::len);
    let most = profit.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    if columns >= profit.len() {
        let costs = profit.iter().map(|row| row.iter().map(|value| most - value).collect());
        return cheapest(&costs.collect::<Vec<_>>());
    }
    let costs = (0..columns).map(|c| profit.iter().map(|row| most - row.get(c).copied().unwrap_or(most)).collect());
    let mut pairs: Vec<_> = cheapest(&costs.collect::<Vec<_>>()).into_iter().map(|(c, r)| (r, c)).collect();
    pairs.sort_unstable();
    pairs
}

/// The pairs of the least sum, for as many columns as rows or more.
fn cheapest(costs: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let mut search = Search::new(costs);
    for row in 0..costs.len() {
        if !search.row_of.contains(&Some(row)) {
            search.place(row);
        }
    }
    let mut pairs: Vec<_> = search.row_of.iter().enumerate().filter_map(|(c, row)| Some(((*row)?, c))).collect();
    pairs.sort_unstable();
    pairs
}

struct Search<'a> {
    costs: &'a [Vec<f64>],
    /// What each row and column is worth: no cost is below the sum of its two.
    row_worth: Vec<f64>,
    column_worth: Vec<f64>,
    row_of: Vec<Option<usize>>,
}

/// The cheapest known way to a column: its cost, and the column before it.
#[derive(Clone, Copy)]
struct Way {
    cost: f64,
    from: Option<usize>,
    used: bool,
}

impl<'a> Search<'a> {
    fn new(costs: &'a [Vec<f64>]) -> Self {
        let columns = costs.first().map_or(0, Vec::len);
        let row_worth: Vec<f64> = costs.iter().map(|row| row.iter().copied().fold(f64::INFINITY, f64::min)).collect();
        let mut row_of = vec![None; columns];
        for (row, (costs, least)) in costs.iter().zip(&row_worth).enumerate() {
            let free = |(c, cost): (usize, &f64)| row_of.get(c).is_some_and(Option::is_none) && cost == least;
            if let Some(column) = costs.iter().enumerate().position(free) {
                row_of[column] = Some(row);
            }
        }
        Self { costs, row_worth, column_worth: vec![0.0; columns], row_of }
    }

    /// Gives `row` a column, moving others to free one.
    fn place(&mut self, row: usize) {
        let mut ways = vec![Way { cost: f64::INFINITY, from: None, used: false }; self.row_of.len()];
        let mut at = None;
        let free = loop {
            let from_row = at.map_or(Some(row), |column: usize| self.row_of[column]);
            // A column without a row ends the path.
            let Some(from_row) = from_row else { break at };
            self.widen(from_row, at, &mut ways);
            let Some(next) = nearest(&ways) else { break None };
            self.shift(row, ways[next].cost, &mut ways);
            ways[next].used = true;
            at = Some(next);
        };
        let mut column = free;
        while let Some(c) = column {
            let before = ways[c].from;
            self.row_of[c] = before.map_or(Some(row), |before| self.row_of[before]);
            column = before;
        }
    }

    /// The ways from `row`, whose column is `at`.
    fn widen(&self, row: usize, at: Option<usize>, ways: &mut [Way]) {
        for (c, way) in ways.iter_mut().enumerate().filter(|(_, way)| !way.used) {
            let cost = self.costs[row][c] - self.row_worth[row] - self.column_worth[c];
            if cost < way.cost {
                (way.cost, way.from) = (cost, at);
            }
        }
    }

    /// Makes the nearest column free of cost.
    fn shift(&mut self, row: usize, by: f64, ways: &mut [Way]) {
        self.row_worth[row] += by;
        for (c, way) in ways.iter_mut().enumerate() {
            if way.used {
                if let Some(row) = self.row_of[c] {
                    self.row_worth[row] += by;
                }
                self.column_worth[c] -= by;
            } else {
                way.cost -= by;
            }
        }
    }
}

fn nearest(ways: &[Way]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (c, way) in ways.iter().enumerate().filter(|(_, way)| !way.used) {
        if way.cost < best.map_or(f64::INFINITY, |(_, cost)| cost) {
            best = Some((c, way.cost));
        }
    }
    best.map(|(c, _)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_first_column() {
        for (profit, pairs) in [
            (vec![], vec![]),
            (vec![vec![], vec![]], vec![]),
            (vec![vec![0.5, 0.5], vec![0.5, 0.5]], vec![(0, 0), (1, 1)]),
            (vec![vec![1.0, 0.9], vec![1.0, 0.0]], vec![(0, 1), (1, 0)]),
            (vec![vec![0.2], vec![0.7], vec![0.7]], vec![(1, 0)]),
        ] {
            assert_eq!(best_pairs(&profit), pairs, "{profit:?}");
        }
    }

    /// The largest sum over all ways to pair.
    fn by_trying(profit: &[Vec<f64>], taken: &mut Vec<usize>) -> f64 {
        let Some((row, rest)) = profit.split_first() else { return 0.0 };
        let mut best = if rest.len() + 1 > row.len() - taken.len() { by_trying(rest, taken) } else { 0.0 };
        for (c, value) in row.iter().enumerate() {
            if !taken.contains(&c) {
                taken.push(c);
                best = best.max(value + by_trying(rest, taken));
                taken.pop();
            }
        }
        best
    }

    proptest::proptest! {
        #[test]
        fn the_sum_is_largest(rows in 1..6usize, columns in 1..6usize, values in proptest::collection::vec(0..5u8, 25)) {
            let profit: Vec<Vec<f64>> = values.chunks(5).take(rows)
                .map(|row| row.iter().take(columns).map(|value| f64::from(*value)).collect()).collect();
            let sum: f64 = best_pairs(&profit).iter().map(|(r, c)| profit[*r][*c]).sum();
            proptest::prop_assert_eq!(sum, by_trying(&profit, &mut Vec::new()));
        }
    }
}
