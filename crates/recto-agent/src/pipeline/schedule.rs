//! The questions of a batch: which is next, how much is spent on it and for how long, and which are tried again. Threads
//! share it. Times come from whoever has a clock.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Effort, Pace};
use crate::answer::Missed;

/// So often a question is tried whose model was out of reach, and one whose model made no sense.
const TRIES: u32 = 8;
const SENSELESS_TRIES: u32 = 3;
/// A question whose model was out of reach waits so long before it is tried again, twice as long each time.
const PAUSE: Duration = Duration::from_secs(1);
/// It waits no longer.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);

/// The questions that are left, and how fast they are answered.
#[derive(Debug)]
pub struct Schedule {
    at_once: usize,
    deadline: Option<Duration>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    waiting: VecDeque<Waiting>,
    pace: Pace,
    /// How many are worked on now.
    out: usize,
}

#[derive(Debug)]
struct Waiting {
    question: usize,
    tries: u32,
    not_before: Duration,
}

/// A question whose turn it is.
#[derive(Debug)]
pub struct Turn {
    /// Its place in the batch, counted from 0.
    pub question: usize,
    /// What is done for it.
    pub effort: Effort,
    /// For how long, at most.
    pub time: Option<Duration>,
    tries: u32,
    began: Duration,
}

/// What is to be done next.
#[derive(Debug)]
pub enum Next {
    /// Answer this question.
    Turn(Turn),
    /// Ask again after so long: what is left is not to be tried sooner.
    Wait(Duration),
    /// There is no time for this one.
    Late(Turn),
    /// Nothing is left.
    Over,
}

impl Schedule {
    /// So many questions, of which `at_once` are worked on together until `deadline`.
    pub fn new(questions: usize, at_once: usize, deadline: Option<Duration>) -> Self {
        let first = |question| Waiting { question, tries: 0, not_before: Duration::ZERO };
        let state = State { waiting: (0..questions).map(first).collect(), pace: Pace::default(), out: 0 };
        Self { at_once: at_once.max(1), deadline, state: Mutex::new(state) }
    }

    /// What a thread that has nothing to do does now.
    pub fn next(&self, now: Duration) -> Next {
        let mut state = self.state();
        let Some(at) = state.waiting.iter().position(|waiting| waiting.not_before <= now || self.is_late(now)) else {
            let soonest = state.waiting.iter().map(|waiting| waiting.not_before).min();
            return soonest.map_or(Next::Over, |soonest| Next::Wait(soonest.saturating_sub(now)));
        };
        let (effort, time) = self.share(&state, now);
        let Some(Waiting { question, tries, .. }) = state.waiting.remove(at) else { return Next::Over };
        state.out += 1;
        let turn = Turn { question, effort, time, tries, began: now };
        if self.is_late(now) { Next::Late(turn) } else { Next::Turn(turn) }
    }

    /// Notes what became of a turn: `asked` tells whether the model was, `missed` whether it gave nothing. True if the
    /// question will have another turn.
    pub fn done(&self, turn: Turn, now: Duration, asked: bool, missed: Option<Missed>) -> bool {
        let mut state = self.state();
        state.out = state.out.saturating_sub(1);
        let took = now.saturating_sub(turn.began);
        // What ran out of its time is known to take that long at least.
        let ran_out = turn.time.is_some_and(|time| took >= time.mul_f64(0.9));
        if asked && (missed.is_none() || ran_out) {
            state.pace.note(turn.effort, took);
        }
        let tries = turn.tries + 1;
        let pause = PAUSE.saturating_mul(1 << turn.tries.min(16)).min(LONGEST_PAUSE);
        let not_before = now.saturating_add(pause);
        let in_time = self.deadline.is_none_or(|deadline| not_before < deadline);
        let most = match missed {
            // Where there was no time to ask the model, there will be none later.
            _ if turn.effort == Effort::Offline => 0,
            Some(Missed::Passing) => TRIES,
            Some(Missed::Senseless) => SENSELESS_TRIES,
            Some(Missed::Lasting) | None => 0,
        };
        let again = tries < most && in_time;
        if again {
            state.waiting.push_back(Waiting { question: turn.question, tries, not_before });
        }
        again
    }

    fn is_late(&self, now: Duration) -> bool {
        self.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// What can be done for a question, and for how long: three times the share of each, since few need it.
    fn share(&self, state: &State, now: Duration) -> (Effort, Option<Duration>) {
        let Some(deadline) = self.deadline else { return (Effort::Full, None) };
        let left = deadline.saturating_sub(now);
        let questions = state.waiting.len() + state.out;
        let effort = state.pace.effort(left, questions, self.at_once);
        (effort, Some(left.min(state.pace.share(left, questions, self.at_once) * 3)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn turn(next: Next) -> Turn {
        match next {
            Next::Turn(turn) => turn,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_the_model_missed_is_tried_again_after_the_others() {
        let schedule = Schedule::new(2, 1, None);
        let first = turn(schedule.next(Duration::ZERO));
        assert_eq!((first.question, first.effort, first.time), (0, Effort::Full, None));
        assert!(schedule.done(first, SECOND, true, Some(Missed::Passing)));
        let second = turn(schedule.next(SECOND));
        assert_eq!(second.question, 1);
        assert!(!schedule.done(second, SECOND, true, None));
        // It is too early for the first one.
        assert!(matches!(schedule.next(SECOND), Next::Wait(wait) if wait == SECOND));
        let again = turn(schedule.next(2 * SECOND));
        assert_eq!(again.question, 0);
        assert!(!schedule.done(again, 3 * SECOND, true, Some(Missed::Lasting)));
        assert!(matches!(schedule.next(3 * SECOND), Next::Over));
    }

    /// How often the only question is tried, and how long that takes.
    fn tried(missed: Missed) -> (u32, Duration) {
        let schedule = Schedule::new(1, 4, None);
        let (mut now, mut tries) = (Duration::ZERO, 0);
        loop {
            match schedule.next(now) {
                Next::Turn(turn) => {
                    tries += 1;
                    schedule.done(turn, now, true, Some(missed));
                }
                Next::Wait(wait) => now += wait,
                _ => return (tries, now),
            }
        }
    }

    #[test]
    fn a_question_is_not_tried_for_ever_nor_after_the_deadline() {
        assert_eq!(tried(Missed::Passing), (TRIES, 127 * SECOND));
        assert_eq!(tried(Missed::Senseless), (SENSELESS_TRIES, 3 * SECOND));
        assert_eq!(tried(Missed::Lasting), (1, Duration::ZERO));
        let short = Schedule::new(2, 1, Some(2 * SECOND));
        let first = turn(short.next(Duration::ZERO));
        assert!(!short.done(first, SECOND, true, Some(Missed::Passing)));
        assert!(matches!(short.next(2 * SECOND), Next::Late(turn) if turn.question == 1));
        assert!(matches!(short.next(2 * SECOND), Next::Over));
    }
}
