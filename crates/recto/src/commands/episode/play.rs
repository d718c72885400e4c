//! An episode from its beginning to its end, for whoever is no command line: the rules plan, or a language model.

use std::path::Path;
use std::time::Instant;

use recto_agent::action::Route;
use recto_agent::episode::{Episode, Protocol};
use recto_agent::fence::Fence;
use recto_agent::fingerprint::Basis;
use recto_agent::handle::HANDLE_SEED;
use recto_agent::planner::{ChatPlanner, MAX_TOKENS, Offline, Planner};
use recto_agent::run::run as drive;
use recto_agent::toolbox::Toolbox;
use recto_agent::trajectory::{Named, Trajectory};
use recto_model::{Chat, Ledger};
use recto_search::Scope;
use serde_json::Value;

use super::files::Files;
use super::told;
use crate::corpus;
use crate::exit::usage;
use crate::tools::{CorpusTools, Index};

/// What is to be found, and how.
pub(crate) struct Task<'a> {
    pub(crate) task: &'a str,
    pub(crate) route: Route,
    pub(crate) steps: u32,
    pub(crate) scope: Scope,
}

/// Who plans: a language model at the cost of a ledger, or the rules.
pub(crate) enum Who<'a> {
    Rules,
    Chat(&'a dyn Chat, Ledger),
}

/// Plays an episode, whose id is given, and keeps everything that comes of it in the folder. `kept` is called after every
/// step and can end it.
///
/// # Errors
/// Those of `kept`; when the index can't be read or the folder can't be written.
pub(crate) fn play(
    task: Task<'_>,
    who: Who<'_>,
    index: &Index<'_>,
    (id, folder): (&str, &Path),
    mut kept: impl FnMut(&Episode) -> anyhow::Result<()>,
) -> anyhow::Result<Value> {
    let tools = CorpusTools::new(index, task.scope, task.route, HANDLE_SEED)?;
    if tools.space.is_empty() {
        return Err(usage("there is no page to search"));
    }
    let mut protocol = Protocol::new(task.route, &[], tools.search_route());
    protocol.budget.steps = task.steps;
    let planned_by = match &who {
        Who::Rules => "offline".to_owned(),
        Who::Chat(chat, _) => chat.fingerprint(),
    };
    let corpus_hash = corpus::fingerprint(&index.corpus.catalog)?;
    let basis = Basis {
        task: task.task,
        protocol: &protocol,
        planner: &planned_by,
        corpus: &corpus_hash,
        handle_seed: HANDLE_SEED,
        shown_first: &[],
    };
    let fingerprint = basis.fingerprint();
    let mut planner: Box<dyn Planner + '_> = match who {
        Who::Rules => Box::new(Offline),
        Who::Chat(chat, ledger) => Box::new(ChatPlanner::new(chat, ledger, Fence::new(&fingerprint), MAX_TOKENS)),
    };
    let mut episode = Episode::new(protocol, task.task, tools.space.len());
    let started = Instant::now();
    drive(&mut episode, &mut *planner, &tools, &|| started.elapsed(), &mut kept)?;
    let trajectory = Trajectory::new(&episode, Named { id, planner: planner.name(), fingerprint: &fingerprint });
    Files::open(Some(folder), index.dir, &fingerprint)?.write(&episode, &trajectory, &tools)?;
    let end = episode.end.as_ref().ok_or_else(|| anyhow::anyhow!("the episode did not end"))?;
    Ok(told::value(&episode, end, &tools))
}
