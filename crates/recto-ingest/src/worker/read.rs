//! Reading a whole document through a worker, whatever its pages do.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use recto_page::{OutlineEntry, Page, PageNumber, PageSize, Problem, ProblemCode, Stage};

use super::client::{Worker, WorkerCommand, WorkerFailure};
use super::protocol::Opened;
use crate::Limits;
use crate::ocr::{Pictures, ReadPage};

/// After a page failed, each further one gets only this long, until one succeeds again.
const TIME_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// So many pages in a row may fail before the rest of a document is given up.
const MAX_FAILURES_IN_A_ROW: u32 = 10;

/// What to read.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The file.
    pub path: &'a Path,
    /// Its password, if one is known.
    pub password: Option<&'a str>,
    /// Only the pages that this function wants.
    pub wanted: &'a (dyn Fn(PageNumber) -> bool + Sync),
    /// Called once the file is open, with the number of pages that are to be read.
    pub opened: &'a dyn Fn(u32),
    /// Which pages are to come with pictures.
    pub pictures: Pictures,
    /// Once this is set, no further page is read; the worker is of no use then.
    pub stop: &'a AtomicBool,
}

/// What reading a document gave, beside its pages.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Number of pages that the document has; 0 if it could not be opened.
    pub n_pages: u32,
    /// Its title.
    pub title: Option<String>,
    /// Its table of contents.
    pub outline: Vec<OutlineEntry>,
    /// Problems of the document as a whole.
    pub problems: Vec<Problem>,
}

/// Reads a document and hands each page to `sink`, in order and each exactly once. `worker` is started when needed,
/// replaced when it fails, and left running for the next document.
pub fn read_document(
    worker: &mut Option<Worker>,
    command: &WorkerCommand,
    source: Source<'_>,
    limits: &Limits,
    mut sink: impl FnMut(ReadPage),
) -> Outcome {
    let opened = match open(worker, command, source, limits) {
        Ok(opened) => opened,
        Err(problem) => return Outcome { problems: vec![problem], ..Outcome::default() },
    };
    let Opened { n_pages, title, outline, problems } = opened;
    let mut outcome = Outcome { n_pages, title, outline, problems };
    if n_pages > limits.pages {
        let detail = format!("{n_pages} pages; the limit is {}", limits.pages);
        outcome.problems.push(Problem::of_document(ProblemCode::TooManyPages, Stage::Open, detail));
        outcome.n_pages = limits.pages;
    }
    let mut left: VecDeque<PageNumber> = PageNumber::first(outcome.n_pages).filter(|n| (source.wanted)(*n)).collect();
    (source.opened)(u32::try_from(left.len()).unwrap_or(u32::MAX));
    let mut failures = 0;
    while let Err(Stop { failure, in_page }) = read_run(worker, source, &mut left, &mut failures, limits, &mut sink) {
        *worker = None;
        failures += 1;
        if let Some(number) = in_page.then(|| left.pop_front()).flatten() {
            sink(lost_page(number, &failure));
        }
        let hopeless = failures >= MAX_FAILURES_IN_A_ROW;
        if hopeless || (!left.is_empty() && open(worker, command, source, limits).is_err()) {
            left.drain(..).for_each(|number| sink(lost_page(number, &failure)));
        }
    }
    outcome
}

/// Why a worker read no further, and whether the next page of those left is to blame.
struct Stop {
    failure: WorkerFailure,
    in_page: bool,
}

/// Reads pages until none is left or the worker fails.
fn read_run(
    worker: &mut Option<Worker>,
    source: Source<'_>,
    left: &mut VecDeque<PageNumber>,
    failures: &mut u32,
    limits: &Limits,
    sink: &mut impl FnMut(ReadPage),
) -> Result<(), Stop> {
    if left.is_empty() {
        return Ok(());
    }
    let lost = |failure| Stop { failure, in_page: true };
    let worker = worker.as_mut().ok_or_else(|| lost(WorkerFailure::Died("not running".into())))?;
    worker.request_pages(left.iter().copied().collect(), source.pictures).map_err(lost)?;
    while !left.is_empty() {
        if source.stop.load(Ordering::Relaxed) {
            left.clear();
            break;
        }
        let time = if *failures == 0 { limits.page_time } else { TIME_AFTER_FAILURE.min(limits.page_time) };
        let (page, failure) = worker.next_page(time).map_err(lost)?;
        left.pop_front();
        sink(page);
        if let Some(failure) = failure {
            return Err(Stop { failure, in_page: false });
        }
        *failures = 0;
    }
    Ok(())
}

fn open(
    worker: &mut Option<Worker>,
    command: &WorkerCommand,
    source: Source<'_>,
    limits: &Limits,
) -> Result<Opened, Problem> {
    let opened = match worker.take() {
        Some(running) => Ok(running),
        None => Worker::start(command),
    }
    .and_then(|mut running| {
        let opened = running.open(source.path, source.password, limits.page_time)?;
        *worker = Some(running);
        Ok(opened)
    });
    match opened {
        Ok(Ok(opened)) => Ok(opened),
        Ok(Err((code, detail))) => Err(Problem::of_document(code, Stage::Open, detail)),
        Err(failure) => Err(Problem::of_document(failure.code(), Stage::Open, failure.to_string())),
    }
}

fn lost_page(number: PageNumber, failure: &WorkerFailure) -> ReadPage {
    let mut page = Page::empty(number, PageSize { width: 0.0, height: 0.0 });
    page.problems.push(Problem::of_page(failure.code(), Stage::Text, number, failure.to_string()));
    ReadPage { page, pictures: Vec::new() }
}
