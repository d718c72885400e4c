//! Reading a whole document through a worker, whatever its pages do.

use std::path::Path;
use std::time::Duration;

use recto_page::{OutlineEntry, Page, PageNumber, PageSize, Problem, ProblemCode, Stage};

use super::client::{Worker, WorkerCommand, WorkerFailure};
use super::protocol::Opened;
use crate::Limits;
use crate::layout::Running;

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
    mut sink: impl FnMut(Page),
) -> Outcome {
    let mut running = Running::default();
    let outcome =
        read_pages(worker, command, source, limits, |page| running.push(page).into_iter().for_each(&mut sink));
    running.flush().into_iter().for_each(sink);
    outcome
}

fn read_pages(
    worker: &mut Option<Worker>,
    command: &WorkerCommand,
    source: Source<'_>,
    limits: &Limits,
    mut sink: impl FnMut(Page),
) -> Outcome {
    let opened = match open(worker, command, source, limits) {
        Ok(opened) => opened,
        Err(problem) => return Outcome { problems: vec![problem], ..Outcome::default() },
    };
    let mut outcome =
        Outcome { n_pages: opened.n_pages, title: opened.title, outline: opened.outline, problems: vec![] };
    if opened.n_pages > limits.pages {
        let detail = format!("{} pages; the limit is {}", opened.n_pages, limits.pages);
        outcome.problems.push(Problem::of_document(ProblemCode::TooManyPages, Stage::Open, detail));
        outcome.n_pages = limits.pages;
    }
    let mut left: Vec<PageNumber> = PageNumber::first(outcome.n_pages).filter(|n| (source.wanted)(*n)).collect();
    let mut failures = 0;
    while !left.is_empty() {
        let (n_read, failure) = read_run(worker, &left, &mut failures, limits, &mut sink);
        left.drain(..n_read);
        let Some(failure) = failure else { break };
        *worker = None;
        failures += 1;
        if !left.is_empty() {
            sink(lost_page(left.remove(0), &failure));
        }
        let hopeless = failures >= MAX_FAILURES_IN_A_ROW;
        if hopeless || (!left.is_empty() && open(worker, command, source, limits).is_err()) {
            left.drain(..).for_each(|number| sink(lost_page(number, &failure)));
        }
    }
    outcome
}

/// Reads pages until all are read or the worker fails; returns how many were read.
fn read_run(
    worker: &mut Option<Worker>,
    pages: &[PageNumber],
    failures: &mut u32,
    limits: &Limits,
    sink: &mut impl FnMut(Page),
) -> (usize, Option<WorkerFailure>) {
    let Some(worker) = worker else { return (0, Some(WorkerFailure::Died("not running".into()))) };
    if let Err(failure) = worker.request_pages(pages.to_vec()) {
        return (0, Some(failure));
    }
    for n_read in 0..pages.len() {
        let time = if *failures == 0 { limits.page_time } else { TIME_AFTER_FAILURE.min(limits.page_time) };
        match worker.next_page(time) {
            Ok(page) => sink(page),
            Err(failure) => return (n_read, Some(failure)),
        }
        *failures = 0;
    }
    (pages.len(), None)
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

fn lost_page(number: PageNumber, failure: &WorkerFailure) -> Page {
    let mut page = Page::empty(number, PageSize { width: 0.0, height: 0.0 });
    page.problems.push(Problem::of_page(failure.code(), Stage::Text, number, failure.to_string()));
    page
}
