//! Baselines as their papers compute them, in memory, apart from recto's own index and its better terms.

pub mod bm25;
pub mod ctrl_f;
pub mod rrf;
pub mod vectors;
