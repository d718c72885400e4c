//! `recto episode [PATH] "task"`: the pages that a task describes, found step by step by a planner.

pub(crate) mod files;
mod model;
pub(crate) mod play;
mod told;

use std::io::{stdin, stdout};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use recto_agent::action::{Ablation, Route};
use recto_agent::budget::STEPS;
use recto_agent::episode::{Episode, Protocol};
use recto_agent::fence::Fence;
use recto_agent::fingerprint::Basis;
use recto_agent::handle::{HANDLE_SEED, PageHandle};
use recto_agent::planner::{ChatPlanner, Lines, MAX_TOKENS, Offline, Planner, Replay};
use recto_agent::run::run as drive;
use recto_agent::toolbox::Toolbox;
use recto_agent::trajectory::{Named, Trajectory};
use recto_model::{Chat, Ledger};
use recto_page::PageId;

use self::files::{Files, append, check_appendable};
use crate::commands::index::index_if_named;
use crate::config::{Config, in_range};
use crate::corpus::{self, Corpus};
use crate::encoders::Encoders;
use crate::exit::{Finish, usage};
use crate::tools::{CorpusTools, Index};

#[derive(Args, Debug)]
pub(crate) struct EpisodeArgs {
    /// What to look in (the index of the current folder if left out), and what the pages are to show or tell
    #[arg(required = true, num_args = 1..=2, value_names = ["PATH", "TASK"])]
    pub(crate) words: Vec<String>,
    /// What is searched: visual (pictures of pages) or text
    #[arg(long, env = "RECTO_ROUTE", default_value = "text", value_name = "ROUTE")]
    pub(crate) route: String,
    /// Who decides: offline (rules), stdio (you or any program: JSON lines), replay:FILE, chat (a language model)
    #[arg(long, env = "RECTO_PLANNER", default_value = "offline", value_name = "PLANNER")]
    pub(crate) planner: String,
    /// Rules to change: no-crop, no-text-access, no-page-inspection, no-iterative-search, support-provided (may repeat)
    #[arg(long, env = "RECTO_ABLATION", value_name = "NAME", value_delimiter = ',')]
    pub(crate) ablation: Vec<String>,
    /// A page to show before the first step, as DOC:PAGE; with support-provided (may repeat)
    #[arg(long, env = "RECTO_SHOW", value_name = "DOC:PAGE")]
    pub(crate) show: Vec<String>,
    /// Steps of the planner
    #[arg(long, env = "RECTO_STEPS", default_value_t = STEPS.to_string(), value_name = "N")]
    pub(crate) steps: String,
    /// Only documents of this name or pattern (may repeat)
    #[arg(long, env = "RECTO_DOC")]
    pub(crate) doc: Vec<String>,
    /// File to which the trajectory is added, one JSON line
    #[arg(long, env = "RECTO_TRACE", value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Folder for everything that comes out: prediction, handles, trajectory, pictures; an episode that was stopped goes on
    /// there
    #[arg(long, env = "RECTO_OUT", value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn run(args: &EpisodeArgs, config: &Config) -> anyhow::Result<Finish> {
    let (route, ablations, steps) = rules(args)?;
    let chat = (args.planner == "chat").then(|| model::open(config)).transpose()?;
    let (dir, task) = index_if_named("episode", &args.words, config)?;
    if !task.chars().any(char::is_alphanumeric) {
        return Err(usage("the task holds no word"));
    }
    let corpus = Corpus::open(&dir)?;
    let encoders = Encoders::new(config);
    let index = Index { corpus: &corpus, dir: &dir, encoders: &encoders, config };
    let tools = CorpusTools::new(&index, corpus.scope(&args.doc)?, route, HANDLE_SEED)?;
    anyhow::ensure!(!tools.space.is_empty(), "the index holds no page; `recto index PATH` brings some");
    let shown = shown_first(args, &corpus, &tools)?;
    let mut protocol = Protocol::new(route, &ablations, tools.search_route());
    protocol.budget.steps = steps;
    let corpus_hash = corpus::fingerprint(&corpus.catalog)?;
    let who = chat.as_ref().map_or_else(|| args.planner.clone(), |chat| chat.fingerprint());
    let basis = Basis {
        task,
        protocol: &protocol,
        planner: &who,
        corpus: &corpus_hash,
        handle_seed: HANDLE_SEED,
        shown_first: &shown,
    };
    let fingerprint = basis.fingerprint();
    let files = Files::open(args.out.as_deref(), &dir, &fingerprint)?;
    if let (true, Some(chat)) = (ablations.contains(&Ablation::NoIterativeSearch), &chat) {
        return model::judge(task, chat, &tools, &files, &fingerprint);
    }
    args.trace.as_deref().map_or(Ok(()), check_appendable)?;
    let mut planner = planner(args, chat.as_deref(), &files, &fingerprint)?;
    let mut episode = match files.stored()? {
        Some(episode) => episode,
        None => begin(protocol, task, &shown, &tools)?,
    };
    let started = Instant::now();
    drive(&mut episode, &mut *planner, &tools, &|| started.elapsed(), |episode| files.store(episode))?;
    let id = fingerprint.get(..12).unwrap_or_default();
    let trajectory = Trajectory::new(&episode, Named { id, planner: planner.name(), fingerprint: &fingerprint });
    files.write(&episode, &trajectory, &tools)?;
    if let Some(path) = &args.trace {
        append(path, &trajectory)?;
    }
    told::tell(&episode, &tools, args.planner == "stdio", config)
}

/// An episode before its first step, with the pages that are shown first.
fn begin(protocol: Protocol, task: &str, shown: &[PageHandle], tools: &CorpusTools<'_>) -> anyhow::Result<Episode> {
    let mut episode = Episode::new(protocol, task, tools.space.len());
    if !shown.is_empty() {
        let sized = |page: &PageHandle| tools.page_image(*page).map(|image| (*page, (image.width, image.height)));
        episode.show_first(&shown.iter().map(sized).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(episode)
}

/// What was asked for, checked before anything is opened.
fn rules(args: &EpisodeArgs) -> anyhow::Result<(Route, Vec<Ablation>, u32)> {
    let route: Route = args.route.parse().map_err(|e| usage(format!("--route {:?}: expected {e}", args.route)))?;
    let ablation = |name: &String| {
        name.parse::<Ablation>().map_err(|known| usage(format!("--ablation {name:?}: expected one of {known}")))
    };
    let mut ablations = args.ablation.iter().map(ablation).collect::<anyhow::Result<Vec<_>>>()?;
    ablations.sort_unstable();
    ablations.dedup();
    let support = ablations.contains(&Ablation::SupportProvided);
    if support == args.show.is_empty() {
        return Err(usage("--ablation support-provided and --show DOC:PAGE belong together"));
    }
    if ablations.contains(&Ablation::NoIterativeSearch) && args.planner != "chat" {
        return Err(usage("--ablation no-iterative-search has a model judge pages: it needs --planner chat"));
    }
    let steps = in_range(&args.steps, 1, 1000).map_err(|e| usage(format!("--steps {:?}: expected {e}", args.steps)))?;
    Ok((route, ablations, steps as u32))
}

fn shown_first(args: &EpisodeArgs, corpus: &Corpus, tools: &CorpusTools<'_>) -> anyhow::Result<Vec<PageHandle>> {
    let page = |text: &String| -> anyhow::Result<PageHandle> {
        let named = text.rsplit_once(':').ok_or_else(|| usage(format!("--show {text:?}: expected DOC:PAGE")))?;
        let id: PageId = corpus.page(&corpus.document(named.0)?.id, named.1)?;
        tools.space.handle(&id).ok_or_else(|| usage(format!("--show {text:?}: no page that is searched")))
    };
    args.show.iter().map(page).collect()
}

fn planner<'a>(
    args: &EpisodeArgs,
    chat: Option<&'a dyn Chat>,
    files: &'a Files,
    fingerprint: &str,
) -> anyhow::Result<Box<dyn Planner + 'a>> {
    if let Some(chat) = chat {
        return Ok(Box::new(ChatPlanner::new(chat, Ledger::default(), Fence::new(fingerprint), MAX_TOKENS)));
    }
    match args.planner.split_once(':') {
        None if args.planner == "offline" => Ok(Box::new(Offline)),
        None if args.planner == "stdio" => {
            let save = |shown: &recto_agent::planner::Shown| files.picture(shown).map_err(|error| format!("{error:#}"));
            Ok(Box::new(Lines::new(stdin().lock(), stdout().lock(), Fence::new(fingerprint), save)))
        }
        Some(("replay", file)) => {
            let text = std::fs::read_to_string(file).with_context(|| file.to_owned())?;
            Ok(Box::new(Replay::read(&text)))
        }
        _ => Err(usage(format!("--planner {:?}: expected offline, stdio, replay:FILE or chat", args.planner))),
    }
}
