//! Whether effort is spent where it pays: MADQA's Kuiper statistic and wasted effort.

/// How much was spent on an item, and whether its answer is right.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spent {
    /// Steps, calls or whatever is counted; what is not above 0 is left out.
    pub effort: f64,
    /// Whether the answer is right.
    pub right: bool,
}

/// How items of equal effort are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// As given, as the reference has it: the value depends on the order of rows.
    AsGiven,
    /// Not at all: the sum is looked at only where the effort changes.
    Free,
}

/// Kuiper's statistic with the curve that it measures.
#[derive(Clone, PartialEq, Debug)]
pub struct Kuiper {
    /// Greatest minus least value of the curve, in items (not divided by their number); `None` if all items are right,
    /// all are wrong, or there are none.
    pub statistic: Option<f64>,
    /// Share of right answers.
    pub share: f64,
    /// Greatest value of the curve.
    pub highest: f64,
    /// Least value of the curve.
    pub lowest: f64,
    /// Σ (right - share) over the items in order of effort: (effort, sum) after each item, or each tie.
    pub curve: Vec<(f64, f64)>,
}

/// MADQA's calibration of effort: with items in ascending order of effort, the range of the running sum of
/// (right - share). 0 is no relation between effort and being right; the range is at most n·share·(1 - share).
pub fn kuiper(items: &[Spent], ties: Ties) -> Kuiper {
    let mut items: Vec<Spent> = items.iter().copied().filter(|spent| spent.effort > 0.0).collect();
    items.sort_by(|a, b| a.effort.total_cmp(&b.effort));
    let right = |spent: &Spent| f64::from(u8::from(spent.right));
    let share = items.iter().map(right).sum::<f64>() / items.len().max(1) as f64;
    let mut sum = 0.0;
    let mut curve: Vec<(f64, f64)> = Vec::with_capacity(items.len());
    for spent in &items {
        sum += right(spent) - share;
        let tied = curve.last().is_some_and(|(effort, _)| *effort == spent.effort);
        if tied && ties == Ties::Free {
            curve.pop();
        }
        curve.push((spent.effort, sum));
    }
    if share <= 0.0 || share >= 1.0 {
        return Kuiper { statistic: None, share, highest: 0.0, lowest: 0.0, curve };
    }
    let highest = curve.iter().map(|(_, sum)| *sum).fold(f64::NEG_INFINITY, f64::max);
    let lowest = curve.iter().map(|(_, sum)| *sum).fold(f64::INFINITY, f64::min);
    Kuiper { statistic: Some(highest - lowest), share, highest, lowest, curve }
}

/// Mean effort of wrong answers ÷ mean effort of right ones; infinite if none is right, 0 if none is wrong.
pub fn wasted(items: &[Spent]) -> f64 {
    let mean = |right: bool| {
        let efforts = items.iter().filter(|spent| spent.right == right && spent.effort > 0.0).map(|spent| spent.effort);
        let (sum, n) = efforts.fold((0.0, 0_u32), |(sum, n), effort| (sum + effort, n + 1));
        (n > 0).then(|| sum / f64::from(n))
    };
    mean(true).map_or(f64::INFINITY, |right| mean(false).unwrap_or_default() / right)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn number(value: &Value) -> Option<f64> {
        value.as_f64().or_else(|| value.as_str()?.parse().ok())
    }

    fn spent(row: &Value) -> Spent {
        let effort = ["steps", "llm_calls", "effort"].iter().find_map(|key| number(&row[key]).filter(|n| *n > 0.0));
        Spent { effort: effort.unwrap_or_default(), right: row["correct"].as_bool().unwrap() }
    }

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["kuiper"].as_array().unwrap();
        for vector in vectors {
            let items: Vec<Spent> = vector["results"].as_array().unwrap().iter().map(spent).collect();
            let check = |ours: f64, theirs: &Value| {
                let theirs = number(theirs).unwrap();
                let same = (ours - theirs).abs() < 1e-9 || ours == theirs || ours.is_nan() && theirs.is_nan();
                assert!(same, "{}: {ours}, not {theirs}", vector["note"]);
            };
            let ours = kuiper(&items, Ties::AsGiven);
            let theirs = &vector["kuiper"];
            check(ours.statistic.unwrap_or(f64::NAN), &theirs["kuiper_stat"]);
            check(ours.share, &theirs["y_bar"]);
            check(ours.lowest, &theirs["max_negative"]);
            check(ours.highest, &theirs["max_positive"]);
            check(ours.curve.len() as f64, &theirs["n_samples"]);
            check(wasted(&items), &vector["wasted"]["ratio"]);
        }
        assert_eq!(vectors.len(), 17);
    }

    #[test]
    fn without_ties_the_order_of_rows_is_of_no_interest() {
        let spent = |effort, right| Spent { effort, right };
        let mut items = [spent(2.0, true), spent(2.0, false), spent(1.0, false), spent(3.0, true)];
        let free = kuiper(&items, Ties::Free).statistic;
        items.swap(0, 1);
        assert_eq!(kuiper(&items, Ties::Free).statistic, free);
        assert_eq!(free, Some(0.5));
    }
}
