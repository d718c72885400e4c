//! Reads documents in several worker processes at once.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use recto_ingest::layout::Running;
use recto_ingest::ocr::ReadPage;
use recto_ingest::worker::{self, Outcome, Worker, WorkerCommand, read_document};
use recto_page::{Page, PageNumber, Problem, ProblemCode, Stage};

use super::Options;
use super::plan::Read;
use super::readers::{self, InOrder, Job};
use super::recognizer::{self, LazyRecognizer};
use crate::config::Config;

/// What happens to a document while it is read: it is opened, then come any number of pages, in order, then its end.
pub(crate) enum Event {
    /// So many pages of it are to be read.
    Opened(u32),
    Page(Box<Page>),
    End(Outcome),
}

pub(crate) struct Pool<'a> {
    pub(crate) reads: &'a [Read],
    pub(crate) command: &'a WorkerCommand,
    pub(crate) options: &'a Options,
    pub(crate) config: &'a Config,
    pub(crate) stop: &'a AtomicBool,
}

/// So many pages may wait to be stored; the workers wait when there are more.
const WAITING_PAGES: usize = 32;

impl Pool<'_> {
    /// Reads everything and hands each event to `take` with the index of its document. The first error of `take` ends it.
    pub(crate) fn run(&self, mut take: impl FnMut(usize, Event) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = sync_channel(WAITING_PAGES);
        let (jobs, waiting) = sync_channel(1);
        let (waiting, recognizer) = (Mutex::new(waiting), LazyRecognizer::new(self.config));
        let pictures = recognizer::pictures(self.config);
        std::thread::scope(|scope| {
            for _ in 0..self.config.jobs {
                scope.spawn(|| readers::work(&waiting, pictures, &recognizer));
            }
            for _ in 0..self.config.jobs.min(self.reads.len()) {
                let (sender, jobs, next) = (sender.clone(), jobs.clone(), &next);
                scope.spawn(move || self.work(next, &jobs, &sender));
            }
            drop((sender, jobs));
            receiver.into_iter().try_for_each(|(index, event)| take(index, event))
        })
    }

    fn work(&self, next: &AtomicUsize, jobs: &SyncSender<Job>, sender: &SyncSender<(usize, Event)>) {
        let mut worker = None;
        while !self.stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(read) = self.reads.get(index) else { return };
            // If nobody takes the pages any more, the end is not taken either, which ends the thread.
            let send = |page| drop(sender.send((index, Event::Page(Box::new(page)))));
            let mut running = Running::default();
            let mut is_told = false;
            let mut pages = InOrder::new(jobs, 2 * self.config.jobs, |mut page| {
                tell_once(ProblemCode::OcrUnavailable, &mut is_told, &mut page);
                running.push(page).into_iter().for_each(send);
            });
            let opened = |n_pages| drop(sender.send((index, Event::Opened(n_pages))));
            let outcome = self.read(read, &mut worker, &opened, |mut page| {
                if read.source.gives_text_of(page.page.number) {
                    page.pictures.clear();
                }
                pages.push(page);
            });
            pages.finish();
            running.flush().into_iter().for_each(send);
            // A document that was not read to its end has none.
            if self.stop.load(Ordering::Relaxed) || sender.send((index, Event::End(outcome))).is_err() {
                return;
            }
        }
    }

    fn read(
        &self,
        read: &Read,
        worker: &mut Option<Worker>,
        opened: &dyn Fn(u32),
        sink: impl FnMut(ReadPage),
    ) -> Outcome {
        let Some(path) = &read.kept else { return Outcome::default() };
        if read.is_called_pdf() && recto_ingest::is_text_file(path) {
            // An error page, mostly, that was saved under the name of what it stands for.
            let problem = Problem::of_document(ProblemCode::NotAPdf, Stage::Open, "the file holds text and no PDF");
            return Outcome { problems: vec![problem], ..Outcome::default() };
        }
        let wanted = |page: PageNumber| {
            !read.done.contains(&page) && self.options.pages.as_ref().is_none_or(|list| list.contains(page))
        };
        let source = worker::Source {
            path,
            password: self.options.password.as_deref(),
            wanted: &wanted,
            opened,
            pictures: recognizer::pictures(self.config),
            stop: self.stop,
        };
        read_document(worker, self.command, source, &self.config.limits, sink)
    }
}

/// Leaves the problem out where a page before had it: it stands for all of the document.
fn tell_once(code: ProblemCode, is_told: &mut bool, page: &mut Page) {
    let was_told = *is_told;
    page.problems.retain(|problem| {
        *is_told |= problem.code == code;
        !was_told || problem.code != code
    });
}
