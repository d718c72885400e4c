//! Drives a session to its end: asks the planner, has the desk act. The clock comes in as an argument.

use std::time::Duration;

use super::act::act;
use super::desk::Desk;
use super::planner::{Planner, Turn};
use super::session::{Next, Session};

/// Runs a session from where it stands. `clock` gives the time since any fixed moment.
pub fn drive(session: &mut Session, planner: &mut dyn Planner, desk: &dyn Desk, clock: &dyn Fn() -> Duration) {
    loop {
        let before = clock();
        match session.next() {
            Next::Done(_) => return,
            Next::Decide => {
                let reply = planner.decide(&Turn { session, desk, last: None });
                session.decided(reply);
            }
            Next::Finalize(last) => {
                let reply = planner.decide(&Turn { session, desk, last: Some(last) });
                session.decided(reply);
            }
            Next::Act(call) => {
                let outcome = act(desk, session, call, planner.name());
                session.acted(outcome);
            }
        }
        session.took(u64::try_from(clock().saturating_sub(before).as_millis()).unwrap_or(u64::MAX));
    }
}
