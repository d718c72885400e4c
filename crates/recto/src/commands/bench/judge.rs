//! `recto bench judge`: has the answers of a run judged. What is asked, `recto-bench` knows; who replies is a language model,
//! or a file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;

use recto_bench::evaluation::{absent, cases};
use recto_bench::judge::judging::{self, Open};
use recto_bench::judge::record::{self, Recorded};
use recto_bench::judge::{self, Judge, Prompt, Respondent};
use recto_bench::{results, run_dir};
use recto_model::{Chat, ChatMessage, ChatRequest, Ledger, Limits, Schema};

use super::score::asked;
use crate::args::BenchJudgeArgs;
use crate::config::Config;
use crate::exit::{Finish, usage};
use crate::{output, stop};

/// How often a call is tried while waiting can help.
const ATTEMPTS: u32 = 8;
/// So many tokens are enough for a verdict, with some thought before it.
const MAX_TOKENS: u32 = 4_096;

pub(crate) fn run(args: &BenchJudgeArgs, config: &Config) -> anyhow::Result<Finish> {
    let judge = judge::find(&args.by).ok_or_else(|| unknown(&args.by))?;
    if !args.run.is_dir() {
        return Err(usage(format!("{}: only the folder of a run can be judged", args.run.display())));
    }
    let (_, set) = asked(&args.run, args.set.as_deref())?;
    let rows = results::read(&run_dir::results(&args.run), &set)?;
    let (absent, none) = (absent(&set), BTreeMap::new());
    let cases = cases(&set, &absent, &rows, &none);
    let known = record::read(&args.run)?;
    if let Some(file) = &args.prompts {
        let (open, _) = judging::open(judge, "", &cases, &known);
        record::write_prompts(file, &open)?;
        let written = output::count(open.len() as u64, "prompt");
        return tell(config, format_args!("{written} written: {}", file.display()));
    }
    if let Some(file) = &args.replies {
        let replies = Recorded::open(file, &respondent(args, file))?;
        let (open, decided) = judging::open(judge, replies.name(), &cases, &known);
        let (open, without): (Vec<_>, Vec<_>) = open.into_iter().partition(|open| replies.knows(&open.prompt));
        let failed = ask(args, config, judge, &replies, &known, decided, &open)?;
        tell(config, format_args!("{} without a reply", without.len()))?;
        return Ok(Finish::with_problems(failed || !without.is_empty()));
    }
    let model = config.model.chat(ATTEMPTS)?.map(Model::new);
    let model = model.ok_or_else(|| usage("who is to judge? --model PROVIDER:NAME, or --replies FILE"))?;
    let (open, decided) = judging::open(judge, model.name(), &cases, &known);
    Ok(Finish::with_problems(ask(args, config, judge, &model, &known, decided, &open)?))
}

/// Asks what is open and keeps all judgements with the run; whether any failed.
fn ask(
    args: &BenchJudgeArgs,
    config: &Config,
    judge: &Judge,
    respondent: &dyn Respondent,
    known: &[judging::Judgement],
    decided: Vec<judging::Judgement>,
    open: &[Open<'_>],
) -> anyhow::Result<bool> {
    let mut writer = record::Writer::open(&args.run, known)?;
    decided.iter().try_for_each(|judgement| writer.add(judgement))?;
    let (stop, mut failed) = (stop::requested()?, BTreeSet::new());
    judging::ask(judge, open, respondent, config.jobs, stop, |judgement| {
        let zero = judgement.verdict.as_ref().filter(|verdict| verdict.label == judging::FAILED);
        if let Some(why) = judgement.fault.as_ref().or(zero.map(|verdict| &verdict.reason)) {
            failed.insert(judgement.item.clone());
            output::note(format_args!("{}: {why}", judgement.item));
        }
        writer.add(&judgement)
    })?;
    anyhow::ensure!(!stop.load(Ordering::Relaxed), "stopped; the same command goes on where it ended");
    let n_asked = output::count((open.len() + decided.len()) as u64, "answer");
    tell(config, format_args!("{n_asked} judged by {}, {} failed", respondent.name(), failed.len()))?;
    Ok(!failed.is_empty())
}

/// A language model that replies.
struct Model {
    chat: Box<dyn Chat>,
    ledger: Ledger,
}

impl Model {
    fn new(chat: Box<dyn Chat>) -> Self {
        Self { chat, ledger: Ledger::new(Limits::default()) }
    }
}

impl Respondent for Model {
    fn name(&self) -> &str {
        self.chat.name()
    }

    fn reply(&self, prompt: &Prompt) -> Result<String, String> {
        let messages = vec![ChatMessage::system(&prompt.system), ChatMessage::user(&prompt.user)];
        let schema = prompt.schema.clone().map(|schema| Schema::new("verdict", schema)).transpose();
        let schema = schema.map_err(|error| error.to_string())?;
        let request = ChatRequest { schema, max_tokens: MAX_TOKENS, ..ChatRequest::new(messages) };
        self.chat.reply(&request, &self.ledger).map(|reply| reply.text).map_err(|error| error.to_string())
    }
}

/// Who replies in a file, as judgements name it.
fn respondent(args: &BenchJudgeArgs, file: &Path) -> String {
    let of_file = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
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
