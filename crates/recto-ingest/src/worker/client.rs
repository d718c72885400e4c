//! The parent's side: starts a worker process, asks, waits no longer than allowed, and ends it.

use std::ffi::OsString;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use recto_page::{PageImage, PageNumber, Problem, ProblemCode, Region, Stage};

use super::protocol::{Opened, Reply, Request, receive, send};
use crate::ocr::{Picture, Pictures, ReadPage};

/// How to start a worker: a program and arguments that end in a call of [`super::serve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// A running worker process; ended when dropped.
pub struct Worker {
    child: Child,
    input: BufWriter<ChildStdin>,
    replies: Receiver<Reply>,
}

/// Why a worker gave no answer. The worker is of no use afterwards.
#[derive(Debug, thiserror::Error)]
pub enum WorkerFailure {
    /// It could not be started.
    #[error("the worker process could not be started: {0}")]
    NotStarted(std::io::Error),
    /// It ended: a crash, or the memory limit.
    #[error("the worker process ended ({0})")]
    Died(String),
    /// It took longer than allowed.
    #[error("no answer within {:.0} s", .0.as_secs_f32())]
    TooSlow(Duration),
}

impl WorkerFailure {
    /// The kind of problem to record for the page or document that was being read or drawn.
    pub const fn code(&self) -> ProblemCode {
        match self {
            Self::TooSlow(_) => ProblemCode::PageTimeout,
            Self::NotStarted(_) | Self::Died(_) => ProblemCode::PageCrashed,
        }
    }
}

/// The worker's process is a group of its own: Ctrl-C on a terminal is for its parent to answer.
fn process(command: &WorkerCommand) -> Command {
    use std::os::unix::process::CommandExt;
    let mut process = Command::new(&command.program);
    process.args(&command.arguments).process_group(0);
    process
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// [`WorkerFailure::NotStarted`].
    pub fn start(command: &WorkerCommand) -> Result<Self, WorkerFailure> {
        let mut child = process(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(WorkerFailure::NotStarted)?;
        let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(WorkerFailure::NotStarted(std::io::Error::other("no pipes")));
        };
        // A few replies may wait, so that worker and parent overlap; more would only cost memory.
        let (sender, replies) = sync_channel(4);
        std::thread::spawn(move || {
            while let Ok(Some(reply)) = receive(&mut output) {
                if sender.send(reply).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input: BufWriter::new(input), replies })
    }

    /// Opens a document; the inner error is the document's problem.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn open(
        &mut self,
        path: &Path,
        password: Option<&str>,
        time: Duration,
    ) -> Result<Result<Opened, (ProblemCode, String)>, WorkerFailure> {
        self.ask(&Request::Open { path: path.into(), password: password.map(str::to_owned) })?;
        match self.reply(time)? {
            Reply::Opened(opened) => Ok(Ok(opened)),
            Reply::Refused { code, detail } => Ok(Err((code, detail))),
            _ => Err(self.confused()),
        }
    }

    /// Asks for pages of the open document, to be taken one by one with [`Self::next_page`]; with `pictures`, each comes
    /// with the pictures of what only they can tell.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn request_pages(&mut self, pages: Vec<PageNumber>, pictures: Pictures) -> Result<(), WorkerFailure> {
        self.ask(&Request::Read { pages, pictures })
    }

    /// The next of the pages asked for. Reading it, and drawing each of its pictures, may take `time`. If the worker fails
    /// while drawing, the page is there and says so, and so does the failure beside it.
    ///
    /// # Errors
    /// When the worker fails before it has read the page.
    pub fn next_page(&mut self, time: Duration) -> Result<(ReadPage, Option<WorkerFailure>), WorkerFailure> {
        let Reply::Page { page, pictures: regions } = self.reply(time)? else { return Err(self.confused()) };
        let mut read = ReadPage { page: *page, pictures: Vec::new() };
        let number = read.page.number;
        let mut not_drawn = |code, why| read.page.problems.push(Problem::of_page(code, Stage::Render, number, why));
        for region in regions {
            match self.image(time) {
                Ok(Ok(image)) => read.pictures.push(Picture { region, image }),
                Ok(Err(why)) => not_drawn(ProblemCode::OcrFailed, why),
                Err(failure) => {
                    not_drawn(failure.code(), failure.to_string());
                    return Ok((read, Some(failure)));
                }
            }
        }
        Ok((read, None))
    }

    /// Draws a part of a page of the open document; the inner error says why it can't be drawn.
    ///
    /// # Errors
    /// When the worker fails.
    pub fn draw(
        &mut self,
        page: PageNumber,
        region: Region,
        dpi: u32,
        time: Duration,
    ) -> Result<Result<PageImage, String>, WorkerFailure> {
        self.ask(&Request::Draw { page, region, dpi })?;
        self.image(time)
    }

    fn image(&mut self, time: Duration) -> Result<Result<PageImage, String>, WorkerFailure> {
        match self.reply(time)? {
            Reply::Image(image) => Ok(Ok(image)),
            Reply::NotDrawn { why } => Ok(Err(why)),
            _ => Err(self.confused()),
        }
    }

    fn ask(&mut self, request: &Request) -> Result<(), WorkerFailure> {
        send(&mut self.input, request).map_err(|_| self.post_mortem())
    }

    fn reply(&mut self, time: Duration) -> Result<Reply, WorkerFailure> {
        match self.replies.recv_timeout(time) {
            Ok(reply) => Ok(reply),
            Err(RecvTimeoutError::Timeout) => Err(WorkerFailure::TooSlow(time)),
            Err(RecvTimeoutError::Disconnected) => Err(self.post_mortem()),
        }
    }

    fn confused(&mut self) -> WorkerFailure {
        self.child.kill().ok();
        WorkerFailure::Died("unexpected answer".into())
    }

    fn post_mortem(&mut self) -> WorkerFailure {
        self.child.kill().ok();
        WorkerFailure::Died(self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string()))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Both fail only if the process is gone already.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
