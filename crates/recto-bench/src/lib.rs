//! Rankings and answers to numbers.
//!
//! Read in this order: [`item`] (what is asked and what is right), [`row`] (what a system said), [`measure`] (one concept
//! a file: an item and a row to a score), [`score`] (scores of a whole run). The crate makes no predictions: systems are
//! handed in by whoever has them.

pub mod assignment;
pub mod baseline;
pub mod error;
pub mod evaluation;
pub mod item;
pub mod judge;
pub mod measure;
pub mod predictions;
pub mod python;
pub mod report;
pub mod results;
pub mod row;
pub mod run_dir;
pub mod runner;
pub mod score;
pub mod set;
pub mod stats;
pub mod system;
pub mod text;

pub use error::{BenchError, Result};
pub use evaluation::{Evaluation, evaluate};
pub use item::{BenchmarkSet, Gold, Item};
pub use measure::Measure;
pub use row::{AnswerText, Outcome, RankedPage, Row};
pub use score::Score;
pub use system::System;
