//! `recto bench perf`: how fast this program is here, stage by stage, on documents that the user names.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use recto_ingest::discover::discover;
use recto_ingest::ocr::Pictures;
use recto_ingest::worker::{Source, Worker, WorkerCommand, read_document};
use recto_page::{Catalog, IndexDir, PageImage, PageNumber, Pages, Region};
use recto_search::{Scope, Search};
use serde::Serialize;

use super::machine::{Cost, Machine, cost, describe};
use crate::args::BenchPerfArgs;
use crate::commands::index::recognizer::LazyRecognizer;
use crate::commands::{self, index};
use crate::config::Config;
use crate::corpus::Corpus;
use crate::exit::{Finish, usage};
use crate::output;

/// Resolution at which pages are drawn and read.
const DPI: u32 = 144;
/// So many pages, spread over all documents, are drawn, and read off their pictures.
const MAX_DRAWN: usize = 200;
const MAX_READ: usize = 20;
/// Seconds of processor time that can be told from none: the system counts hundredths.
const TOLD: f64 = 0.1;
/// So many questions are asked.
const MAX_QUESTIONS: usize = 300;

#[derive(Serialize)]
struct Report {
    machine: Machine,
    documents: usize,
    stages: Vec<Stage>,
    #[serde(skip)]
    is_json: bool,
}

#[derive(Serialize)]
struct Stage {
    name: &'static str,
    /// What is counted.
    unit: &'static str,
    n: usize,
    per_second: f64,
    per_cpu_second: Option<f64>,
    #[serde(flatten)]
    cost: Cost,
    /// Milliseconds for one, the middle one and the slowest hundredth; only where each was timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    p50_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p99_ms: Option<f64>,
}

pub(crate) fn run(args: &BenchPerfArgs, config: &Config) -> anyhow::Result<Finish> {
    let found = discover(std::slice::from_ref(&args.path));
    let files: Vec<&Path> = found.found.iter().map(|file| file.path.as_path()).collect();
    if files.is_empty() {
        return Err(usage(format!("{}: no document there", args.path.display())));
    }
    let command = commands::worker::command(config)?;
    let mut report = Report { machine: describe(), documents: files.len(), stages: Vec::new(), is_json: config.json };
    report.begin()?;
    let (pages, text) = text(&files, &command, config);
    report.add(text)?;
    let (images, render) = render(&spread(&pages, MAX_DRAWN), &command, config);
    report.add(render)?;
    match ocr(&images, config) {
        Ok(stage) => report.add(stage)?,
        Err(why) => output::note(format_args!("no OCR: {why}")),
    }
    drop(images);
    let folder = tempfile::tempdir()?;
    let config = &Config { index: Some(folder.path().join("index")), quiet: true, ..config.clone() };
    let (dir, cost) = cost(|| index::bring_up_to_date(&args.path, config));
    let dir = dir?;
    report.add(Stage::new("index", "pages", Catalog::open(&dir)?.size()?.pages as usize, cost))?;
    ask(&dir)?.into_iter().try_for_each(|stage| report.add(stage))?;
    report.end()?;
    Ok(Finish::Done)
}

impl Report {
    fn begin(&self) -> anyhow::Result<()> {
        if self.is_json {
            return Ok(());
        }
        let (rate, cpu, peak, middle, slow) = ("per s", "per CPU s", "peak MiB", "p50 ms", "p99 ms");
        let documents = output::count(self.documents as u64, "document");
        output::line(format_args!("{documents:36} {rate:>10} {cpu:>10} {peak:>10} {middle:>8} {slow:>8}"))
    }

    /// Adds a stage, which is told at once: the next may take long.
    fn add(&mut self, stage: Stage) -> anyhow::Result<()> {
        if !self.is_json {
            output::line(&stage)?;
        }
        self.stages.push(stage);
        Ok(())
    }

    fn end(&self) -> anyhow::Result<()> {
        if self.is_json { output::json(self) } else { Ok(()) }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<f64>| match value {
            None => "-".into(),
            Some(value) if value < 10.0 => format!("{value:.2}"),
            Some(value) => format!("{value:.0}"),
        };
        let (rate, cpu) = (number(Some(self.per_second)), number(self.per_cpu_second));
        let peak = number(self.cost.peak_memory.map(|bytes| bytes as f64 / f64::from(1 << 20)));
        let (middle, slow) = (number(self.p50_ms), number(self.p99_ms));
        let of = format!("{} {}", self.n, self.unit);
        write!(f, "{:18} {of:>17} {rate:>10} {cpu:>10} {peak:>10} {middle:>8} {slow:>8}", self.name)
    }
}

impl Stage {
    fn new(name: &'static str, unit: &'static str, n: usize, cost: Cost) -> Self {
        let per = |seconds: f64| n as f64 / seconds.max(1e-9);
        let (per_second, per_cpu_second) =
            (per(cost.seconds), cost.cpu_seconds.filter(|spent| *spent >= TOLD).map(per));
        Self { name, unit, n, per_second, per_cpu_second, cost, p50_ms: None, p99_ms: None }
    }

    /// With the times that single ones took, in milliseconds.
    fn timed(mut self, mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at =
            |share: f64| times.get(((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1))).copied();
        (self.p50_ms, self.p99_ms) = (at(0.5), at(0.99));
        self
    }
}

/// A page of a file.
type PageOf<'a> = (&'a Path, PageNumber);

/// The text layer of every page, by one worker.
fn text<'a>(files: &[&'a Path], command: &WorkerCommand, config: &Config) -> (Vec<PageOf<'a>>, Stage) {
    let (pages, cost) = cost(|| {
        let (mut worker, mut pages) = (None, Vec::new());
        for path in files {
            let source = Source {
                path,
                password: None,
                wanted: &|_| true,
                opened: &|_| (),
                pictures: Pictures::None,
                stop: &AtomicBool::new(false),
            };
            read_document(&mut worker, command, source, &config.limits, |read| pages.push((*path, read.page.number)));
        }
        pages
    });
    let stage = Stage::new("text layer", "pages", pages.len(), cost);
    (pages, stage)
}

/// At most `n` entries, spread evenly.
fn spread<T: Copy>(all: &[T], n: usize) -> Vec<T> {
    let step = all.len().div_ceil(n).max(1);
    all.iter().copied().step_by(step).collect()
}

/// Pictures of pages, by one worker; what can't be drawn is left out.
fn render(pages: &[PageOf<'_>], command: &WorkerCommand, config: &Config) -> (Vec<PageImage>, Stage) {
    let time = config.limits.page_time;
    let ((n, images), cost) = cost(|| {
        let (mut open, mut n, mut images): (Option<(&Path, Worker)>, _, _) = (None, 0, Vec::new());
        let kept = pages.len().div_ceil(MAX_READ).max(1);
        for (path, page) in pages {
            let mut worker = match open.take() {
                Some((last, worker)) if last == *path => worker,
                _ => {
                    let Ok(mut worker) = Worker::start(command) else { continue };
                    if !matches!(worker.open(path, None, time), Ok(Ok(_))) {
                        continue;
                    }
                    worker
                }
            };
            if let Ok(Ok(image)) = worker.draw(*page, Region::FULL, DPI, time) {
                if n % kept == 0 {
                    images.push(image);
                }
                n += 1;
                open = Some((path, worker));
            }
        }
        (n, images)
    });
    (images, Stage::new("render at 144 dpi", "pages", n, cost))
}

/// Text read off pictures, by one thread; or why there is no model.
fn ocr(images: &[PageImage], config: &Config) -> Result<Stage, String> {
    let lazy = LazyRecognizer::new(config);
    let recognizer = lazy.get()?;
    let (read, cost) = cost(|| images.iter().filter(|image| recognizer.recognize(image, &|| false).is_ok()).count());
    Ok(Stage::new("OCR", "pages", read, cost))
}

/// The first line of pages as query and as question.
fn ask(dir: &IndexDir) -> anyhow::Result<Vec<Stage>> {
    let corpus = Corpus::open(dir)?;
    let mut lines = Vec::new();
    for document in corpus.catalog.documents()? {
        for number in PageNumber::first(document.n_pages) {
            let page = corpus.catalog.page(&recto_page::PageId::new(document.id.clone(), number))?;
            let text = page.map(|page| page.text()).unwrap_or_default();
            lines.extend(text.lines().find(|line| line.chars().any(char::is_alphabetic)).map(str::to_owned));
        }
    }
    let lines: Vec<&String> = spread(&lines.iter().collect::<Vec<_>>(), MAX_QUESTIONS);
    let search = each("search", &lines, |line| corpus.searcher.search(line, &Scope::All, 10).is_ok())?;
    let options = recto_agent::Options::default();
    let answer = each("answer", &lines, |line| {
        recto_agent::answer(line, &Scope::All, &corpus.searcher, &corpus.catalog, &options).is_ok()
    })?;
    Ok(vec![search, answer])
}

fn each(name: &'static str, lines: &[&String], ask: impl Fn(&str) -> bool) -> anyhow::Result<Stage> {
    let (times, cost) = cost(|| {
        let time = |line: &&String| {
            let start = Instant::now();
            ask(line).then(|| start.elapsed().as_secs_f64() * 1e3)
        };
        lines.iter().filter_map(time).collect::<Vec<_>>()
    });
    anyhow::ensure!(!times.is_empty(), "{name}: no page has text to ask about");
    Ok(Stage::new(name, "questions", times.len(), cost).timed(times))
}
