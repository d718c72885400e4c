//! Asks a system the items of a benchmark, several at a time, within limits. Knows no files: rows go to whoever takes them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use crate::item::Item;
use crate::row::{Fault, FaultClass, Outcome, Row};
use crate::system::System;

/// How long things may take. What is over its limit is a failed row, and scores as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeLimits {
    /// One item.
    pub item: Option<Duration>,
    /// All items together.
    pub run: Option<Duration>,
}

/// A row and how long it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Timed {
    /// The row.
    pub row: Row,
    /// Wall time.
    pub time: Duration,
}

/// Asks `system` each of `items` with `jobs` threads; `take` gets the rows as they come. Ends early when `stop` is set:
/// items that were not begun then have no row.
///
/// # Errors
/// What `take` says; no further item is begun then.
pub fn run<E>(
    items: &[&Item],
    system: &Arc<dyn System>,
    limits: TimeLimits,
    jobs: usize,
    stop: &AtomicBool,
    mut take: impl FnMut(Timed) -> Result<(), E>,
) -> Result<(), E> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let end = limits.run.map(|time| Instant::now() + time);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, over): (Sender<Timed>, _, _) = (sender.clone(), &next, &over);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
                    let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    if sender.send(ask(system, item, limits.item, end)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let taken = receiver.into_iter().try_for_each(&mut take);
        over.store(true, Ordering::Relaxed);
        taken
    })
}

fn ask(system: &Arc<dyn System>, item: &Item, limit: Option<Duration>, end: Option<Instant>) -> Timed {
    let start = Instant::now();
    let left = end.map(|end| end.saturating_duration_since(start));
    let row = match limit.into_iter().chain(left).min() {
        Some(Duration::ZERO) => failed(Fault::new(FaultClass::Limit, "the run's time was over")),
        Some(limit) => within(limit, system, item),
        None => guarded(&**system, item),
    };
    Timed { row: Row { id: item.id.clone(), ..row }, time: start.elapsed() }
}

/// The row, if it comes in time. A system that takes longer is left to itself: it can't be stopped from outside.
fn within(limit: Duration, system: &Arc<dyn System>, item: &Item) -> Row {
    let (sender, receiver) = channel();
    let (system, item) = (Arc::clone(system), item.clone());
    std::thread::spawn(move || sender.send(guarded(&*system, &item)).ok());
    let late = |_| failed(Fault::new(FaultClass::Limit, format_args!("no answer within {:.1} s", limit.as_secs_f64())));
    receiver.recv_timeout(limit).unwrap_or_else(late)
}

fn guarded(system: &dyn System, item: &Item) -> Row {
    let crashed = |_| Err(Fault::new(FaultClass::Internal, "the system crashed"));
    catch_unwind(AssertUnwindSafe(|| system.row(item))).unwrap_or_else(crashed).unwrap_or_else(failed)
}

fn failed(fault: Fault) -> Row {
    Row { outcome: Outcome::Failed, fault: Some(fault), ..Row::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers, fails, crashes or sleeps, as the question says.
    struct Moody;

    impl System for Moody {
        fn row(&self, item: &Item) -> Result<Row, Fault> {
            match item.question.as_str() {
                "fail" => Err(Fault::new(FaultClass::Transient, "busy")),
                "crash" => panic!("no"),
                "sleep" => {
                    std::thread::sleep(Duration::from_secs(60));
                    Ok(Row::default())
                }
                _ => Ok(Row { id: "not the item's".into(), ..Row::default() }),
            }
        }
    }

    fn rows(questions: &[&str], limits: TimeLimits, stop: bool) -> Vec<Row> {
        let item = |question: &&str| Item { id: (*question).into(), question: (*question).into(), ..Item::default() };
        let items: Vec<Item> = questions.iter().map(item).collect();
        let system: Arc<dyn System> = Arc::new(Moody);
        let mut rows = Vec::new();
        let taken: Result<(), ()> =
            run(&items.iter().collect::<Vec<_>>(), &system, limits, 3, &AtomicBool::new(stop), |timed| {
                rows.push(timed.row);
                Ok(())
            });
        assert_eq!(taken, Ok(()));
        rows.sort_by(|a, b| a.id.cmp(&b.id));
        rows
    }

    fn class(row: &Row) -> Option<FaultClass> {
        row.fault.as_ref().map(|fault| fault.class)
    }

    #[test]
    fn each_item_has_a_row_whatever_its_system_does() {
        let rows = rows(&["crash", "fail", "fine"], TimeLimits::default(), false);
        let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(ids, ["crash", "fail", "fine"]);
        let classes: Vec<_> = rows.iter().map(class).collect();
        assert_eq!(classes, [Some(FaultClass::Internal), Some(FaultClass::Transient), None]);
    }

    #[test]
    fn an_item_that_takes_too_long_has_failed() {
        let limits = TimeLimits { item: Some(Duration::from_millis(50)), run: None };
        assert_eq!(rows(&["sleep"], limits, false).iter().map(class).collect::<Vec<_>>(), [Some(FaultClass::Limit)]);
    }

    #[test]
    fn when_the_time_of_the_run_is_over_the_rest_fails() {
        let limits = TimeLimits { item: None, run: Some(Duration::ZERO) };
        assert_eq!(
            rows(&["a", "b"], limits, false).iter().map(class).collect::<Vec<_>>(),
            [Some(FaultClass::Limit); 2]
        );
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        assert_eq!(rows(&["a", "b"], TimeLimits::default(), true), []);
    }

    #[test]
    fn nothing_is_begun_after_rows_could_not_be_kept() {
        let items = vec![Item::default(); 1000];
        let system: Arc<dyn System> = Arc::new(Moody);
        let mut taken = 0;
        let full =
            run(&items.iter().collect::<Vec<_>>(), &system, TimeLimits::default(), 1, &AtomicBool::new(false), |_| {
                taken += 1;
                Err("disk full")
            });
        assert_eq!((full, taken), (Err("disk full"), 1));
    }
}
