//! Streams: a file piece by piece, and what happens in a job as it happens (server-sent events).

use std::convert::Infallible;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::{self, StreamExt};
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::fault::Fault;
use super::jobs::{Job, Waiting};
use super::state::App;

/// What is read of a file at a time.
const PIECE: usize = 256 << 10;
/// How often a silent stream shows that it lives.
const ALIVE: Duration = Duration::from_secs(15);

/// A file, piece by piece.
pub(crate) fn of_file(file: std::fs::File) -> impl Stream<Item = io::Result<Vec<u8>>> {
    stream::try_unfold(file, |mut file| async move {
        let read = move || {
            let mut piece = vec![0; PIECE];
            let n = file.read(&mut piece)?;
            piece.truncate(n);
            io::Result::Ok((piece, file))
        };
        let (piece, file) = tokio::task::spawn_blocking(read).await.map_err(io::Error::other)??;
        Ok((!piece.is_empty()).then_some((piece, file)))
    })
}

/// One who listens to a job.
pub(crate) struct Listener {
    job: Arc<Job>,
    changes: watch::Receiver<()>,
    heard: usize,
    moved: u64,
    /// What was heard and not yet told.
    waiting: std::collections::VecDeque<Heard>,
    is_over: bool,
    _place: OwnedSemaphorePermit,
    /// Ends the job when the listener goes away.
    _waits: Option<Waiting>,
}

/// Something that a listener hears.
pub(crate) struct Heard {
    /// Its number, from 1; 0 for what is told once and not kept.
    pub(crate) id: usize,
    pub(crate) name: &'static str,
    pub(crate) data: Arc<serde_json::Value>,
}

impl Listener {
    /// Listens to a job after its first `heard` events.
    ///
    /// # Errors
    /// 429 if too many streams are open.
    pub(crate) fn new(app: &App, job: Arc<Job>, heard: usize, ends_it: bool) -> Result<Self, Fault> {
        let place = Arc::clone(&app.streams).try_acquire_owned();
        let place = place.map_err(|_| Fault::busy("--max-streams", app.limits.streams))?;
        let waits = ends_it.then(|| Waiting(Arc::clone(&job)));
        let (changes, waiting) = (job.listen(), std::collections::VecDeque::new());
        Ok(Self { job, changes, heard, moved: 0, waiting, is_over: false, _place: place, _waits: waits })
    }

    /// What happens next; `None` after the end.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some(heard) = self.waiting.pop_front() {
                return Some(heard);
            }
            if self.is_over {
                return None;
            }
            self.changes.mark_unchanged();
            let news = self.job.news(self.heard, self.moved);
            let progress = news.progress.map(|data| Heard { id: 0, name: "progress", data: Arc::new(data) });
            self.waiting.extend(progress);
            for event in news.events {
                self.heard += 1;
                self.waiting.push_back(Heard { id: self.heard, name: event.name, data: event.data });
            }
            (self.moved, self.is_over) = (news.moved, news.is_over);
            if self.waiting.is_empty() && !self.is_over {
                self.changes.changed().await.ok()?;
            }
        }
    }

    /// Everything that is heard, as server-sent events.
    pub(crate) fn events(self) -> Response {
        let heard = stream::unfold(self, |mut listener| async move { Some((listener.next().await?, listener)) });
        sent(heard.map(|heard| {
            let event = Sent::default().event(heard.name).data(heard.data.to_string());
            if heard.id > 0 { event.id(heard.id.to_string()) } else { event }
        }))
    }
}

/// Server-sent events, kept alive and kept by nobody on the way.
pub(crate) fn sent(events: impl Stream<Item = Sent> + Send + 'static) -> Response {
    let events = Sse::new(events.map(Ok::<_, Infallible>)).keep_alive(KeepAlive::new().interval(ALIVE));
    ([("x-accel-buffering", "no"), ("cache-control", "no-store")], events).into_response()
}
