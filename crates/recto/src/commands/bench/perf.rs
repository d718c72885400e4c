//! `recto bench perf`: how fast this program is here, stage by stage, on documents that the user names.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use recto_ingest::discover::discover;
use recto_ingest::ocr::Pictures;
use recto_ingest::worker::{Source, Worker, WorkerCommand, read_document};
use recto_page::{IndexDir, PageImage, PageNumber, Pages, Region};
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
/// So many questions are asked.
const MAX_QUESTIONS: usize = 300;

#[derive(Serialize)]
struct Report {
    machine: Machine,
    documents: usize,
    stages: Vec<Stage>,
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
    let (pages, text) = text(&files, &command, config);
    let mut stages = vec![text];
    let (images, render) = render(&spread(&pages, MAX_DRAWN), &command, config);
    stages.push(render);
    stages.extend(ocr(&images, config));
    drop(images);
    let folder = tempfile::tempdir()?;
    let config = &Config { index: Some(folder.path().join("index")), quiet: true, ..config.clone() };
    let (dir, cost) = cost(|| index::bring_up_to_date(&args.path, config));
    stages.push(Stage::new("index", "pages", pages.len(), cost));
    stages.extend(ask(&dir?)?);
    let report = Report { machine: describe(), documents: files.len(), stages };
    if config.json {
        output::json(&report)?
    } else {
        tell(&report)?
    }
    Ok(Finish::Done)
}

impl Stage {
    fn new(name: &'static str, unit: &'static str, n: usize, cost: Cost) -> Self {
        let per = |seconds: f64| n as f64 / seconds.max(1e-9);
        let (per_second, per_cpu_second) = (per(cost.seconds), cost.cpu_seconds.filter(|spent| *spent > 0.0).map(per));
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

/// Text read off pictures, by one thread; nothing if there is no model.
fn ocr(images: &[PageImage], config: &Config) -> Option<Stage> {
    let lazy = LazyRecognizer::new(config);
    let recognizer = lazy.get().ok()?;
    let (read, cost) = cost(|| images.iter().filter(|image| recognizer.recognize(image, &|| false).is_ok()).count());
    Some(Stage::new("OCR", "pages", read, cost))
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

fn tell(report: &Report) -> anyhow::Result<()> {
    output::line(format_args!(
        "{:18} {:>7} {:>10} {:>12} {:>10} {:>8} {:>8}",
        "stage", "n", "per s", "per CPU s", "peak MiB", "p50 ms", "p99 ms"
    ))?;
    let number = |value: Option<f64>| value.map_or_else(|| "-".into(), |value| format!("{value:.1}"));
    for stage in &report.stages {
        let peak = stage.cost.peak_memory.map(|bytes| bytes as f64 / f64::from(1 << 20));
        output::line(format_args!(
            "{:18} {:>7} {:>10.1} {:>12} {:>10} {:>8} {:>8}",
            stage.name,
            stage.n,
            stage.per_second,
            number(stage.per_cpu_second),
            number(peak),
            number(stage.p50_ms),
            number(stage.p99_ms)
        ))?;
    }
    Ok(())
}
