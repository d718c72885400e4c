//! The answerer on small documents written as text.
#![allow(clippy::unwrap_used, reason = "a failed step fails the test")]

mod answers;
mod corpus;
mod kinds;
mod rehearsal;
mod shapes;
