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

/// A clock whose time passes only while all who work by it sleep: hours take no time.
///
/// Threads that share it must each hold a [`worker`](Self::worker) while they work, or time runs ahead of them.
#[cfg(any(test, feature = "fake"))]
#[derive(Clone, Debug, Default)]
pub struct VirtualClock(std::sync::Arc<Shared>);

#[cfg(any(test, feature = "fake"))]
#[derive(Debug, Default)]
struct Shared {
    time: std::sync::Mutex<Time>,
    passed: std::sync::Condvar,
}

#[cfg(any(test, feature = "fake"))]
#[derive(Debug, Default)]
struct Time {
    now: Duration,
    workers: usize,
    /// When each sleeper wakes.
    sleepers: Vec<Duration>,
}

#[cfg(any(test, feature = "fake"))]
impl Time {
    /// Lets time pass up to the first sleeper's end, if all sleep.
    fn pass(&mut self) {
        if let Some(first) = self.sleepers.iter().min()
            && self.sleepers.len() >= self.workers
        {
            self.now = self.now.max(*first);
        }
    }
}

/// One who works by a virtual clock, until dropped.
#[cfg(any(test, feature = "fake"))]
#[derive(Debug)]
pub struct Worker(VirtualClock);

#[cfg(any(test, feature = "fake"))]
impl VirtualClock {
    /// Counts the caller among those who work by this clock.
    pub fn worker(&self) -> Worker {
        self.time().workers += 1;
        Worker(self.clone())
    }

    fn time(&self) -> std::sync::MutexGuard<'_, Time> {
        self.0.time.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(any(test, feature = "fake"))]
impl Drop for Worker {
    fn drop(&mut self) {
        let mut time = self.0.time();
        time.workers -= 1;
        time.pass();
        self.0.0.passed.notify_all();
    }
}

#[cfg(any(test, feature = "fake"))]
impl Clock for VirtualClock {
    fn now(&self) -> Duration {
        self.time().now
    }

    fn sleep(&self, length: Duration) {
        let mut time = self.time();
        let end = time.now.saturating_add(length);
        time.sleepers.push(end);
        time.pass();
        self.0.passed.notify_all();
        while time.now < end {
            time = self.0.passed.wait(time).unwrap_or_else(std::sync::PoisonError::into_inner);
            time.pass();
        }
        if let Some(at) = time.sleepers.iter().position(|wakes| *wakes == end) {
            time.sleepers.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_pass_at_once_and_in_parallel() {
        let clock = VirtualClock::default();
        clock.sleep(Duration::from_secs(3600));
        let workers: Vec<Worker> = (0..4).map(|_| clock.worker()).collect();
        std::thread::scope(|scope| {
            for (n, worker) in (1..).zip(workers) {
                let clock = &clock;
                scope.spawn(move || {
                    (0..10).for_each(|_| clock.sleep(Duration::from_secs(10 * n)));
                    drop(worker);
                });
            }
        });
        assert_eq!(clock.now(), Duration::from_secs(3600 + 400));
    }
}
