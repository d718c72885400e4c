//! Agents that answer a question over a corpus of any size: they search, read, look and compute step by step, and answer
//! with pages that can be checked. An [episode](crate::episode) ranks pages by a benchmark's rules; these answer.
//!
//! Start at [`Session`]: the state machine, without input or output. A [`planner`] decides, a [`Desk`] and [`fn@act`] carry out
//! what it wants, [`drive`] goes round. Four kinds differ in their tools and prompts ([`Kind`]), not in how they run.
//!
//! Every tool reads the corpus and nothing else; what pages say reaches planners inside the [fence](crate::fence).

mod act;
mod call;
mod chain;
mod desk;
mod drive;
mod guard;
mod observation;
pub mod planner;
mod prompt;
mod record;
mod rules;
mod said;
mod session;
mod shelf;
mod table;
#[cfg(test)]
mod tests;
mod tool;
mod verify;

pub use act::{Outcome, act};
pub use call::{By, Call};
pub use chain::{Link, chain};
pub use desk::{Desk, Hit};
pub use drive::drive;
pub use observation::{Observation, Shot, Told};
pub use prompt::{digest, instructions};
pub use record::{Record, SCHEMA, atif};
pub use rules::{Kind, Rules};
pub use said::Said;
pub use session::{End, Last, Next, Session, Status, Step};
pub use shelf::{Entry, Shelf};
