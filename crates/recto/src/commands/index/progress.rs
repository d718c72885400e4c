//! Shows how far reading has come: a bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::config::Config;
use crate::output;

/// Where there is no terminal, a line this often.
const LINE_EVERY: Duration = Duration::from_secs(10);

pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    lines: bool,
    n_documents: usize,
    done: usize,
    pages: u64,
    start: Instant,
    last_line: Instant,
}

impl Progress {
    pub(crate) fn start(n_documents: usize, config: &Config) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !config.quiet && n_documents > 0).then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} documents, {msg}, {eta} left");
            ProgressBar::new(n_documents as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let now = Instant::now();
        Self { bar, lines: !terminal && !config.quiet, n_documents, done: 0, pages: 0, start: now, last_line: now }
    }

    pub(crate) fn page(&mut self) {
        self.pages += 1;
        if let Some(bar) = &self.bar {
            bar.set_message(self.rate());
        } else if self.lines && self.last_line.elapsed() > LINE_EVERY {
            self.last_line = Instant::now();
            output::note(format_args!("{}/{} documents, {}", self.done, self.n_documents, self.rate()));
        }
    }

    pub(crate) fn document(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    fn rate(&self) -> String {
        let rate = self.pages as f64 / self.start.elapsed().as_secs_f64().max(0.001);
        format!("{} ({rate:.0}/s)", output::count(self.pages, "page"))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
