//! Work that takes longer than a request: submitted, watched, ended, its result kept for a while. Questions that are waited
//! for are jobs too, so that what happens on the way is stored before it is told.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::fault::{ErrorDetail, Fault};
use super::kept::Kept;
use super::keys::Right;
use super::sessions::random;
use crate::commands::index::Told;

/// Events of one job that are kept.
const MAX_EVENTS: usize = 20_000;
/// Jobs that have ended and are kept, at most.
pub(crate) const MAX_ENDED: usize = 1_000;

/// All jobs.
#[derive(Default)]
pub(crate) struct Jobs {
    held: Mutex<BTreeMap<String, Arc<Job>>>,
}

/// One job.
pub(crate) struct Job {
    pub(crate) id: String,
    pub(crate) collection: String,
    pub(crate) kind: Kind,
    /// What it is about, for people.
    pub(crate) about: String,
    /// Seconds since 1970.
    pub(crate) created: f64,
    pub(crate) stop: Arc<AtomicBool>,
    inner: Mutex<Inner>,
    changed: watch::Sender<()>,
}

/// What kind of work it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Documents are added
    Index,
    /// A document is removed
    Remove,
    /// A question is answered
    Ask,
    /// Pages are looked for, step by step
    Episode,
}

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// It waits for others
    Waiting,
    Running,
    /// It has a result
    Done,
    Failed,
    Cancelled,
}

struct Inner {
    state: State,
    events: Vec<Event>,
    progress: Option<Value>,
    /// Raised whenever the progress changes.
    moved: u64,
    outcome: Option<Result<Arc<Value>, Fault>>,
    started: Option<Instant>,
    ended: Option<Instant>,
    /// Where it outlives the server, if somebody was told where to look for its result.
    kept: Option<Arc<Kept>>,
}

/// A job as it is kept.
#[derive(Serialize, Deserialize)]
struct Record {
    kind: Kind,
    about: String,
    created: f64,
    state: State,
    seconds: Option<f64>,
    result: Option<Arc<Value>>,
    /// Status and reason.
    error: Option<(u16, ErrorDetail)>,
}

/// Something that happened on the way.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) data: Arc<Value>,
}

/// What a listener has not heard yet.
pub(crate) struct News {
    pub(crate) events: Vec<Event>,
    pub(crate) progress: Option<Value>,
    pub(crate) moved: u64,
    pub(crate) is_over: bool,
}

impl Kind {
    /// What someone must be allowed to do who starts or ends such a job.
    pub(crate) const fn right(self) -> Right {
        match self {
            Self::Index | Self::Remove => Right::Write,
            Self::Ask | Self::Episode => Right::Ask,
        }
    }
}

impl State {
    pub(crate) const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Jobs {
    /// Takes work on, and has it done in a thread of its own when `gate` lets it.
    ///
    /// # Errors
    /// 429 if too many jobs run or wait.
    pub(crate) fn submit(
        &self,
        (collection, kind, about): (&str, Kind, String),
        limit: usize,
        ttl: Duration,
        gate: Arc<Semaphore>,
        work: impl FnOnce(&Arc<Job>) -> anyhow::Result<Value> + Send + 'static,
    ) -> Result<Arc<Job>, Fault> {
        let job = Arc::new(Job::new(collection, kind, about)?);
        let mut held = self.held();
        forget(&mut held, ttl);
        if held.values().filter(|job| !job.state().is_over()).count() >= limit {
            return Err(Fault::busy("--max-jobs", limit));
        }
        held.insert(job.id.clone(), Arc::clone(&job));
        drop(held);
        let doing = Arc::clone(&job);
        tokio::spawn(async move {
            let Some(_permit) = doing.admitted(gate).await else {
                return doing.end(Err(Fault::internal("stopped")));
            };
            doing.begin();
            let worker = Arc::clone(&doing);
            let done = tokio::task::spawn_blocking(move || work(&worker)).await;
            let fault = |_| Err(anyhow::anyhow!("a fault of the program, or a damaged index"));
            doing.end(done.unwrap_or_else(fault).map_err(Fault::from));
        });
        Ok(job)
    }

    /// A job of a collection, if it is still known.
    ///
    /// # Errors
    /// 404 for others.
    pub(crate) fn get(&self, collection: &str, id: &str, ttl: Duration) -> Result<Arc<Job>, Fault> {
        let mut held = self.held();
        forget(&mut held, ttl);
        let job = held.get(id).filter(|job| job.collection == collection);
        job.cloned().ok_or_else(|| Fault::not_found("job"))
    }

    /// The jobs of a collection, the newest first.
    pub(crate) fn of(&self, collection: &str, ttl: Duration) -> Vec<Arc<Job>> {
        let mut held = self.held();
        forget(&mut held, ttl);
        let mut jobs: Vec<_> = held.values().filter(|job| job.collection == collection).cloned().collect();
        jobs.sort_by(|a, b| b.created.total_cmp(&a.created).then_with(|| a.id.cmp(&b.id)));
        jobs
    }

    /// Takes up the jobs of a collection that an earlier server took on: their results are kept, what it did not end failed.
    pub(crate) fn take_up(&self, collection: &str, kept: &Arc<Kept>, ttl: Duration) {
        for (id, record) in kept.all::<Record>() {
            let age = (now() - record.created - record.seconds.unwrap_or_default()).clamp(0.0, 1e9);
            let ended = Instant::now().checked_sub(Duration::from_secs_f64(age));
            let Some(ended) = ended.filter(|_| Duration::from_secs_f64(age) < ttl) else {
                kept.remove(&id);
                continue;
            };
            let job = Arc::new(Job::again(id.clone(), collection, record, ended, kept));
            self.held().insert(id, job);
        }
    }

    /// How many there are, by state.
    pub(crate) fn count(&self) -> BTreeMap<&'static str, u64> {
        let mut counts = BTreeMap::new();
        for job in self.held().values() {
            *counts.entry(job.state().as_str()).or_default() += 1;
        }
        counts
    }

    /// Stops everything: the program ends.
    pub(crate) fn stop_all(&self) {
        self.held().values().for_each(|job| job.cancel());
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets what ended long ago.
fn forget(held: &mut BTreeMap<String, Arc<Job>>, ttl: Duration) {
    let mut ended: Vec<(Instant, String)> =
        held.values().filter_map(|job| Some((job.inner().ended?, job.id.clone()))).collect();
    ended.sort();
    let n_old = ended.partition_point(|(ended, _)| ended.elapsed() >= ttl);
    for (_, id) in ended.iter().take(n_old.max(ended.len().saturating_sub(MAX_ENDED))) {
        if let Some(kept) = held.remove(id).and_then(|job| job.inner().kept.take()) {
            kept.remove(id);
        }
    }
}

/// Seconds since 1970.
fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

impl Job {
    fn new(collection: &str, kind: Kind, about: String) -> anyhow::Result<Self> {
        let inner = Inner {
            state: State::Waiting,
            events: Vec::new(),
            progress: None,
            moved: 0,
            outcome: None,
            started: None,
            ended: None,
            kept: None,
        };
        Ok(Self {
            id: random()?,
            collection: collection.into(),
            kind,
            about,
            created: (now() * 1000.0).round() / 1000.0,
            stop: Arc::default(),
            inner: Mutex::new(inner),
            changed: watch::Sender::new(()),
        })
    }

    /// One that an earlier server took on.
    fn again(id: String, collection: &str, record: Record, ended: Instant, kept: &Arc<Kept>) -> Self {
        let Record { kind, about, created, mut state, seconds, result, error } = record;
        let outcome = match (result, error) {
            (Some(result), _) => Ok(result),
            (None, Some((status, told))) => Err(Fault::again(status, told)),
            (None, None) => {
                state = State::Failed;
                Err(Fault::conflict("the server ended before the job did", "submit it again"))
            }
        };
        let inner = Inner {
            state,
            events: vec![last_event(&outcome)],
            progress: None,
            moved: 0,
            outcome: Some(outcome),
            started: seconds.and_then(|seconds| ended.checked_sub(Duration::try_from_secs_f64(seconds).ok()?)),
            ended: Some(ended),
            kept: Some(Arc::clone(kept)),
        };
        let (collection, stop) = (collection.to_owned(), Arc::default());
        Self { id, collection, kind, about, created, stop, inner: Mutex::new(inner), changed: watch::Sender::new(()) }
    }

    /// Keeps it there, whatever becomes of the server: somebody was told where to look for its result.
    pub(crate) fn keep(&self, kept: &Arc<Kept>) {
        let mut inner = self.inner();
        inner.kept = Some(Arc::clone(kept));
        self.write(&inner);
    }

    fn write(&self, inner: &Inner) {
        let Some(kept) = &inner.kept else { return };
        let error = inner.outcome.as_ref().and_then(|outcome| outcome.as_ref().err());
        let record = Record {
            kind: self.kind,
            about: self.about.clone(),
            created: self.created,
            state: inner.state,
            seconds: inner.seconds(),
            result: inner.outcome.as_ref().and_then(|outcome| outcome.as_ref().ok()).cloned(),
            error: error.map(|fault| (fault.status().as_u16(), fault.detail())),
        };
        kept.put(&self.id, &record);
    }

    pub(crate) fn state(&self) -> State {
        self.inner().state
    }

    /// What came of it; `None` while it is not over.
    pub(crate) fn outcome(&self) -> Option<Result<Arc<Value>, Fault>> {
        self.inner().outcome.clone()
    }

    pub(crate) fn progress(&self) -> Option<Value> {
        self.inner().progress.clone()
    }

    /// For how long it has run, or did.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.inner().seconds()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Wants it to end. It ends as soon as its work looks.
    pub(crate) fn cancel(&self) {
        if !self.state().is_over() {
            self.stop.store(true, Ordering::Relaxed);
            self.changed.send_replace(());
        }
    }

    /// Tells that something happened.
    pub(crate) fn tell(&self, name: &'static str, data: Value) {
        let mut inner = self.inner();
        if inner.events.len() < MAX_EVENTS {
            inner.events.push(Event { name, data: Arc::new(data) });
        }
        drop(inner);
        self.changed.send_replace(());
    }

    /// Tells how far it is.
    pub(crate) fn reach(&self, progress: Value) {
        let mut inner = self.inner();
        inner.progress = Some(progress);
        inner.moved += 1;
        drop(inner);
        self.changed.send_replace(());
    }

    /// Tells how far the reading of documents is.
    pub(crate) fn teller(self: &Arc<Self>) -> Told {
        let job = Arc::downgrade(self);
        Arc::new(move |reached| {
            if let Some(job) = job.upgrade() {
                job.reach(json!(reached));
            }
        })
    }

    /// What happened after the first `heard` events and the progress of `moved`.
    pub(crate) fn news(&self, heard: usize, moved: u64) -> News {
        let inner = self.inner();
        News {
            events: inner.events.get(heard..).unwrap_or_default().to_vec(),
            progress: inner.progress.clone().filter(|_| inner.moved > moved),
            moved: inner.moved,
            is_over: inner.state.is_over(),
        }
    }

    /// Hears when something changes.
    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Waits for its end, at most so long.
    pub(crate) async fn wait(&self, time: Duration) {
        let mut changes = self.listen();
        let over = async {
            while !self.state().is_over() {
                if changes.changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::time::timeout(time, over).await.ok();
    }

    /// Waits until the gate lets it work, or it is stopped.
    async fn admitted(&self, gate: Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
        let mut changes = self.listen();
        let admitted = gate.acquire_owned();
        tokio::pin!(admitted);
        loop {
            if self.is_stopped() {
                return None;
            }
            tokio::select! {
                permit = &mut admitted => return permit.ok().filter(|_| !self.is_stopped()),
                _ = changes.changed() => {}
            }
        }
    }

    fn begin(&self) {
        let mut inner = self.inner();
        inner.state = State::Running;
        inner.started = Some(Instant::now());
        drop(inner);
        self.changed.send_replace(());
    }

    fn end(&self, outcome: Result<Value, Fault>) {
        // What was added to an index before the end stays there; half an answer is none.
        let is_cancelled = self.is_stopped() && (outcome.is_err() || self.kind.right() == Right::Ask);
        let outcome = if is_cancelled {
            Err(Fault::conflict("the job was cancelled", "submit it again if its result is wanted"))
        } else {
            outcome.map(Arc::new)
        };
        let state = match &outcome {
            Ok(_) => State::Done,
            Err(_) if is_cancelled => State::Cancelled,
            Err(_) => State::Failed,
        };
        let mut inner = self.inner();
        inner.state = state;
        inner.events.push(last_event(&outcome));
        inner.outcome = Some(outcome);
        inner.ended = Some(Instant::now());
        self.write(&inner);
        drop(inner);
        self.changed.send_replace(());
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn seconds(&self) -> Option<f64> {
        let started = self.started?;
        let time = self.ended.map_or_else(|| started.elapsed(), |ended| ended.saturating_duration_since(started));
        Some((time.as_secs_f64() * 1000.0).round() / 1000.0)
    }
}

/// The event with which a job ends.
fn last_event(outcome: &Result<Arc<Value>, Fault>) -> Event {
    match outcome {
        Ok(value) => Event { name: "result", data: Arc::clone(value) },
        Err(fault) => Event { name: "error", data: Arc::new(json!(fault.body())) },
    }
}

/// Ends a job once nobody waits for it any more.
pub(crate) struct Waiting(pub(crate) Arc<Job>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(60);

    fn ask(
        jobs: &Jobs,
        limit: usize,
        work: impl FnOnce(&Arc<Job>) -> anyhow::Result<Value> + Send + 'static,
    ) -> Arc<Job> {
        let about = ("one", Kind::Ask, String::new());
        jobs.submit(about, limit, TTL, Arc::new(Semaphore::new(1)), work).unwrap()
    }

    /// docling-serve#447, docling-serve#189: a result could be read once; a cancelled conversion went on.
    #[tokio::test]
    async fn a_result_can_be_read_twice_and_a_cancelled_job_stops() {
        let jobs = Jobs::default();
        let job = ask(&jobs, 2, |job| {
            job.tell("step", json!(1));
            Ok(json!("answer"))
        });
        job.wait(TTL).await;
        for _ in 0..2 {
            let found = jobs.get("one", &job.id, TTL).unwrap();
            assert_eq!(found.outcome().unwrap().unwrap(), Arc::new(json!("answer")));
        }
        let names: Vec<_> = job.news(0, 0).events.iter().map(|event| event.name).collect();
        assert_eq!(names, ["step", "result"]);
        assert!(jobs.get("two", &job.id, TTL).is_err());
        assert!(jobs.get("one", &job.id, Duration::ZERO).is_err());

        let slow = ask(&jobs, 1, |job| {
            while !job.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(json!(null))
        });
        let more =
            jobs.submit(("one", Kind::Ask, String::new()), 1, TTL, Arc::new(Semaphore::new(1)), |_| Ok(json!(1)));
        assert_eq!(more.err().unwrap().code(), "busy");
        drop(Waiting(Arc::clone(&slow)));
        slow.wait(TTL).await;
        assert_eq!(slow.state(), State::Cancelled);
    }
    #[tokio::test]
    async fn a_result_outlives_the_server_and_what_was_not_done_is_told() {
        let desk = tempfile::tempdir().unwrap();
        let kept = Arc::new(Kept::new(desk.path().join("jobs"), MAX_ENDED));
        let jobs = Jobs::default();
        let done = ask(&jobs, 3, |_| Ok(json!("answer")));
        done.keep(&kept);
        let failed = ask(&jobs, 3, |_| Err(Fault::late(7).into()));
        failed.keep(&kept);
        done.wait(TTL).await;
        failed.wait(TTL).await;
        let cut = ask(&jobs, 3, |job| {
            while !job.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(json!(null))
        });
        cut.keep(&kept);

        let next = Jobs::default();
        next.take_up("one", &kept, TTL);
        let outcome = |job: &Job| next.get("one", &job.id, TTL).unwrap().outcome().unwrap();
        assert_eq!(*outcome(&done).unwrap(), json!("answer"));
        let [late, lost] = [&failed, &cut].map(|job| outcome(job).unwrap_err());
        assert_eq!((late.status().as_u16(), late.code()), (504, "late"));
        assert!(lost.message().contains("ended before"), "{lost}");
        assert!(next.get("two", &done.id, TTL).is_err());
        // What is forgotten is forgotten on disk too.
        cut.cancel();
        cut.wait(TTL).await;
        assert!(next.get("one", &done.id, Duration::ZERO).is_err());
        Jobs::default().take_up("one", &kept, Duration::ZERO);
        assert!(kept.all::<Record>().is_empty());
    }
}
