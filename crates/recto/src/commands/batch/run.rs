//! `recto batch run`: answers a file of questions.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use recto_agent::pipeline::schedule::{Next, Turn};
use recto_agent::pipeline::{Plan, Schedule};
use recto_agent::{Answer, Missed};
use recto_page::{IndexDir, PageId};
use recto_search::Scope;

use super::failures::Failures;
use super::queries::{self, Query};
use super::rows::{Row, Rows};
use crate::answerer::{Answerer, Answering, told};
use crate::config::{Config, in_range};
use crate::corpus::Corpus;
use crate::exit::{Finish, usage};
use crate::output;

pub(crate) fn run(
    index_dir: &Path,
    queries_file: &Path,
    output_file: &Path,
    deadline: Option<&str>,
    config: &Config,
) -> anyhow::Result<Finish> {
    let start = Instant::now();
    let deadline = deadline.map(seconds).transpose()?;
    let dir = IndexDir::new(index_dir);
    let text = fs::read(queries_file).with_context(|| queries_file.display().to_string())?;
    if output_file.canonicalize().is_ok_and(|output| queries_file.canonicalize().is_ok_and(|file| file == output)) {
        return Err(usage("--output is the file of the questions; name another one"));
    }
    let (queries, complaints) = queries::parse(&String::from_utf8_lossy(&text));
    complaints.iter().for_each(|complaint| output::note(format_args!("{}: {complaint}", queries_file.display())));
    let answerer = Answerer::new(&dir, config, &Corpus::open(&dir)?)?;
    let ids: BTreeSet<&str> = queries.iter().map(|query| query.id.as_str()).collect();
    let mut failures = Failures::load(&dir, output_file, &ids);
    let mut rows = Rows::open(output_file, |id| ids.contains(id))?;
    let todo: Vec<&Query> =
        queries.iter().filter(|query| !rows.has(&query.id) || failures.contains(&query.id)).collect();
    let at_once = at_once(&answerer, config).min(todo.len());
    let schedule = Schedule::new(todo.len(), at_once, deadline);
    let batch = Batch { dir: &dir, answerer: &answerer, queries: &todo, schedule, start, at_once };
    batch.answer_all(|answered| {
        tell(&answered);
        if let Err(error) = failures.note(&answered.row.query_id, answered.failure.as_deref()) {
            output::note(format_args!("that it failed could not be noted for the next run: {error:#}"));
        }
        rows.add(answered.row)
    })?;
    let left = failures.finish();
    rows.finish(&queries)?;
    if !config.quiet {
        let answered = output::count(todo.len() as u64, "question");
        let (seconds, there) = (start.elapsed().as_secs_f64(), queries.len() - todo.len());
        let by = answerer.model().map_or_else(
            || "the offline answerer".into(),
            |model| format!("{model}, {left} of them not, with {}", told(&answerer.spent())),
        );
        output::note(format_args!("{answered} answered in {seconds:.1} s by {by}, {there} there already"));
    }
    Ok(Finish::Done)
}

fn seconds(text: &str) -> anyhow::Result<Duration> {
    let seconds = in_range(text, 0, 10_000_000);
    seconds.map(Duration::from_secs).map_err(|expected| usage(format!("--deadline {text:?}: expected {expected}")))
}

/// A batch is for right answers more than for quick ones: the model looks through documents of up to so many pages to choose
/// some, beside the search.
const LOOK_THROUGH: u32 = 150;

/// What waits for a model may be more than there are processors.
const AT_ONCE: usize = 16;

/// One question after the other for a model that computes on these processors: what waits for it would only lose its time.
fn at_once(answerer: &Answerer, config: &Config) -> usize {
    match answerer.reach() {
        None => config.jobs,
        Some(reach) if reach.is_quick => config.jobs.max(AT_ONCE),
        Some(_) => 1,
    }
}

/// Questions, and what they are answered with.
struct Batch<'a> {
    dir: &'a IndexDir,
    answerer: &'a Answerer,
    queries: &'a [&'a Query],
    schedule: Schedule,
    start: Instant,
    /// How many are worked on together.
    at_once: usize,
}

/// A row, and how it came about.
struct Answered {
    row: Row,
    /// Why the next run shall try it again.
    failure: Option<String>,
    /// Whether this run will.
    again: bool,
    notes: Vec<String>,
}

fn tell(answered: &Answered) {
    let id = &answered.row.query_id;
    answered.notes.iter().for_each(|note| output::note(format_args!("{id}: {note}")));
    if answered.again {
        output::note(format_args!("{id}: it will be tried again"));
    }
}

impl Batch<'_> {
    /// Answers with several threads; `take` gets each row as it comes, and another one where a question is tried again.
    fn answer_all(&self, mut take: impl FnMut(Answered) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 0..self.at_once {
                let sender = sender.clone();
                scope.spawn(move || self.answer_some(&sender));
            }
            drop(sender);
            receiver.into_iter().try_for_each(&mut take)
        })
    }

    fn answer_some(&self, sender: &Sender<Answered>) {
        let told = |error: anyhow::Error| format!("{error:#}");
        let corpus = Corpus::open(self.dir).map_err(told);
        let answering = corpus.as_ref().map_err(Clone::clone).and_then(|corpus| {
            let answering = self.answerer.over(corpus).map_err(told)?;
            Ok((corpus, answering))
        });
        loop {
            let answered = match self.schedule.next(self.start.elapsed()) {
                Next::Over => return,
                Next::Wait(time) => {
                    std::thread::sleep(time);
                    continue;
                }
                Next::Late(turn) => self.declined(turn, "the deadline has passed".into()),
                Next::Turn(turn) => match &answering {
                    Ok((corpus, answering)) => self.take_turn(turn, corpus, answering),
                    Err(why) => self.declined(turn, why.clone()),
                },
            };
            if answered.is_some_and(|answered| sender.send(answered).is_err()) {
                return;
            }
        }
    }

    fn take_turn(&self, turn: Turn, corpus: &Corpus, answering: &Answering<'_>) -> Option<Answered> {
        let query = self.queries.get(turn.question)?;
        let answer = catch_unwind(AssertUnwindSafe(|| answer(query, &turn, corpus, answering)));
        match answer.unwrap_or_else(|_| Err(anyhow::anyhow!("the answerer crashed"))) {
            Ok((answer, asked)) => {
                let again = self.schedule.done(turn, self.start.elapsed(), asked, answer.missed);
                let failure = answer.missed.map(|_| answer.notes.join("; "));
                Some(Answered { row: row(&query.id, &answer), failure, again, notes: answer.notes })
            }
            Err(error) => self.declined(turn, format!("{error:#}")),
        }
    }

    fn declined(&self, turn: Turn, why: String) -> Option<Answered> {
        let id = &self.queries.get(turn.question)?.id;
        self.schedule.done(turn, self.start.elapsed(), false, Some(Missed::Lasting));
        Some(Answered { row: Row::decline(id), failure: Some(why.clone()), again: false, notes: vec![why] })
    }
}

/// Answers a question in its turn; also whether the model was asked.
fn answer(query: &Query, turn: &Turn, corpus: &Corpus, answering: &Answering<'_>) -> anyhow::Result<(Answer, bool)> {
    let question = query.question.as_deref().map_err(|why| anyhow::anyhow!("{why}"))?;
    let scope = match &query.doc {
        Some(doc) => Scope::Documents(BTreeSet::from([corpus.catalog.original(doc)?.id])),
        None => Scope::All,
    };
    let plan = Plan { look_through: LOOK_THROUGH, ..Plan::default() };
    let (answer, spent) = answering.answer(question, &scope, &turn.effort.of(&plan), turn.time)?;
    Ok((answer, spent.requests() > 0))
}

fn row(id: &str, answer: &Answer) -> Row {
    let pages = answer.pages().iter().map(|id: &PageId| id.page.get()).collect::<BTreeSet<_>>();
    Row { query_id: id.into(), answer: answer.text.clone(), pages: pages.into_iter().collect() }
}
