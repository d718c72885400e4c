//! Time as whoever waits for models sees it. Tests and simulations bring a clock that needs no waiting.

use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Tells how long it has been running, and waits.
pub trait Clock: Send + Sync + Debug {
    /// The time since the clock began.
    fn now(&self) -> Duration;

    /// Returns when so much time has passed.
    fn sleep(&self, time: Duration);
}

/// The machine's own time.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    began: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { began: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}
