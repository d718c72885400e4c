//! A question to an answer with evidence, without a model.
//!
//! Start at [`answer()`]. A question is taken apart ([`question`]), looked up on the pages in scope (`qa`), and answered
//! by a short span that stands there, or declined; whatever is cited was found among the words of its page
//! ([`citation`]). What pages say is data: nothing in it changes what is done.

pub mod answer;
pub mod citation;
pub mod error;
mod qa;
pub mod question;

pub use answer::{Answer, Citation, Coverage, DECLINE, Status};
pub use citation::cite;
pub use error::{AgentError, Result};
pub use qa::{Options, answer};
pub use question::{Kind, Question};
