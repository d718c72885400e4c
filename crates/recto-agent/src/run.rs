//! Drives an episode to its end: asks the planner, has the toolbox act. Clock and storage come in as arguments.

use std::time::Duration;

use crate::episode::{Episode, Next};
use crate::planner::{Planner, Turn};
use crate::toolbox::{self, Toolbox};

/// Runs an episode from where it stands. `clock` gives the time since any fixed moment; `kept` is called whenever a step is
/// over and can store the episode.
///
/// # Errors
/// Those of `kept`.
pub fn run<E>(
    episode: &mut Episode,
    planner: &mut dyn Planner,
    toolbox: &dyn Toolbox,
    clock: &dyn Fn() -> Duration,
    mut kept: impl FnMut(&Episode) -> Result<(), E>,
) -> Result<(), E> {
    loop {
        let before = clock();
        match episode.next() {
            Next::Done(_) => return Ok(()),
            Next::Decide | Next::Finalize => {
                let reply = planner.decide(&Turn { episode, toolbox });
                episode.decided(reply);
            }
            Next::Act(call) => {
                let outcome = toolbox::act(toolbox, call);
                episode.acted(outcome);
            }
        }
        episode.took(u64::try_from(clock().saturating_sub(before).as_millis()).unwrap_or(u64::MAX));
        kept(episode)?;
    }
}
