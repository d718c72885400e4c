//! Pages to a ranking.
//!
//! Read in this order: [`tokenize`] (which terms a text has), [`lexical`] (the word index on disk), [`bm25`] (the
//! formula), [`searcher`] (an index to a ranking), [`query`] (what people write), [`mod@snippet`] (what they see).
//! Beside the words, vectors: [`kernel`] (products, quickly), [`vectors`] (files of them, and the nearest pages). Above
//! both, [`route`]: the ways to rank, one by one and together.
//! The crate knows no files but its own: which document versions are live, the catalog says.

mod asked;
pub mod bm25;
pub mod boolean;
pub mod error;
pub mod kernel;
mod kinds;
mod language;
pub mod lexical;
pub mod query;
pub mod ranking;
pub mod route;
pub mod searcher;
pub mod snippet;
pub mod tokenize;
mod top;
pub mod vectors;

pub use asked::asked;
pub use boolean::Boolean;
pub use error::{Result, SearchError};
pub use kinds::{Kinds, UnknownKind};
pub use lexical::{LexicalReader, LexicalWriter};
pub use query::Query;
pub use ranking::{Hit, Part, Ranking, Scope, Search, Share};
pub use route::{Ranker, Route, RouteEncoder, Routes, VectorRoute, VectorStore, rerank};
pub use searcher::{Corrected, Correction, Searcher};
pub use snippet::{Snippet, snippet, snippet_of};
