//! Classical test theory: what each item tells about the systems that answered it, and which items to keep.

use super::agreement::pearson;

/// What is known of an item.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ItemStatistics {
    /// The share of systems that are right: 1 is an easy item.
    pub difficulty: f64,
    /// p (1 - p).
    pub variance: f64,
    /// Point-biserial correlation of being right here with the total of right items; `None` if one does not vary.
    pub discrimination: Option<f64>,
    /// The same with the total of the other items, which is not lifted by the item itself.
    pub discrimination_rest: Option<f64>,
}

/// The statistics of each item. `right[s][i]`: whether system `s` is right on item `i`; rows of equal length.
pub fn statistics(right: &[Vec<bool>]) -> Vec<ItemStatistics> {
    let as_number = |right: bool| f64::from(u8::from(right));
    let totals: Vec<f64> = right.iter().map(|row| row.iter().map(|r| as_number(*r)).sum()).collect();
    let n_items = right.iter().map(Vec::len).min().unwrap_or_default();
    (0..n_items)
        .map(|item| {
            let scores: Vec<f64> = right.iter().map(|row| row.get(item).copied().map_or(0.0, as_number)).collect();
            let rest: Vec<f64> = totals.iter().zip(&scores).map(|(total, own)| total - own).collect();
            let difficulty = scores.iter().sum::<f64>() / scores.len() as f64;
            ItemStatistics {
                difficulty,
                variance: difficulty * (1.0 - difficulty),
                discrimination: pearson(&scores, &totals),
                discrimination_rest: pearson(&scores, &rest),
            }
        })
        .collect()
}

/// Kuder-Richardson 20, which for right and wrong is Cronbach's alpha: k/(k-1) (1 - Σ p(1-p) ÷ variance of the totals).
/// `None` for less than two items or totals that do not vary.
pub fn kr20(right: &[Vec<bool>]) -> Option<f64> {
    let items = statistics(right);
    let totals: Vec<f64> = right.iter().map(|row| row.iter().filter(|r| **r).count() as f64).collect();
    let (k, n) = (items.len() as f64, totals.len() as f64);
    let mean = totals.iter().sum::<f64>() / n;
    let variance = totals.iter().map(|total| (total - mean).powi(2)).sum::<f64>() / n;
    let own: f64 = items.iter().map(|item| item.variance).sum();
    (items.len() > 1 && variance > 0.0).then(|| k / (k - 1.0) * (1.0 - own / variance))
}

/// Chooses `n` items for a test set as MADQA does: first the hardest `n_sentinels`, whatever they tell; then, from
/// `n_bins` bins of equal width of difficulty in turn, the items that discriminate best. How many of each its authors
/// take is not published. Returns positions, in order.
pub fn select(items: &[ItemStatistics], n: usize, n_sentinels: usize, n_bins: usize) -> Vec<usize> {
    let mut hardest: Vec<usize> = (0..items.len()).collect();
    hardest.sort_by(|a, b| items[*a].difficulty.total_cmp(&items[*b].difficulty).then(a.cmp(b)));
    let rest = hardest.split_off(n_sentinels.min(n).min(hardest.len()));
    let mut chosen = hardest;
    let n_bins = n_bins.max(1);
    let mut bins: Vec<Vec<usize>> = vec![Vec::new(); n_bins];
    for item in rest {
        let bin = ((items[item].difficulty * n_bins as f64) as usize).min(n_bins - 1);
        bins[bin].push(item);
    }
    let told = |item: usize| items[item].discrimination_rest.unwrap_or(f64::NEG_INFINITY);
    // Popped from the end: the best stands last.
    bins.iter_mut().for_each(|bin| bin.sort_by(|a, b| told(*a).total_cmp(&told(*b)).then(b.cmp(a))));
    while chosen.len() < n && bins.iter().any(|bin| !bin.is_empty()) {
        let room = n - chosen.len();
        chosen.extend(bins.iter_mut().filter_map(Vec::pop).take(room));
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn golden_matrix() -> (Value, Vec<Vec<bool>>) {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/ctt_items.json")).unwrap();
        let row = |row: &Value| row.as_array().unwrap().iter().map(|r| r.as_i64() == Some(1)).collect();
        let matrix = file["matrix_rows_are_systems"].as_array().unwrap().iter().map(row).collect();
        (file, matrix)
    }

    #[test]
    fn golden() {
        let (file, matrix) = golden_matrix();
        let items = file["items"].as_array().unwrap();
        let ours = statistics(&matrix);
        assert_eq!((ours.len(), items.len()), (12, 12));
        for (ours, theirs) in ours.iter().zip(items) {
            let check = |ours: Option<f64>, key: &str| match theirs[key].as_f64() {
                Some(theirs) => assert!((ours.unwrap() - theirs).abs() < 1e-9, "{key}: {ours:?}, not {theirs}"),
                None => assert_eq!(ours, None, "{key} of {theirs}"),
            };
            check(Some(ours.difficulty), "p");
            check(Some(ours.variance), "variance");
            check(ours.discrimination, "r_total");
            check(ours.discrimination_rest, "r_rest");
        }
    }

    #[test]
    fn items_that_agree_make_a_reliable_test() {
        let same = |n: usize| vec![n > 2; 4];
        assert_eq!(kr20(&(0..6).map(same).collect::<Vec<_>>()), Some(1.0));
        assert_eq!(kr20(&[vec![true], vec![false]]), None);
        assert_eq!(kr20(&[vec![true, true], vec![true, true]]), None);
    }

    #[test]
    fn the_hardest_are_kept_and_then_the_telling_ones_of_each_difficulty() {
        let item = |difficulty, rest| ItemStatistics {
            difficulty,
            variance: 0.0,
            discrimination: None,
            discrimination_rest: Some(rest),
        };
        let items = [item(0.0, -1.0), item(0.9, 0.1), item(0.9, 0.7), item(0.4, 0.2), item(0.4, 0.3), item(0.4, 0.3)];
        assert_eq!(select(&items, 3, 1, 2), [0, 2, 4]);
        assert_eq!(select(&items, 9, 1, 2), [0, 1, 2, 3, 4, 5]);
    }
}
