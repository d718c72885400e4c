//! How alike two lists of judgements are.

/// Cohen's kappa of two lists of right and wrong: (agreement - agreement by chance) ÷ (1 - agreement by chance). `None`
/// for lists of different lengths or none, and where chance alone would agree on everything.
pub fn kappa(a: &[bool], b: &[bool]) -> Option<f64> {
    if a.len() != b.len() || a.is_empty() {
        return None;
    }
    let n = a.len() as f64;
    let share = |list: &[bool]| list.iter().filter(|right| **right).count() as f64 / n;
    let agreed = a.iter().zip(b).filter(|(a, b)| a == b).count() as f64 / n;
    let (a, b) = (share(a), share(b));
    let chance = a * b + (1.0 - a) * (1.0 - b);
    (chance < 1.0).then(|| (agreed - chance) / (1.0 - chance))
}

/// Pearson's correlation; `None` for lists of different lengths or of less than two, and where one does not vary.
pub fn pearson(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
    let (mx, my) = (mean(x), mean(y));
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    let (xx, yy) = (sum(&|x, _| x * x), sum(&|_, y| y * y));
    (xx > 0.0 && yy > 0.0).then(|| sum(&|x, y| x * y) / (xx * yy).sqrt())
}

/// Spearman's rank correlation: Pearson's of the ranks, equal values sharing the mean of theirs.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    pearson(&ranks(x), &ranks(y))
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let below = |v: f64| values.iter().filter(|other| other.total_cmp(&v).is_lt()).count() as f64;
    let equal = |v: f64| values.iter().filter(|other| other.total_cmp(&v).is_eq()).count() as f64;
    values.iter().map(|v| below(*v) + (equal(*v) + 1.0) / 2.0).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(ours: Option<f64>, theirs: &Value) {
        match (ours, theirs.as_f64()) {
            (Some(ours), Some(theirs)) => assert!((ours - theirs).abs() < 1e-9, "{ours}, not {theirs}"),
            (ours, theirs) => assert_eq!(ours, theirs),
        }
    }

    #[test]
    fn what_does_not_vary_correlates_with_nothing() {
        assert_eq!(pearson(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        assert_eq!(pearson(&[0.0, 0.0, 1.0], &[3.0, 1.0, 2.0]), Some(0.0));
    }

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/agreement.json")).unwrap();
        let list =
            |value: &Value| -> Vec<f64> { value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect() };
        let right = |value: &Value| -> Vec<bool> { list(value).iter().map(|v| *v > 0.5).collect() };
        let (kappas, rhos) = (file["kappa"].as_array().unwrap(), file["spearman"].as_array().unwrap());
        for vector in kappas {
            check(kappa(&right(&vector["a"]), &right(&vector["b"])), &vector["kappa"]);
        }
        for vector in rhos {
            check(spearman(&list(&vector["x"]), &list(&vector["y"])), &vector["rho"]);
        }
        assert_eq!((kappas.len(), rhos.len()), (5, 3));
    }
}
