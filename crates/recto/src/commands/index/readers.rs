//! Reads pictures of pages in threads of their own, and hands the pages on in the order in which they came.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

use recto_ingest::ocr::{Pictures, ReadPage, failed, read_pictures, without_recognizer};
use recto_page::Page;

use super::recognizer::LazyRecognizer;

/// A page whose pictures are to be read, and where it goes then.
pub(crate) struct Job {
    read: ReadPage,
    done: SyncSender<Page>,
}

/// What the threads take their jobs from.
pub(crate) type Jobs = Mutex<Receiver<Job>>;

/// A thread's work: reads pictures until no more come.
pub(crate) fn work(jobs: &Jobs, wish: Pictures, recognizer: &LazyRecognizer<'_>) {
    loop {
        let job = jobs.lock().ok().and_then(|jobs| jobs.recv().ok());
        let Some(Job { read, done }) = job else { return };
        // Nobody waits for it any more if the update was stopped.
        done.send(read_one(read, wish, recognizer)).ok();
    }
}

fn read_one(read: ReadPage, wish: Pictures, recognizer: &LazyRecognizer<'_>) -> Page {
    let mut page = read.page.clone();
    match recognizer.get() {
        Ok(model) => {
            let start = Instant::now();
            let stop = || start.elapsed() > recognizer.time();
            catch_unwind(AssertUnwindSafe(|| read_pictures(read, wish, model, &stop))).unwrap_or_else(|_| {
                failed(&mut page, "a fault of the recognizer");
                page
            })
        }
        Err(why) => {
            without_recognizer(&mut page, why);
            page
        }
    }
}

/// The pages of a document on their way, in order: those whose pictures are being read hold up those behind them.
pub(crate) struct InOrder<'a, S> {
    jobs: &'a SyncSender<Job>,
    /// So many pages may be on their way.
    most: usize,
    waiting: VecDeque<Waiting>,
    sink: S,
}

enum Waiting {
    Read(Box<Page>),
    Reading(Receiver<Page>),
}

impl<'a, S: FnMut(Page)> InOrder<'a, S> {
    pub(crate) const fn new(jobs: &'a SyncSender<Job>, most: usize, sink: S) -> Self {
        Self { jobs, most, waiting: VecDeque::new(), sink }
    }

    pub(crate) fn push(&mut self, read: ReadPage) {
        self.waiting.push_back(if read.pictures.is_empty() {
            Waiting::Read(Box::new(read.page))
        } else {
            let (done, page) = sync_channel(1);
            // The threads outlive the documents.
            self.jobs.send(Job { read, done }).ok();
            Waiting::Reading(page)
        });
        self.take(false);
    }

    /// Waits for the pages that are on their way.
    pub(crate) fn finish(mut self) {
        self.take(true);
    }

    fn take(&mut self, all: bool) {
        while let Some(first) = self.waiting.pop_front() {
            match first {
                Waiting::Read(page) => (self.sink)(*page),
                Waiting::Reading(page) if all || self.waiting.len() >= self.most => {
                    page.into_iter().for_each(&mut self.sink);
                }
                Waiting::Reading(page) => match page.try_recv() {
                    Ok(page) => (self.sink)(page),
                    Err(_) => return self.waiting.push_front(Waiting::Reading(page)),
                },
            }
        }
    }
}
