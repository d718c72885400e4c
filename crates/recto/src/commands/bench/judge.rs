//! `recto bench judge`: has the answers of a run judged. What is asked, `recto-bench` knows; who replies is a language model,
//! or a file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::Context;
use recto_bench::evaluation::{absent, cases};
use recto_bench::judge::judging::{self, Open};
use recto_bench::judge::record::{self, Recorded};
use recto_bench::judge::{self, Judge, Picture, Prompt, Respondent};
use recto_bench::measure::Case;
use recto_bench::{results, run_dir};
use recto_model::{Chat, ChatImage, ChatMessage, ChatRequest, Ledger, Limits, Part, Role, Schema};

use super::report_pictures::beside;
use super::score::{asked, is_run};
use super::shown::{Drawer, file_name};
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
    if !is_run(&args.run)? {
        return Err(usage(format!("{}: only the folder of a run can be judged", args.run.display())));
    }
    let (run, set) = asked(&args.run, args.set.as_deref())?;
    let rows = results::read(&run_dir::results(&args.run), &set)?;
    let (absent, none) = (absent(&set), BTreeMap::new());
    let cases = cases(&set, &absent, &rows, &none);
    let known = record::read(&args.run)?;
    let drawer = || Drawer::new(&run, &set, config);
    if args.prompts.is_some() || args.replies.is_some() {
        return elsewhere(args, config, judge, &cases, &known, drawer);
    }
    let chat = config.model.chat(ATTEMPTS)?;
    let chat = chat.ok_or_else(|| usage("who is to judge? --model PROVIDER:NAME, or --replies FILE"))?;
    let (open, decided) = judging::open(judge, Some(chat.name()), &cases, &known);
    let shows = open.iter().any(|open| !open.prompt.pictures.is_empty());
    let drawer = if shows { Some(drawer()?) } else { None };
    let model = Model { chat, drawer, ledger: Ledger::new(Limits::default()) };
    Ok(Finish::with_problems(ask(args, config, judge, &model, &known, decided, &open)?))
}

/// Judges by replies from a file, and writes into another what is then still to be asked.
fn elsewhere(
    args: &BenchJudgeArgs,
    config: &Config,
    judge: &Judge,
    cases: &[Case<'_>],
    known: &[judging::Judgement],
    drawer: impl Fn() -> anyhow::Result<Drawer>,
) -> anyhow::Result<Finish> {
    let replies = args.replies.as_ref().map(|file| Recorded::open(file, &respondent(args, file))).transpose()?;
    let (open, decided) = judging::open(judge, replies.as_ref().map(Respondent::name), cases, known);
    let reply = |prompt: &Prompt| replies.as_ref().and_then(|replies| replies.to(prompt));
    let (enough, lacking) = judging::with_replies(judge, open, reply);
    let failed = match &replies {
        Some(replies) => ask(args, config, judge, replies, known, decided, &enough)?,
        None => false,
    };
    match &args.prompts {
        Some(file) => write(file, &lacking, drawer, config)?,
        None => tell(config, format_args!("{} without a reply", lacking.len())),
    }
    Ok(Finish::with_problems(failed || args.prompts.is_none() && !lacking.is_empty()))
}

/// Writes prompts, and their pictures into a folder beside them.
fn write(
    file: &Path,
    open: &[Open<'_>],
    drawer: impl Fn() -> anyhow::Result<Drawer>,
    config: &Config,
) -> anyhow::Result<()> {
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    }
    let folder = beside(file, "pictures");
    let pictures: Vec<&Picture> = open.iter().flat_map(|open| &open.prompt.pictures).collect();
    if !pictures.is_empty() {
        let drawer = drawer()?;
        let distinct: BTreeMap<String, &Picture> = pictures.iter().map(|shown| (file_name(shown), *shown)).collect();
        for shown in distinct.into_values() {
            drawer.write(shown, &folder)?;
        }
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    record::write_prompts(file, open, |shown| format!("{name}/{}", file_name(shown)))?;
    tell(config, format_args!("{} written: {}", output::count(open.len() as u64, "prompt"), file.display()));
    Ok(())
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
    tell(config, format_args!("{n_asked} judged by {}, {} failed", respondent.name(), failed.len()));
    Ok(!failed.is_empty())
}

/// A language model that replies.
struct Model {
    chat: Box<dyn Chat>,
    /// For judges that look at pages.
    drawer: Option<Drawer>,
    ledger: Ledger,
}

impl Model {
    fn part(&self, shown: &Picture) -> Result<Part, String> {
        let drawer = self.drawer.as_ref().ok_or("no page can be drawn")?;
        ChatImage::of(&drawer.draw(shown)?).map(Part::Image).map_err(|error| error.to_string())
    }
}

impl Respondent for Model {
    fn name(&self) -> &str {
        self.chat.name()
    }

    fn reply(&self, prompt: &Prompt) -> Result<String, String> {
        let mut parts = vec![Part::Text(prompt.user.clone())];
        for shown in &prompt.pictures {
            parts.push(self.part(shown)?);
        }
        let messages = vec![ChatMessage::system(&prompt.system), ChatMessage::new(Role::User, parts)];
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

fn tell(config: &Config, text: std::fmt::Arguments<'_>) {
    if !config.quiet {
        output::note(text);
    }
}

fn unknown(name: &str) -> anyhow::Error {
    let known: Vec<&str> = judge::JUDGES.iter().map(|judge: &&Judge| judge.name).collect();
    usage(format!("--by {name:?}: expected one of {}", known.join(", ")))
}
