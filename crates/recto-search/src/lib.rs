//! Pages to a ranking.

pub mod error;
pub mod ranking;

pub use error::{Result, SearchError};
pub use ranking::{Hit, Part, Ranking, Scope, Search};
