//! The batch contract: `build` makes an index from a corpus, `run` answers a file of questions.
//!
//! Both exit with 0 once every readable row is served: a failed command would void the whole call.

pub(crate) mod build;
mod failures;
mod fields;
mod queries;
mod records;
mod rows;
pub(crate) mod run;
