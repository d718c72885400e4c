//! `recto bench report`: runs of one benchmark as a page for people, or as a file for programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use recto_bench::report::{self, Layout, Pictures, Run};
use recto_bench::run_dir;

use super::score::{Scored, apart};
use super::{report_layout, report_pictures};
use crate::args::BenchReportArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::output;

pub(crate) fn run(args: &BenchReportArgs, config: &Config) -> anyhow::Result<Finish> {
    let (named, distances) = (args.set.as_deref(), args.distances.as_deref());
    let of = |run: &PathBuf| apart(run, named, &args.measure, distances, config);
    let scored: Vec<Scored> = args.runs.iter().map(of).collect::<Result<_, _>>()?;
    let Some(set) = scored.first().map(|first| first.set.clone()) else { return Ok(Finish::Done) };
    if let Some(other) = scored.iter().find(|other| other.set.items != set.items) {
        return Err(usage(format!("the runs are not of the same items: {} and {}", set.name, other.set.name)));
    }
    let pictures =
        if args.pictures { report_pictures::draw(&set, &scored, &args.out, config)? } else { Pictures::new() };
    let layout = if args.layout { report_layout::of(&set, &scored, config)? } else { Layout::new() };
    let runs: Vec<Run> = args
        .runs
        .iter()
        .zip(scored)
        .map(|(path, scored)| Run {
            config: scored.config,
            evaluation: scored.evaluation,
            rows: scored.rows,
            timings: if run_dir::holds_run(path) { run_dir::timings(path) } else { BTreeMap::new() },
        })
        .collect();
    let text = match args.out.extension().and_then(|ending| ending.to_str()) {
        Some("html") => report::html(&set, &runs, &pictures, &layout),
        Some("json") => report::json(&set, &runs, &layout),
        Some("csv") => report::csv(&set, &runs),
        Some("md") => report::markdown(&set, &runs),
        _ => return Err(usage(format!("--out {}: expected .html, .json, .csv or .md", args.out.display()))),
    };
    write(&args.out, &text)?;
    if !config.quiet {
        output::note(format_args!("{}", args.out.display()));
    }
    Ok(Finish::Done)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    std::fs::write(path, text).with_context(|| path.display().to_string())
}
