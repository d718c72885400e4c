//! A batch on a clock that needs no waiting: 1,250 questions in 10,800 seconds with a model that takes so many seconds a
//! call, fails now and then, and is out of reach for ten minutes. Prints what became of them. Not a tool for users.
//!
//! usage: rehearsal [SECONDS A CALL...]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use recto_agent::pipeline::schedule::{Next, Turn};
use recto_agent::pipeline::{Effort, Means, Plan, Schedule, answer};
use recto_agent::{Answer, Missed};
use recto_model::{
    Chat, ChatReply, ChatRequest, Class, Clock, Failure, Ledger, Limit, Limits, ModelError, VirtualClock,
};
use recto_page::{DocId, Page, PageError, PageId, PageImage, PageImages, PageNumber, PageSize, Pages, Region};
use recto_search::{Hit, Ranking, Scope, Search};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<u64> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let seconds = if asked.is_empty() { vec![5, 10, 20, 40, 80, 160] } else { asked };
    for call in seconds {
        let report = rehearse(&Rehearsal { call: Duration::from_secs(call), ..Rehearsal::default() })?;
        writeln!(std::io::stdout(), "{call} s a call: {report}")?;
    }
    Ok(())
}

/// What is rehearsed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rehearsal {
    pub(crate) questions: usize,
    pub(crate) at_once: usize,
    /// What is left for the questions of the 10,800 seconds, as `run.sh` has it.
    pub(crate) deadline: Duration,
    /// How long a reply takes.
    pub(crate) call: Duration,
    /// Of a hundred requests so many fail.
    pub(crate) failing: u64,
    /// When the model can't be reached.
    pub(crate) outage: (Duration, Duration),
}

impl Default for Rehearsal {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            questions: 1_250,
            at_once: 16,
            deadline: seconds(10_200),
            call: seconds(10),
            failing: 5,
            outage: (seconds(600), seconds(1_200)),
        }
    }
}

/// What became of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Report {
    /// How long it took.
    pub(crate) took: Duration,
    /// Rows by the effort with which they came about.
    pub(crate) rows: BTreeMap<Effort, usize>,
    /// Rows that the model was to give and did not.
    pub(crate) missed: usize,
    /// Turns that were tried again.
    pub(crate) again: usize,
    pub(crate) requests: u64,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { took, rows, missed, again, requests } = self;
        write!(f, "{:.0} s, {requests} requests, {again} tried again, {missed} missed; {rows:?}", took.as_secs_f64())
    }
}

/// Answers all questions, and reports.
pub(crate) fn rehearse(rehearsal: &Rehearsal) -> Result<Report, Box<dyn Error>> {
    let clock = VirtualClock::default();
    let model = Model { clock: clock.clone(), rehearsal: *rehearsal, requests: AtomicU64::new(0) };
    let schedule = Schedule::new(rehearsal.questions, rehearsal.at_once, Some(rehearsal.deadline));
    let (report, rows) = (Mutex::new(Report::default()), Mutex::new(BTreeMap::new()));
    let workers: Vec<_> = (0..rehearsal.at_once).map(|_| clock.worker()).collect();
    std::thread::scope(|scope| {
        for worker in workers {
            let (schedule, model, report, rows, clock) = (&schedule, &model, &report, &rows, &clock);
            scope.spawn(move || {
                loop {
                    match schedule.next(clock.now()) {
                        Next::Over => break,
                        Next::Wait(time) => clock.sleep(time),
                        Next::Turn(turn) | Next::Late(turn) => {
                            let (question, effort) = (turn.question, turn.effort);
                            let answer = model.answer(&turn);
                            let missed = answer.as_ref().map_or(Some(Missed::Lasting), |answer| answer.missed);
                            let again = schedule.done(turn, clock.now(), true, missed);
                            if let (Ok(mut report), Ok(mut rows)) = (report.lock(), rows.lock()) {
                                report.again += usize::from(again);
                                rows.insert(question, (effort, missed));
                            }
                        }
                    }
                }
                drop(worker);
            });
        }
    });
    let mut report = report.into_inner()?;
    for (effort, missed) in rows.into_inner()?.into_values() {
        *report.rows.entry(effort).or_default() += 1;
        report.missed += usize::from(missed.is_some());
    }
    Ok(Report { took: clock.now(), requests: model.requests.load(Ordering::Relaxed), ..report })
}

/// A model that is slow and fails.
struct Model {
    clock: VirtualClock,
    rehearsal: Rehearsal,
    requests: AtomicU64,
}

impl Model {
    fn answer(&self, turn: &Turn) -> recto_agent::Result<Answer> {
        let corpus = Corpus;
        let deadline = turn.time.map(|time| self.clock.now().saturating_add(time));
        let ledger = Ledger::new(Limits { deadline, ..Limits::default() });
        let (search, pages, pictures) = (&corpus, &corpus, &corpus);
        let means = Means { search, pages, pictures, chat: self, ledger: &ledger, secret: "s" };
        let question = match turn.question % 3 {
            0 => "How many locks does the canal have?".to_owned(),
            _ => format!("What is the toll at lock {}?", turn.question),
        };
        let scope = Scope::Documents([DocId::new("canal.pdf")].into());
        answer(&question, &scope, &means, &turn.effort.of(&Plan::default()))
    }

    /// One request: its time passes, and it succeeds or fails.
    fn request(&self, deadline: Duration) -> Result<u64, Class> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let (from, to) = self.rehearsal.outage;
        let now = self.clock.now();
        if (from..to).contains(&now) {
            self.clock.sleep(Duration::from_secs(1).min(deadline.saturating_sub(now)));
            return Err(Class::Connection);
        }
        if now + self.rehearsal.call > deadline {
            self.clock.sleep(deadline.saturating_sub(now));
            return Err(Class::Timeout);
        }
        self.clock.sleep(self.rehearsal.call);
        if number * 37 % 100 < self.rehearsal.failing { Err(Class::Server) } else { Ok(number) }
    }
}

impl Chat for Model {
    fn name(&self) -> &'static str {
        "slow"
    }

    /// As a chat over HTTP goes on: five attempts, with a pause that doubles.
    fn reply(&self, request: &ChatRequest, ledger: &Ledger) -> recto_model::Result<ChatReply> {
        let deadline = ledger.deadline().unwrap_or(Duration::MAX);
        for attempt in 0..5 {
            match self.request(deadline) {
                Ok(number) => {
                    let json = says(request, number);
                    return Ok(ChatReply { text: json.to_string(), json: Some(json), ..ChatReply::default() });
                }
                Err(class) if attempt == 4 || class == Class::Timeout => {
                    let (why, raw) = ("as rehearsed".to_owned(), String::new());
                    return Err(ModelError::Chat(Box::new(Failure {
                        class,
                        why,
                        raw,
                        retry_after: None,
                        attempts: attempt + 1,
                    })));
                }
                Err(_) => self.clock.sleep(Duration::from_millis(500 << attempt)),
            }
            if self.clock.now() >= deadline {
                break;
            }
        }
        Err(ModelError::Limit { limit: Limit::Time, why: "no time is left".into() })
    }
}

/// What it says; of ten answers one differs from the others.
fn says(request: &ChatRequest, number: u64) -> Value {
    if request.schema.as_ref().is_some_and(|schema| schema.name() == "survey") {
        return json!({"things": [{"page": 2, "name": "lock 1", "quote": "lock 1"}], "told": []});
    }
    let toll = if number.is_multiple_of(10) { 2 } else { 1 };
    json!({"status": "answered", "answer": toll.to_string(), "items": [], "evidence": [{"page": 1, "quote": "lock"}]})
}

/// Thirty pages.
struct Corpus;

const PAGES: u32 = 30;

impl Pages for Corpus {
    fn page(&self, id: &PageId) -> recto_page::Result<Option<Page>> {
        let mut page = Page::empty(id.page, PageSize { width: 600.0, height: 800.0 });
        page.given_text = Some("The toll at lock 1.".into());
        Ok((id.page.get() <= PAGES).then_some(page))
    }

    fn n_pages(&self, _: &DocId) -> recto_page::Result<Option<u32>> {
        Ok(Some(PAGES))
    }
}

impl PageImages for Corpus {
    fn image(&self, page: &PageId, _: Region, _: u32) -> recto_page::Result<PageImage> {
        Err(PageError::NoPage(page.clone()))
    }
}

impl Search for Corpus {
    fn search(&self, _: &str, _: &Scope, k: usize) -> recto_search::Result<Ranking> {
        let id = |number: PageNumber| PageId::new(DocId::new("canal.pdf"), number);
        let hit = |number: PageNumber| Hit { page: id(number), score: 1.0, parts: Vec::new(), shares: Vec::new() };
        Ok(Ranking(PageNumber::first(PAGES).take(k).map(hit).collect()))
    }
}
