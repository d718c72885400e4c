//! `recto batch run`: answers a file of questions.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use recto_agent::Answer;
use recto_agent::pipeline::{Effort, Pace, Plan};
use recto_page::{IndexDir, PageId};
use recto_search::Scope;
use serde::{Deserialize, Serialize};

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
    let deadline = deadline.map(seconds).transpose()?.map(|time| start + time);
    let dir = IndexDir::new(index_dir);
    let text = fs::read(queries_file).with_context(|| queries_file.display().to_string())?;
    if output_file.canonicalize().is_ok_and(|output| queries_file.canonicalize().is_ok_and(|file| file == output)) {
        return Err(usage("--output is the file of the questions; name another one"));
    }
    let (queries, complaints) = queries::parse(&String::from_utf8_lossy(&text));
    complaints.iter().for_each(|complaint| output::note(format_args!("{}: {complaint}", queries_file.display())));
    let answerer = Answerer::new(&dir, config, &Corpus::open(&dir)?)?;
    let mut failures = Failures::load(&dir, output_file);
    let ids: BTreeSet<&str> = queries.iter().map(|query| query.id.as_str()).collect();
    let mut rows = Rows::open(output_file, |id| ids.contains(id) && !failures.contains(id))?;
    let todo: Vec<&Query> = queries.iter().filter(|query| !rows.has(&query.id)).collect();
    failures.clear();
    let batch = Batch { dir: &dir, answerer: &answerer, queries: &todo, deadline, at_once: at_once(&answerer, config) };
    let mut offline = 0;
    answer_all(&batch, |Answered { row, failure, notes, is_offline }| {
        offline += usize::from(is_offline);
        notes.iter().for_each(|note| output::note(format_args!("{}: {note}", row.query_id)));
        if let Some(why) = failure {
            output::note(format_args!("{}: {why}", row.query_id));
            if let Err(error) = failures.add(&row.query_id, why) {
                output::note(format_args!("that it failed could not be noted for the next run: {error:#}"));
            }
        }
        rows.add(row)
    })?;
    rows.finish(&queries)?;
    if !config.quiet {
        let answered = output::count(todo.len() as u64, "question");
        let (seconds, there) = (start.elapsed().as_secs_f64(), queries.len() - todo.len());
        let by = answerer.model().map_or_else(
            || "the offline answerer".into(),
            |model| format!("{model}, {offline} of them offline, with {}", told(&answerer.spent())),
        );
        output::note(format_args!("{answered} answered in {seconds:.1} s by {by}, {there} there already"));
    }
    Ok(Finish::Done)
}

fn seconds(text: &str) -> anyhow::Result<Duration> {
    let seconds = in_range(text, 0, 10_000_000);
    seconds.map(Duration::from_secs).map_err(|expected| usage(format!("--deadline {text:?}: expected {expected}")))
}

/// What waits for a model may be more than there are processors.
const AT_ONCE: usize = 8;

fn at_once(answerer: &Answerer, config: &Config) -> usize {
    if answerer.model().is_some() { config.jobs.max(AT_ONCE) } else { config.jobs }
}

/// Questions, and what they are answered with.
struct Batch<'a> {
    dir: &'a IndexDir,
    answerer: &'a Answerer,
    queries: &'a [&'a Query],
    deadline: Option<Instant>,
    /// How many are worked on together.
    at_once: usize,
}

/// A row, and how it came about.
struct Answered {
    row: Row,
    /// Why it is a decline for want of better.
    failure: Option<String>,
    notes: Vec<String>,
    is_offline: bool,
}

/// Where the work is.
#[derive(Default)]
struct Progress {
    next: AtomicUsize,
    pace: Mutex<Pace>,
}

/// Answers with several threads; `take` gets each row as it comes.
fn answer_all(batch: &Batch<'_>, mut take: impl FnMut(Answered) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let progress = Progress::default();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..batch.at_once.min(batch.queries.len()) {
            let (sender, progress) = (sender.clone(), &progress);
            scope.spawn(move || answer_some(batch, progress, &sender));
        }
        drop(sender);
        receiver.into_iter().try_for_each(&mut take)
    })
}

fn answer_some(batch: &Batch<'_>, progress: &Progress, sender: &Sender<Answered>) {
    let told = |error: anyhow::Error| format!("{error:#}");
    let corpus = Corpus::open(batch.dir).map_err(told);
    let answering = corpus.as_ref().map_err(Clone::clone).and_then(|corpus| {
        let answering = batch.answerer.over(corpus).map_err(told)?;
        Ok((corpus, answering))
    });
    loop {
        let at = progress.next.fetch_add(1, Ordering::Relaxed);
        let Some(query) = batch.queries.get(at) else { return };
        let answered = catch_unwind(AssertUnwindSafe(|| match &answering {
            _ if batch.deadline.is_some_and(|deadline| Instant::now() > deadline) => {
                Err("the deadline has passed".into())
            }
            Ok((corpus, answering)) => batch.answer(at, query, corpus, answering, &progress.pace).map_err(told),
            Err(why) => Err(why.clone()),
        }));
        let answered = answered.unwrap_or_else(|_| Err("the answerer crashed".into()));
        let answered = match answered {
            Ok(answer) => Answered {
                row: row(&query.id, &answer),
                failure: None,
                is_offline: answer.answerer == Answer::OFFLINE,
                notes: answer.notes,
            },
            Err(why) => {
                Answered { row: Row::decline(&query.id), failure: Some(why), notes: Vec::new(), is_offline: true }
            }
        };
        if sender.send(answered).is_err() {
            return;
        }
    }
}

impl Batch<'_> {
    /// Answers the question at this place with what time is left for it.
    fn answer(
        &self,
        at: usize,
        query: &Query,
        corpus: &Corpus,
        answering: &Answering<'_>,
        pace: &Mutex<Pace>,
    ) -> anyhow::Result<Answer> {
        let question = query.question.as_deref().map_err(|why| anyhow::anyhow!("{why}"))?;
        let scope = match &query.doc {
            Some(doc) => Scope::Documents(BTreeSet::from([corpus.catalog.original(doc)?.id])),
            None => Scope::All,
        };
        let (effort, time) = self.share(at, &locked(pace));
        let start = Instant::now();
        let (answer, spent) = answering.answer(question, &scope, &effort.of(&Plan::default()), time)?;
        if spent.requests() > 0 {
            locked(pace).note(effort, start.elapsed());
        }
        Ok(answer)
    }

    /// What can be done for a question, and for how long; twice the share of each, since few need it.
    fn share(&self, at: usize, pace: &Pace) -> (Effort, Option<Duration>) {
        let Some(deadline) = self.deadline else { return (Effort::Full, None) };
        let left = deadline.saturating_duration_since(Instant::now());
        let questions = self.queries.len() - at.min(self.queries.len());
        let effort = pace.effort(left, questions, self.at_once);
        (effort, Some(left.min(pace.share(left, questions, self.at_once) * 2)))
    }
}

fn locked(pace: &Mutex<Pace>) -> std::sync::MutexGuard<'_, Pace> {
    pace.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn row(id: &str, answer: &Answer) -> Row {
    let pages = answer.pages().iter().map(|id: &PageId| id.page.get()).collect::<BTreeSet<_>>();
    Row { query_id: id.into(), answer: answer.text.clone(), pages: pages.into_iter().collect() }
}

/// Questions that failed in the last run over an output file; the next run tries them again.
struct Failures {
    path: std::path::PathBuf,
    ids: BTreeSet<String>,
}

#[derive(Serialize, Deserialize)]
struct Failure {
    query_id: String,
    why: String,
}

impl Failures {
    fn load(dir: &IndexDir, output: &Path) -> Self {
        let output = std::path::absolute(output).unwrap_or_else(|_| output.into());
        let hash = recto_page::ContentHash::of(output.as_os_str().as_encoded_bytes());
        let path = dir.logs().join(format!("failed-{}.jsonl", hash.as_str().get(..12).unwrap_or_default()));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let failures = text.lines().filter_map(|line| serde_json::from_str::<Failure>(line).ok());
        Self { path, ids: failures.map(|failure| failure.query_id).collect() }
    }

    fn contains(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Forgets what was loaded; the file goes with it, until a question fails again.
    fn clear(&mut self) {
        self.ids.clear();
        fs::remove_file(&self.path).ok();
    }

    fn add(&self, id: &str, why: String) -> anyhow::Result<()> {
        let line = serde_json::to_string(&Failure { query_id: id.into(), why })? + "\n";
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let file = fs::OpenOptions::new().create(true).append(true).open(&self.path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).with_context(|| self.path.display().to_string())
    }
}
