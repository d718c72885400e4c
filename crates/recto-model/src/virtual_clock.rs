//! A clock for tests and simulations: hours of waiting take no time, and threads that wait do so side by side.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Clock;

/// A clock whose time passes only while all who work by it sleep: hours take no time.
///
/// Threads that share it must each hold a [`worker`](Self::worker) while they work, or time runs ahead of them.
#[derive(Clone, Debug, Default)]
pub struct VirtualClock(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    time: Mutex<Time>,
    passed: Condvar,
}

#[derive(Debug, Default)]
struct Time {
    now: Duration,
    workers: usize,
    /// When each sleeper wakes.
    sleepers: Vec<Duration>,
}

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
#[derive(Debug)]
pub struct Worker(VirtualClock);

impl VirtualClock {
    /// Counts the caller among those who work by this clock.
    pub fn worker(&self) -> Worker {
        self.time().workers += 1;
        Worker(self.clone())
    }

    fn time(&self) -> MutexGuard<'_, Time> {
        self.0.time.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut time = self.0.time();
        time.workers -= 1;
        time.pass();
        self.0.0.passed.notify_all();
    }
}

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
            time = self.0.passed.wait(time).unwrap_or_else(PoisonError::into_inner);
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
