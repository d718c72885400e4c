//! The reward curve of the batch task: the mean answer score against that of a given baseline.

use super::mmlongbench::mean;
use super::{Cutoff, Definition, Formula};
use crate::score::Score;

/// What the baseline of the task reaches.
const BASELINE: f64 = 0.435_098_978_054_377_2;

/// `Reward`: 0.2 at the baseline, 1 for all right, straight between. Of one set; the task takes the mean over two, and
/// scores texts and lists by a judge where this takes the rules.
pub(super) const DEFINITION: Definition = Definition {
    name: "Reward",
    about: "reward curve of the batch task at this set's mean MMLB",
    cutoff: Cutoff::None,
    options: &[],
    formula: Formula::Run(|_, cases| match mean(cases) {
        Some(quality) => Score::Value(reward(quality)),
        None => Score::Unscored("no answer with a format is known".into()),
    }),
};

/// 0.2 q ÷ b up to the baseline b, then 0.2 + 0.8 (q - b) ÷ (1 - b).
pub fn reward(quality: f64) -> f64 {
    if quality <= BASELINE { 0.2 * quality / BASELINE } else { 0.2 + 0.8 * (quality - BASELINE) / (1.0 - BASELINE) }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn golden() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/source002_reward.json")).unwrap();
        let vectors = file["vectors"].as_array().unwrap();
        for vector in vectors {
            let ours = reward(vector["q"].as_f64().unwrap());
            assert!((ours - vector["reward"].as_f64().unwrap()).abs() < 1e-9, "{vector}: {ours}");
        }
        assert_eq!(vectors.len(), 15);
    }
}
