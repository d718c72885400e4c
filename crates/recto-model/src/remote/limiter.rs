//! How many requests are out at once, and how many go out in a minute: shared by all threads that ask one server, and
//! found by themselves. Each reply lets a little more out, each 429 a lot less.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Clock;

const MINUTE: Duration = Duration::from_secs(60);
/// How often a thread looks whether another has come back.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// A complaint leaves so much of what is out at once, and of the pace.
const LEFT: f64 = 0.6;
/// Fewer requests in a minute say nothing about a pace.
const FEW: usize = 8;
/// So many more requests a minute are tried after a minute without complaints.
const MORE_A_MINUTE: f64 = 60.0;
/// A faster pace is no limit.
const NO_LIMIT: f64 = 600.0;

/// Lets requests out.
#[derive(Debug)]
pub(super) struct Limiter {
    clock: Arc<dyn Clock>,
    /// Never more at once.
    most: f64,
    requests_a_minute: Option<u32>,
    tokens_a_minute: Option<u64>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    out: u32,
    /// So many may be out: between 1 and the most.
    allowed: f64,
    /// Requests a minute, evenly spaced; found where even one at a time is too many.
    pace: f64,
    /// When requests went out in the last minute, and with how many tokens.
    sent: VecDeque<(Duration, u64)>,
    /// The server asked to wait until then.
    not_before: Duration,
    /// When less was last allowed: requests from before then tell nothing new.
    lowered: Option<Duration>,
}

/// A request that is out, until dropped.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    limiter: &'a Limiter,
    began: Duration,
}

impl Limiter {
    pub(super) fn new(clock: Arc<dyn Clock>, most: u32, requests: Option<u32>, tokens: Option<u64>) -> Self {
        let most = f64::from(most.max(1));
        let state = State {
            out: 0,
            allowed: most,
            pace: f64::INFINITY,
            sent: VecDeque::new(),
            not_before: Duration::ZERO,
            lowered: None,
        };
        Self { clock, most, requests_a_minute: requests, tokens_a_minute: tokens, state: Mutex::new(state) }
    }

    /// Waits until a request of so many tokens may go out; `None` if that is not before `deadline`.
    pub(super) fn acquire(&self, tokens: u64, deadline: Duration) -> Option<Permit<'_>> {
        loop {
            let now = self.clock.now();
            let Some(wait) = self.state().wait(now, tokens, self) else {
                return Some(Permit { limiter: self, began: now });
            };
            if now.saturating_add(wait) > deadline {
                return None;
            }
            self.clock.sleep(wait);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// How long to wait before looking again, or `None` if the request is out now.
    fn wait(&mut self, now: Duration, tokens: u64, limits: &Limiter) -> Option<Duration> {
        while self.sent.front().is_some_and(|(at, _)| *at + MINUTE <= now) {
            self.sent.pop_front();
        }
        let spaced = self.sent.back().map_or(Duration::ZERO, |(last, _)| *last + MINUTE.div_f64(self.pace));
        let earliest = spaced.max(self.not_before);
        if earliest > now {
            return Some(earliest - now);
        }
        if f64::from(self.out) + 1.0 > self.allowed {
            return Some(LOOK_AGAIN);
        }
        let many = limits.requests_a_minute.is_some_and(|limit| self.sent.len() >= limit.max(1) as usize);
        let sum: u64 = self.sent.iter().map(|(_, tokens)| tokens).sum();
        let long = limits.tokens_a_minute.is_some_and(|limit| sum.saturating_add(tokens) > limit);
        if let Some((oldest, _)) = self.sent.front().filter(|_| many || long) {
            return Some((*oldest + MINUTE).saturating_sub(now));
        }
        self.out += 1;
        self.sent.push_back((now, tokens));
        None
    }

    fn lower(&mut self, now: Duration, too_many: bool) {
        self.lowered = Some(now);
        if self.allowed > 1.0 {
            self.allowed = (self.allowed * LEFT).max(1.0);
        } else if too_many && self.sent.len() >= FEW {
            self.pace = (self.pace.min(self.sent.len() as f64) * LEFT).max(1.0);
        }
    }
}

impl Permit<'_> {
    /// The server replied: a little more may go out.
    pub(super) fn well(&self) {
        let mut state = self.limiter.state();
        state.allowed = (state.allowed + 1.0 / state.allowed).min(self.limiter.most);
        state.pace += MORE_A_MINUTE / state.pace;
        if state.pace > NO_LIMIT {
            state.pace = f64::INFINITY;
        }
    }

    /// The server has too much: fewer may be out, then, if it said that they were too many, they go out more slowly. Nothing
    /// goes out before it is ready.
    pub(super) fn slow_down(&self, too_many: bool, retry_after: Option<Duration>) {
        let now = self.limiter.clock.now();
        let mut state = self.limiter.state();
        if let Some(wait) = retry_after {
            state.not_before = state.not_before.max(now.saturating_add(wait));
        }
        if state.lowered.is_none_or(|lowered| self.began >= lowered) {
            state.lower(now, too_many);
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.limiter.state();
        state.out = state.out.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VirtualClock;

    fn limiter(most: u32, requests: Option<u32>, tokens: Option<u64>) -> (VirtualClock, Limiter) {
        let clock = VirtualClock::default();
        (clock.clone(), Limiter::new(Arc::new(clock), most, requests, tokens))
    }

    #[test]
    fn a_minute_holds_so_many_requests_and_tokens() {
        for (requests, tokens) in [(Some(3), None), (None, Some(30)), (Some(3), Some(1000))] {
            let (clock, limiter) = limiter(8, requests, tokens);
            for n in 0..9 {
                drop(limiter.acquire(10, Duration::MAX).unwrap());
                assert_eq!(clock.now().as_secs() / 60, n / 3, "{requests:?} {tokens:?}");
            }
            assert!(limiter.acquire(10, clock.now() + Duration::from_secs(59)).is_none());
        }
        let (clock, limiter) = limiter(8, None, Some(30));
        drop(limiter.acquire(500, Duration::MAX).unwrap());
        assert_eq!(clock.now(), Duration::ZERO, "what is too long for any minute goes out alone");
    }

    #[test]
    fn complaints_lower_what_is_out_and_replies_bring_it_back() {
        let (clock, limiter) = limiter(8, None, None);
        let all = |limiter: &Limiter| limiter.state().allowed.floor() as u32;
        let out: Vec<Permit<'_>> = (0..8).map(|_| limiter.acquire(1, Duration::MAX).unwrap()).collect();
        assert!(limiter.acquire(1, clock.now() + Duration::from_millis(10)).is_none());
        clock.sleep(Duration::from_secs(1));
        // Eight complaints about one burst count once.
        out.iter().for_each(|permit| permit.slow_down(true, Some(Duration::from_secs(7))));
        drop(out);
        assert_eq!(all(&limiter), 4);
        let began = clock.now();
        let next = limiter.acquire(1, Duration::MAX).unwrap();
        assert_eq!(clock.now(), began + Duration::from_secs(7));
        (0..60).for_each(|_| next.well());
        assert_eq!(all(&limiter), 8);
        (0..9).for_each(|_| limiter.state().lower(Duration::MAX, false));
        assert_eq!((all(&limiter), limiter.state().pace), (1, f64::INFINITY));
    }

    #[test]
    fn one_at_a_time_goes_slower_and_faster_again() {
        let (clock, limiter) = limiter(1, None, None);
        for _ in 0..10 {
            drop(limiter.acquire(1, Duration::MAX).unwrap());
        }
        assert_eq!(clock.now(), Duration::ZERO);
        let last = limiter.acquire(1, Duration::MAX).unwrap();
        last.slow_down(true, None);
        drop(last);
        // Six tenths of the eleven that went out in a minute.
        let next = limiter.acquire(1, Duration::MAX).unwrap();
        assert_eq!(clock.now(), Duration::from_secs(60).div_f64(6.6));
        (0..10_000).for_each(|_| next.well());
        assert!(limiter.state().pace.is_infinite());
    }
}
