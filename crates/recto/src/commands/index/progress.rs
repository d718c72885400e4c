//! Shows how far reading has come: a line that renews itself on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use recto_page::Page;
use schemars::JsonSchema;
use serde::Serialize;

use crate::config::Config;
use crate::output;

/// Where there is no terminal, a line this often.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Hears how far reading has come.
pub(crate) type Told = Arc<dyn Fn(Reached) + Send + Sync>;

/// How far reading has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Reached {
    /// Pages that were read
    pub(crate) pages: u64,
    /// How many there will be, as far as can be told
    pub(crate) expected: u64,
    /// Of those that were read, how many were read off their pictures
    pub(crate) by_ocr: u64,
    /// Of those that were read, how many have problems
    pub(crate) failed: u64,
}

pub(crate) struct Progress {
    told: Option<Told>,
    bar: Option<ProgressBar>,
    lines: bool,
    counts: Counts,
    start: Instant,
    last_line: Instant,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    /// Size of all documents, and of those that were opened.
    bytes: u64,
    opened: u64,
    /// Pages of the opened documents that are to be read.
    pages: u64,
    done: u64,
    by_ocr: u64,
    failed: u64,
}

impl Progress {
    /// For documents of so many bytes together.
    pub(crate) fn start(bytes: u64, told: Option<Told>, config: &Config) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !config.quiet && bytes > 0).then(|| {
            let style = ProgressStyle::with_template("{bar:20} {msg}");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let counts = Counts { bytes, ..Counts::default() };
        let now = Instant::now();
        Self { told, bar, lines: !terminal && !config.quiet, counts, start: now, last_line: now }
    }

    /// A document of so many bytes was opened, of which so many pages are to be read.
    pub(crate) fn opened(&mut self, bytes: u64, pages: u32) {
        self.counts.opened += bytes;
        self.counts.pages += u64::from(pages);
        self.show();
    }

    pub(crate) fn page(&mut self, page: &Page) {
        self.counts.done += 1;
        self.counts.by_ocr += u64::from(page.ocr.is_some());
        self.counts.failed += u64::from(page.problems.iter().any(|problem| problem.code.is_failure()));
        self.show();
    }

    fn show(&mut self) {
        if let Some(told) = &self.told {
            let Counts { done, by_ocr, failed, .. } = self.counts;
            told(Reached { pages: done, expected: self.counts.expected(), by_ocr, failed });
        }
        if let Some(bar) = &self.bar {
            bar.set_length(self.counts.expected());
            bar.set_position(self.counts.done);
            bar.set_message(self.counts.line(self.start.elapsed()));
        } else if self.lines && self.last_line.elapsed() > LINE_EVERY {
            self.last_line = Instant::now();
            output::note(format_args!("{}", self.counts.line(self.start.elapsed())));
        }
    }
}

impl Counts {
    /// How many pages there will be, if those of the documents that are still closed are as large as the others.
    fn expected(&self) -> u64 {
        let closed = self.bytes.saturating_sub(self.opened) as f64;
        self.pages + (closed * self.pages as f64 / self.opened.max(1) as f64) as u64
    }

    fn line(&self, time: Duration) -> String {
        let about = if self.opened < self.bytes { "about " } else { "" };
        let rate = self.done as f64 / time.as_secs_f64().max(0.001);
        let mut line = format!("page {} of {about}{}, {rate:.1}/s", self.done, self.expected());
        for (n, what) in [(self.by_ocr, "read by OCR"), (self.failed, "with problems")] {
            if n > 0 {
                line.push_str(&format!(", {n} {what}"));
            }
        }
        if self.done > 0 {
            let left = self.expected().saturating_sub(self.done) as f64 / rate;
            line.push_str(&format!(", {} left", HumanDuration(Duration::from_secs_f64(left.min(1e7)))));
        }
        line
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_much_is_left() {
        let check = |counts: Counts, seconds, want: &str| {
            assert_eq!(counts.line(Duration::from_secs(seconds)), want);
        };
        let counts = Counts { bytes: 1, opened: 1, pages: 300, done: 30, by_ocr: 28, failed: 1 };
        check(counts, 60, "page 30 of 300, 0.5/s, 28 read by OCR, 1 with problems, 9 minutes left");
        let counts = Counts { bytes: 400, opened: 200, pages: 10, done: 10, by_ocr: 0, failed: 0 };
        check(counts, 1, "page 10 of about 20, 10.0/s, 1 second left");
        check(Counts { bytes: 1, ..Counts::default() }, 1, "page 0 of about 0, 0.0/s");
    }
}
