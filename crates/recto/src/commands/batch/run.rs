//! `recto batch run`: answers a file of questions.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use anyhow::Context;
use recto_page::{IndexDir, PageId};
use recto_search::Scope;
use serde::{Deserialize, Serialize};

use super::queries::{self, Query};
use super::rows::{Row, Rows};
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
    Corpus::open(&dir)?;
    let mut failures = Failures::load(&dir, output_file);
    let ids: BTreeSet<&str> = queries.iter().map(|query| query.id.as_str()).collect();
    let mut rows = Rows::open(output_file, |id| ids.contains(id) && !failures.contains(id))?;
    let todo: Vec<&Query> = queries.iter().filter(|query| !rows.has(&query.id)).collect();
    failures.clear();
    answer_all(&dir, &todo, deadline, config.jobs, |row, failure| {
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
        output::note(format_args!(
            "{answered} answered in {:.1} s by the offline answerer, {} there already",
            start.elapsed().as_secs_f64(),
            queries.len() - todo.len()
        ));
    }
    Ok(Finish::Done)
}

fn seconds(text: &str) -> anyhow::Result<Duration> {
    let seconds = in_range(text, 0, 10_000_000);
    seconds.map(Duration::from_secs).map_err(|expected| usage(format!("--deadline {text:?}: expected {expected}")))
}

type Answered = (Row, Option<String>);

/// Answers with several threads; `take` gets each row as it comes, with the reason if it is a decline for want of better.
fn answer_all(
    dir: &IndexDir,
    queries: &[&Query],
    deadline: Option<Instant>,
    n_threads: usize,
    mut take: impl FnMut(Row, Option<String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..n_threads.min(queries.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || answer_some(dir, queries, deadline, next, &sender));
        }
        drop(sender);
        receiver.into_iter().try_for_each(|(row, failure)| take(row, failure))
    })
}

fn answer_some(
    dir: &IndexDir,
    queries: &[&Query],
    deadline: Option<Instant>,
    next: &AtomicUsize,
    sender: &Sender<Answered>,
) {
    let corpus = Corpus::open(dir).map_err(|error| format!("{error:#}"));
    while let Some(query) = queries.get(next.fetch_add(1, Ordering::Relaxed)) {
        let answered = catch_unwind(AssertUnwindSafe(|| match &corpus {
            _ if deadline.is_some_and(|deadline| Instant::now() > deadline) => Err("the deadline has passed".into()),
            Ok(corpus) => answer(corpus, query).map_err(|error| format!("{error:#}")),
            Err(why) => Err(why.clone()),
        }));
        let answered = answered.unwrap_or_else(|_| Err("the answerer crashed".into()));
        let (row, failure) = match answered {
            Ok(row) => (row, None),
            Err(why) => (Row::decline(&query.id), Some(why)),
        };
        if sender.send((row, failure)).is_err() {
            return;
        }
    }
}

fn answer(corpus: &Corpus, query: &Query) -> anyhow::Result<Row> {
    let question = query.question.as_deref().map_err(|why| anyhow::anyhow!("{why}"))?;
    let scope = match &query.doc {
        Some(doc) => Scope::Documents(BTreeSet::from([corpus.catalog.original(doc)?.id])),
        None => Scope::All,
    };
    let options = recto_agent::Options::default();
    let answer = recto_agent::answer(question, &scope, &corpus.searcher, &corpus.catalog, &options)?;
    let pages = answer.pages().iter().map(|id: &PageId| id.page.get()).collect::<BTreeSet<_>>();
    Ok(Row { query_id: query.id.clone(), answer: answer.text, pages: pages.into_iter().collect() })
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
