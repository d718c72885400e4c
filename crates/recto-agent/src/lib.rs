//! A question to an answer with evidence, and a task to a ranking of pages.
//!
//! A question, without a model: start at [`answer()`]. It is taken apart ([`question`]), looked up on the pages in scope
//! (`qa`), and answered by a short span that stands there, or declined; whatever is cited was found among the words of its
//! page ([`citation`]).
//!
//! A question, with a language model: [`pipeline`] chooses pages, shows them, and checks what the model says on them.
//!
//! A task, step by step: start at [`episode`]. A [`planner`] decides, a [`toolbox`] acts, the episode between them knows the
//! rules and does neither; [`mod@run`] drives it. Planners know pages by [`handle`] alone.
//!
//! A question over a whole corpus, step by step: the agents of [`agent`] search, read, look, count and compute; a
//! [`calculator`] and small [`program`]s are among their tools.
//!
//! What pages say is data: nothing in it changes what is done.

pub mod action;
pub mod agent;
pub mod answer;
pub mod budget;
pub mod calculator;
pub mod citation;
pub mod crop;
pub mod episode;
pub mod error;
#[cfg(test)]
mod fake_toolbox;
pub mod fence;
pub mod fingerprint;
#[cfg(test)]
mod golden;
pub mod handle;
pub mod observation;
pub mod parse;
pub mod pipeline;
pub mod planner;
pub mod prediction;
pub mod program;
pub mod prompt;
mod qa;
pub mod question;
pub mod rerank;
pub mod run;
pub mod support;
pub mod toolbox;
pub mod trajectory;

pub use answer::{Answer, Citation, Coverage, DECLINE, Missed, Status};
pub use citation::cite;
pub use error::{AgentError, Result};
pub use qa::{Options, answer};
pub use question::{Kind, Question};
