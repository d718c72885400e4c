//! Whoever decides for an agent: a model, a person or program, a recording, rules.

mod chat;
mod lines;
mod offline;
mod replay;

use recto_page::{PageImage, Region};

use super::desk::Desk;
use super::observation::Shot;
use super::session::{Last, Session};
use crate::planner::Reply;
use crate::toolbox::ToolError;

pub use chat::ChatPlanner;
pub use lines::Lines;
pub use offline::Offline;
pub use replay::Replay;

/// Decides what a session does next.
pub trait Planner {
    /// The reply to one turn, in words.
    fn decide(&mut self, turn: &Turn<'_>) -> Reply;

    /// Who decides, such as `stdio` or the name of a model.
    fn name(&self) -> &str;
}

/// What a planner sees.
pub struct Turn<'a> {
    /// The session so far.
    pub session: &'a Session,
    /// Draws what is visible.
    pub desk: &'a dyn Desk,
    /// What the reply must be, if it is the last one.
    pub last: Option<Last<'a>>,
}

impl Turn<'_> {
    /// The pixels of a picture that was shown.
    fn draw(&self, shot: &Shot) -> Result<PageImage, ToolError> {
        let [left, top, right, bottom] = shot.region.unwrap_or([0.0, 0.0, 1.0, 1.0]);
        self.desk.picture(&shot.page, Region::new(left, top, right, bottom), shot.dpi)
    }
}
