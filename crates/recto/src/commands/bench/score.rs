//! `recto bench score`: rows to numbers. Asks nobody; a run can be scored again and again.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use recto_bench::evaluation::{absent, cases, chosen};
use recto_bench::judge::{Verdicts, judging, record};
use recto_bench::run_dir::{self, RunConfig};
use recto_bench::set::slice_by_distance;
use recto_bench::{BenchmarkSet, Evaluation, Measure, Row, evaluate, predictions, results};

use super::{source, vectors};
use crate::args::BenchScoreArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::output;

/// A run that was read, and its scores.
pub(crate) struct Scored {
    pub(crate) config: RunConfig,
    pub(crate) set: BenchmarkSet,
    pub(crate) rows: BTreeMap<String, Row>,
    pub(crate) evaluation: Evaluation,
}

pub(crate) fn run(args: &BenchScoreArgs, config: &Config) -> anyhow::Result<Finish> {
    let Scored { evaluation, .. } =
        apart(&args.run, args.set.as_deref(), &args.measure, args.distances.as_deref(), config)?;
    if run_dir::holds_run(&args.run) {
        let text = serde_json::to_string_pretty(&evaluation)? + "\n";
        std::fs::write(args.run.join("scores.json"), text)?;
    }
    if config.json {
        output::json(&evaluation)?;
    } else {
        tell(&evaluation)?;
    }
    Ok(Finish::with_problems(!evaluation.missing.is_empty() || !evaluation.failed.is_empty()))
}

/// Scores the folder of a run, or a file of predictions from elsewhere.
pub(crate) fn scored(path: &Path, set: Option<&str>, measures: &[String]) -> anyhow::Result<Scored> {
    let (run, set) = asked(path, set)?;
    of_rows(path, run, set, measures)
}

/// The same, with slices by how far pages of evidence are from each other.
pub(super) fn apart(
    path: &Path,
    set: Option<&str>,
    measures: &[String],
    distances: Option<&str>,
    config: &Config,
) -> anyhow::Result<Scored> {
    let (run, mut set) = asked(path, set)?;
    if let Some(what) = distances {
        let distances = vectors::distances(what, &run, &set, config)?;
        slice_by_distance(&mut set.items, |a, b| distances.between(a, b));
    }
    of_rows(path, run, set, measures)
}

fn of_rows(path: &Path, config: RunConfig, set: BenchmarkSet, measures: &[String]) -> anyhow::Result<Scored> {
    let measures = if measures.is_empty() { set.measures.clone() } else { parsed(measures)? };
    let is_run = run_dir::holds_run(path);
    let rows = match is_run {
        true => results::read(&run_dir::results(path), &set)?,
        false => predictions::read_for(&measures, path, &set)?,
    };
    let verdicts = if is_run { verdicts(path, &set, &rows)? } else { BTreeMap::new() };
    let evaluation = evaluate(&set, &rows, &verdicts, &measures);
    let rows = rows.into_iter().map(|row| (row.id.clone(), row)).collect();
    Ok(Scored { config, set, rows, evaluation })
}

/// What was run, and the benchmark with the items that were asked.
pub(super) fn asked(path: &Path, set: Option<&str>) -> anyhow::Result<(RunConfig, BenchmarkSet)> {
    let (config, source) = if is_run(path)? {
        let config = run_dir::config(path)?;
        let source = match set {
            Some(text) => source::open(text)?,
            None => source::reopen(&config)?,
        };
        (config, source)
    } else {
        let text = set.ok_or_else(|| usage(format!("{}: --set says of which benchmark", path.display())))?;
        let source = source::open(text)?;
        (foreign(path, &source), source)
    };
    let mut set = source.set;
    let items = chosen(&set, config.ids.as_deref());
    anyhow::ensure!(
        config.items_hash.is_empty() || run_dir::hash_of(&items) == config.items_hash,
        "{}: the benchmark's files have changed since this run",
        source.path.display()
    );
    set.items = items.into_iter().cloned().collect();
    Ok((config, set))
}

/// Whether a path is the folder of a run. If it is another folder, there must be predictions in it.
pub(super) fn is_run(path: &Path) -> anyhow::Result<bool> {
    if run_dir::holds_run(path) {
        return Ok(true);
    }
    anyhow::ensure!(
        !path.is_dir() || predictions::holds(path),
        "{}: no run is there (no config.json, which `recto bench run --out` writes), nor answers of FinRAGBench-V \
         (ID_answer.json) or SlideVQA (qa_preds.jsonl and es_pred.jsonl); other predictions are named by their file",
        path.display()
    );
    std::fs::metadata(path).with_context(|| path.display().to_string())?;
    Ok(false)
}

/// What judges said about the rows of a run.
fn verdicts(run: &Path, set: &BenchmarkSet, rows: &[Row]) -> anyhow::Result<BTreeMap<String, Verdicts>> {
    let (absent, none) = (absent(set), BTreeMap::new());
    Ok(judging::verdicts(&record::read(run)?, &cases(set, &absent, rows, &none)))
}

fn parsed(texts: &[String]) -> anyhow::Result<Vec<Measure>> {
    texts.iter().map(|text| text.parse().map_err(|error| usage(format!("--measure {error}")))).collect()
}

/// What is known of a file of predictions.
fn foreign(path: &Path, source: &source::Source) -> RunConfig {
    RunConfig {
        version: String::new(),
        set: source.set.name.clone(),
        set_path: source.path.clone(),
        items_hash: String::new(),
        ids: None,
        system: format!("predictions:{}", path.display()),
        index: None,
        index_hash: None,
    }
}

fn tell(evaluation: &Evaluation) -> anyhow::Result<()> {
    let Evaluation { set, n_items, missing, failed, measures } = evaluation;
    output::line(format_args!("{set}: {n_items} items, {} without a row, {} failed", missing.len(), failed.len()))?;
    let width = measures.iter().map(|scores| scores.measure.to_string().len()).max().unwrap_or_default();
    output::line(format_args!("  {:width$}  {:>10}  {:14}  items", "measure", "score", "95 % interval"))?;
    for scores in measures {
        let value = scores.value.map_or_else(|| "not scored".into(), |value| format!("{value:.4}"));
        let why: Vec<String> = scores.unscored.iter().map(|(why, n)| format!("{n} not scored: {why}")).collect();
        let interval = scores.interval.map_or_else(String::new, |(low, high)| format!("{low:.3} to {high:.3}"));
        let name = scores.measure.to_string();
        output::line(format_args!("  {name:width$}  {value:>10}  {interval:14}  {:<6} {}", scores.n, why.join("; ")))?;
    }
    for id in missing.iter().take(10) {
        output::note(format_args!("no row: {id}"));
    }
    Ok(())
}
