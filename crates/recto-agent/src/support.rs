//! The order in which supporting pages are shown before the first step: it must not tell which one comes first on the way
//! to the answer.

use recto_page::mersenne_twister::MersenneTwister;
use sha2::{Digest, Sha256};

/// The seed of VisDocAgentBench.
pub const SUPPORT_SEED: u64 = 20_260_815;

/// Shuffles the supporting pages of a query, by `random.Random` of the first eight bytes of SHA-256 of `seed:query_id`.
pub fn shuffle<T>(pages: &mut [T], seed: u64, query_id: &str) {
    let digest = Sha256::digest(format!("{seed}:{query_id}"));
    let seed = digest.iter().take(8).fold(0, |seed, byte| (seed << 8) | u64::from(*byte));
    MersenneTwister::new(seed).shuffle(pages);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden;

    #[test]
    fn golden_orders() {
        let vectors = golden::vectors("support_order");
        for vector in &vectors {
            let mut pages = golden::texts(&vector["supports"]);
            shuffle(&mut pages, vector["seed"].as_u64().unwrap(), vector["query_id"].as_str().unwrap());
            assert_eq!(pages, golden::texts(&vector["visible"]), "{vector}");
        }
        assert_eq!(vectors.len(), 6);
    }
}
