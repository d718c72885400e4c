//! What the machine is, and what it has spent on this program: processor time and memory, those of its workers included.
//! From Linux's `/proc`; elsewhere there are no numbers.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

/// Linux counts processor time in hundredths of a second for everybody.
const TICKS: f64 = 100.0;

/// The machine that figures were taken on.
#[derive(Serialize)]
pub(super) struct Machine {
    processor: String,
    n_processors: usize,
    memory_bytes: u64,
    system: String,
    recto: &'static str,
}

/// What a piece of work took.
#[derive(Serialize)]
pub(super) struct Cost {
    /// Wall time.
    pub(super) seconds: f64,
    /// Processor time of this process and of the workers that have ended.
    pub(super) cpu_seconds: Option<f64>,
    /// The most that this process and its workers held at once, in bytes.
    pub(super) peak_memory: Option<u64>,
}

pub(super) fn describe() -> Machine {
    let line = |file: &str, key: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let value = text.lines().find(|line| line.starts_with(key)).and_then(|line| line.split_once(':'));
        value.map(|(_, value)| value.trim().to_owned()).unwrap_or_default()
    };
    let kib = line("/proc/meminfo", "MemTotal");
    Machine {
        processor: line("/proc/cpuinfo", "model name"),
        n_processors: std::thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: kib.split(' ').next().and_then(|n| n.parse::<u64>().ok()).unwrap_or_default() << 10,
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        recto: env!("CARGO_PKG_VERSION"),
    }
}

/// Does some work and says what it took.
pub(super) fn cost<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (start, before, over) = (Instant::now(), cpu_seconds(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut peak = None;
            loop {
                peak = peak.max(memory());
                if over.load(Ordering::Relaxed) {
                    return peak;
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let done = work();
        let seconds = start.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
        let cpu_seconds = cpu_seconds().zip(before).map(|(after, before)| after - before);
        watch.thread().unpark();
        (done, Cost { seconds, cpu_seconds, peak_memory: watch.join().ok().flatten() })
    })
}

/// Processor time of this process and its ended children.
fn cpu_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may hold anything: state is the 3rd field, utime stime cutime cstime the 14th to 17th.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().map(|ticks| ticks.parse::<f64>().ok());
    Some(ticks.sum::<Option<f64>>()? / TICKS)
}

/// What this process and its children hold.
fn memory() -> Option<u64> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    let children = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<String> =
        children.flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    let held = |id: &str| {
        let text = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
    };
    Some(held("self")? + children.iter().filter_map(|id| held(id)).sum::<u64>())
}
