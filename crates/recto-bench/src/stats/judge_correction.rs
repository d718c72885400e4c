//! The share of right answers when a judge with known errors counted them (Rogan and Gladen 1978).

/// How often a judge is right: shares, and on how many samples each was measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JudgeErrors {
    /// Share of wrong answers that it calls wrong.
    pub specificity: f64,
    /// Share of right answers that it calls right.
    pub sensitivity: f64,
    /// Wrong answers on which the specificity was measured.
    pub n_wrong: u32,
    /// Right answers on which the sensitivity was measured.
    pub n_right: u32,
}

/// The judge of MADQA: 48 wrong and 152 right answers by people's count.
pub const MADQA: JudgeErrors = JudgeErrors { specificity: 1.0, sensitivity: 0.98, n_wrong: 48, n_right: 152 };

/// A corrected share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Corrected {
    /// The share of right answers, 0 to 1.
    pub share: f64,
    /// One standard error, of the sample of `n` answers alone.
    pub standard_error: f64,
    /// The interval at the confidence of `z`.
    pub interval: (f64, f64),
}

/// Corrects the share `p` of `n` answers that a judge called right. `z` is the normal quantile: 1.959964 for 95 %.
///
/// With a nearly perfect judge (specificity and sensitivity above 1.9 together) the interval is that of the sample, else
/// that of Lang and Reiczigel (2014), which also knows how well the judge was measured. A judge that tells nothing
/// corrects nothing.
pub fn correct(p: f64, n: u32, judge: JudgeErrors, z: f64) -> Corrected {
    let JudgeErrors { specificity: q0, sensitivity: q1, .. } = judge;
    let told = q0 + q1 - 1.0;
    if n == 0 || told.abs() < f64::EPSILON {
        let interval = if n == 0 { (0.0, 0.0) } else { (0.0, 1.0) };
        return Corrected { share: p.clamp(0.0, 1.0), standard_error: 0.0, interval };
    }
    let share = ((p + q0 - 1.0) / told).clamp(0.0, 1.0);
    let standard_error = (p * (1.0 - p) / f64::from(n)).sqrt() / told;
    let (low, high) =
        if q0 + q1 > 1.9 { (share - z * standard_error, share + z * standard_error) } else { smoothed(p, n, judge, z) };
    Corrected { share, standard_error, interval: (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)) }
}

/// The interval of Lang and Reiczigel.
fn smoothed(p: f64, n: u32, judge: JudgeErrors, z: f64) -> (f64, f64) {
    let (n, n0, n1) = (f64::from(n), f64::from(judge.n_wrong), f64::from(judge.n_right));
    let p = (n * p + z * z / 2.0) / (n + z * z);
    let q0 = (n0 * judge.specificity + 1.0) / (n0 + 2.0);
    let q1 = (n1 * judge.sensitivity + 1.0) / (n1 + 2.0);
    let told = q0 + q1 - 1.0;
    let share = (p + q0 - 1.0) / told;
    let (wrong, right) = (q0 * (1.0 - q0) / (n0 + 2.0), q1 * (1.0 - q1) / (n1 + 2.0));
    let shift = 2.0 * z * z * (share * right - (1.0 - share) * wrong);
    let variance = p * (1.0 - p) / (n + z * z) + (1.0 - share).powi(2) * wrong + share.powi(2) * right;
    let half = z * variance.sqrt() / told;
    (share + shift - half, share + shift + half)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const Z95: f64 = 1.959_963_984_540_054;
    const Z90: f64 = 1.644_853_626_951_472_2;

    #[track_caller]
    fn check(what: &Value, ours: f64, theirs: &Value) {
        assert!((ours - theirs.as_f64().unwrap()).abs() < 1e-9, "{what}: {ours}, not {theirs}");
    }

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["bias_correction"].as_array().unwrap();
        for vector in vectors {
            let number = |key: &str| vector[key].as_f64();
            let judge = JudgeErrors {
                specificity: number("q0").unwrap_or(MADQA.specificity),
                sensitivity: number("q1").unwrap_or(MADQA.sensitivity),
                n_wrong: number("m0").map_or(MADQA.n_wrong, |n| n as u32),
                n_right: number("m1").map_or(MADQA.n_right, |n| n as u32),
            };
            let (p, n) = (number("raw").unwrap(), number("n").unwrap() as u32);
            let corrected = correct(p, n, judge, Z95);
            check(vector, corrected.share, &vector["adjusted"]);
            check(vector, corrected.standard_error, &vector["se"]);
            check(vector, corrected.interval.0, &vector["ci95"][0]);
            check(vector, corrected.interval.1, &vector["ci95"][1]);
            if vector.get("ci90").is_some() {
                let interval = correct(p, n, judge, Z90).interval;
                check(vector, interval.0, &vector["ci90"][0]);
                check(vector, interval.1, &vector["ci90"][1]);
            }
        }
        assert_eq!(vectors.len(), 14);
    }

    #[test]
    fn golden_aggregate() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["aggregate"].as_array().unwrap();
        let perfect = JudgeErrors { sensitivity: 1.0, ..MADQA };
        for vector in vectors {
            let scores: Vec<f64> = vector["scores"].as_array().unwrap().iter().map(|s| s.as_f64().unwrap()).collect();
            let mean = scores.iter().sum::<f64>() / (scores.len().max(1) as f64);
            for (key, judge, z) in [("corrected", MADQA, Z95), ("uncorrected", perfect, 1.96)] {
                let corrected = correct(mean, scores.len() as u32, judge, z);
                check(vector, corrected.share, &vector[key]["adjusted_score"]);
                check(vector, corrected.standard_error, &vector[key]["se"]);
                check(vector, corrected.interval.0, &vector[key]["ci_lower"]);
                check(vector, corrected.interval.1, &vector[key]["ci_upper"]);
            }
        }
        assert_eq!(vectors.len(), 5);
    }
}
