//! The answerer on small documents written as text.

mod answers;
mod corpus;
