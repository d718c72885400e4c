//! `recto bench judge`: has the answers of a run judged. What is asked, `recto-bench` knows; replies come from a file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use recto_bench::evaluation::{absent, cases};
use recto_bench::judge::{self, Judge, judging, record};

use super::score::{Scored, scored};
use crate::args::BenchJudgeArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::{output, stop};

pub(crate) fn run(args: &BenchJudgeArgs, config: &Config) -> anyhow::Result<Finish> {
    let judge = judge::find(&args.by).ok_or_else(|| unknown(&args.by))?;
    if !args.run.is_dir() {
        return Err(usage(format!("{}: only the folder of a run can be judged", args.run.display())));
    }
    let Scored { set, rows, .. } = scored(&args.run, args.set.as_deref(), &[])?;
    let (absent, none) = (absent(&set), BTreeMap::new());
    let cases = cases(&set, &absent, rows.values(), &none);
    let known = record::read(&args.run)?;
    let (open, decided) = judging::open(judge, &respondent(args), &cases, &known);
    let Some(file) = &args.replies else {
        let file = args.prompts.as_deref().ok_or_else(|| usage("--prompts or --replies is needed"))?;
        record::write_prompts(file, &open)?;
        return tell(
            config,
            format_args!("{} written: {}", output::count(open.len() as u64, "prompt"), file.display()),
        );
    };
    let replies = record::Recorded::open(file, &respondent(args))?;
    let (open, without): (Vec<_>, Vec<_>) = open.into_iter().partition(|open| replies.knows(&open.prompt));
    let mut writer = record::Writer::open(&args.run, &known)?;
    decided.iter().try_for_each(|judgement| writer.add(judgement))?;
    let (stop, mut failed) = (stop::requested()?, BTreeSet::new());
    judging::ask(judge, &open, &replies, config.jobs, stop, |judgement| {
        let zero = judgement.verdict.as_ref().filter(|verdict| verdict.label == judging::FAILED);
        if let Some(why) = judgement.fault.as_ref().or(zero.map(|verdict| &verdict.reason)) {
            failed.insert(judgement.item.clone());
            output::note(format_args!("{}: {why}", judgement.item));
        }
        writer.add(&judgement)
    })?;
    anyhow::ensure!(!stop.load(Ordering::Relaxed), "stopped; the same command goes on where it ended");
    let asked = output::count((open.len() + decided.len()) as u64, "answer");
    tell(config, format_args!("{asked} judged, {} failed, {} without a reply", failed.len(), without.len()))?;
    Ok(Finish::with_problems(!failed.is_empty() || !without.is_empty()))
}

/// Who replies, as judgements name it.
fn respondent(args: &BenchJudgeArgs) -> String {
    let of_file = || args.replies.as_ref()?.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    args.respondent.clone().or_else(of_file).unwrap_or_default()
}

fn tell(config: &Config, text: std::fmt::Arguments<'_>) -> anyhow::Result<Finish> {
    if !config.quiet {
        output::note(text);
    }
    Ok(Finish::Done)
}

fn unknown(name: &str) -> anyhow::Error {
    let known: Vec<&str> = judge::JUDGES.iter().map(|judge: &&Judge| judge.name).collect();
    usage(format!("--by {name:?}: expected one of {}", known.join(", ")))
}
