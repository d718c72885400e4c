//! `recto ask --agent NAME`: who decides, and what is kept.

use std::fs;
use std::io::{stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use clap::builder::BoolishValueParser;
use recto_agent::Answer;
use recto_agent::agent::planner::{Lines, Planner, Replay};
use recto_agent::agent::{Shot, atif};
use recto_page::{IndexDir, PageImage};
use recto_search::Scope;

use crate::agents::{Agents, By, Played, Wanted};
use crate::commands::episode::files::{append, check_appendable};
use crate::config::{Config, in_range};
use crate::corpus::Corpus;
use crate::exit::usage;
use crate::picture;

/// The planner at the other end of the standard streams.
const STDIO: &str = "stdio";

#[derive(Args, Debug)]
#[command(next_help_heading = "Agents")]
pub(crate) struct AgentArgs {
    /// Have an agent answer, step by step: recto (searches, reads, looks, counts, computes), bm25, rlm (programs), mc-search
    #[arg(long, env = "RECTO_AGENT", value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Who decides for the agent: chat (the language model; usual if there is one), offline (rules; else), stdio (you or any
    /// program: JSON lines), replay:FILE
    #[arg(long, env = "RECTO_PLANNER", value_name = "PLANNER", hide_short_help = true)]
    pub(crate) planner: Option<String>,
    /// Steps of the agent, the answer included
    #[arg(long, env = "RECTO_STEPS", value_name = "N", hide_short_help = true)]
    pub(crate) steps: Option<String>,
    /// The agent's model sees no pictures: it is told in words what they show
    #[arg(long, env = "RECTO_TEXT_ONLY", value_parser = BoolishValueParser::new(), hide_short_help = true)]
    pub(crate) text_only: bool,
    /// With --text-only: the model that describes pictures, as PROVIDER:NAME
    #[arg(long, env = "RECTO_CAPTIONS", value_name = "MODEL", hide_short_help = true)]
    pub(crate) captions: Option<String>,
    /// File to which the agent's record is added, one JSON line
    #[arg(long, env = "RECTO_TRACE", value_name = "FILE", hide_short_help = true)]
    pub(crate) trace: Option<PathBuf>,
    /// Folder for the agent's record, the same as ATIF, and the pictures that it was shown
    #[arg(long, env = "RECTO_OUT", value_name = "DIR", hide_short_help = true)]
    pub(crate) out: Option<PathBuf>,
}

impl AgentArgs {
    /// What is asked for; `None` if no agent is.
    pub(crate) fn wanted(&self, config: &Config) -> anyhow::Result<Option<Wanted>> {
        let Some(name) = &self.agent else { return Ok(None) };
        let kind = name.parse().map_err(|known| usage(format!("--agent {name:?}: expected one of {known}")))?;
        let steps = |text: &String| {
            in_range(text, 1, 1_000).map_err(|e| usage(format!("--steps {text:?}: expected {e}"))).map(|n| n as u32)
        };
        if self.captions.is_some() && !self.text_only {
            return Err(usage("--captions goes with --text-only: a model that sees needs no descriptions"));
        }
        let by = match self.planner.as_deref() {
            None => By::usual(config),
            Some("chat") => By::Model,
            Some(Answer::OFFLINE) => By::Rules,
            Some(planner) if planner == STDIO || planner.starts_with("replay:") => By::Brought,
            Some(other) => {
                return Err(usage(format!("--planner {other:?}: expected chat, offline, stdio or replay:FILE")));
            }
        };
        Ok(Some(Wanted {
            kind,
            steps: self.steps.as_ref().map(steps).transpose()?,
            text_only: self.text_only,
            captions: self.captions.clone(),
            by,
        }))
    }

    /// Whether a program reads and writes the standard streams.
    pub(crate) fn is_stdio(&self) -> bool {
        self.agent.is_some() && self.planner.as_deref() == Some(STDIO)
    }
}

/// Answers a question by an agent.
pub(crate) fn play(
    args: &AgentArgs,
    wanted: Wanted,
    question: &str,
    scope: &Scope,
    corpus: &Corpus,
    dir: &IndexDir,
    config: &Config,
) -> anyhow::Result<Played> {
    args.trace.as_deref().map_or(Ok(()), check_appendable)?;
    let agents = Agents::new(wanted, dir, config, corpus)?;
    let pictures = args.out.clone().unwrap_or_else(|| dir.cache().join("agents")).join("images");
    let save = |shot: &Shot, image: &PageImage| save(&pictures, shot, image).map_err(|error| format!("{error:#}"));
    let planner = args.planner.as_deref().unwrap_or_default();
    let mut brought: Option<Box<dyn Planner + '_>> = match planner.split_once(':') {
        Some((_, file)) => {
            let text = fs::read_to_string(file).with_context(|| file.to_owned())?;
            Some(Box::new(Replay::read(&text)))
        }
        None if planner == STDIO => {
            Some(Box::new(Lines::new(stdin().lock(), stdout().lock(), agents.fence(question), save)))
        }
        None => None,
    };
    let planner = brought.as_mut().map(|planner| &mut **planner as &mut dyn Planner);
    let played = agents.play(question, scope, corpus, planner)?;
    drop(brought);
    keep(args, &played, &pictures)?;
    Ok(played)
}

fn keep(args: &AgentArgs, played: &Played, pictures: &Path) -> anyhow::Result<()> {
    if let Some(path) = &args.trace {
        append(path, &played.record)?;
    }
    if let Some(folder) = &args.out {
        let context = || folder.display().to_string();
        fs::create_dir_all(folder).with_context(context)?;
        let line = format!("{}\n", serde_json::to_string(&played.record)?);
        fs::write(folder.join("agent.jsonl"), line).with_context(context)?;
        let image = |shot: &Shot| {
            let name = file_name(shot);
            pictures.join(&name).exists().then(|| format!("images/{name}"))
        };
        let atif = serde_json::to_string_pretty(&atif(&played.record, &image))?;
        fs::write(folder.join("agent.atif.json"), atif).with_context(context)?;
    }
    Ok(())
}

/// Saves a picture and says where.
fn save(folder: &Path, shot: &Shot, image: &PageImage) -> anyhow::Result<String> {
    let path = folder.join(file_name(shot));
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    picture::write_png(image, &path)?;
    Ok(path.display().to_string())
}

/// `D3-7.png`; of a part with its corners in hundredths.
fn file_name(shot: &Shot) -> String {
    let corners = |region: [f64; 4]| region.map(|side| format!("{:02}", (side * 100.0).round())).join("-");
    let part = shot.region.map_or_else(String::new, |region| format!("-part-{}", corners(region)));
    format!("{}{part}-{}.png", shot.name.replace(':', "-"), shot.dpi)
}
