//! An episode as it is kept: one JSON line with every reply, call and observation. What audits and viewers read.

mod atif;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Spent, Stop};
use crate::episode::submission::Submission;
use crate::episode::{Decision, Episode, INITIAL, Status, TraceRow};
use crate::prompt;

pub use atif::atif;

/// The form of a line.
pub const SCHEMA: &str = "recto.trajectory/1";

/// One episode.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trajectory {
    /// [`SCHEMA`].
    pub schema_version: String,
    /// What it is called.
    pub id: String,
    /// What was searched for.
    pub task: String,
    /// `visual` or `text`.
    pub route: String,
    /// By which route searches were made, such as `bm25`.
    pub search_route: String,
    /// The information tools that could be called.
    pub tools: Vec<String>,
    /// How they differ from the full set.
    pub ablations: Vec<String>,
    /// Who planned.
    pub planner: String,
    /// Names and versions of the prompts.
    pub prompts: Vec<String>,
    /// What the episode depends on.
    pub fingerprint: String,
    /// Pages of the corpus.
    pub n_pages: u32,
    /// What it could take.
    pub budget: Budget,
    /// What was shown before the first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_first: Option<TraceRow>,
    /// Replies of the planner, each with the call that came of it.
    pub steps: Vec<Step>,
    /// How it ended; `None` while it goes on.
    pub status: Option<Status>,
    /// What ended it.
    pub stop: Option<Stop>,
    /// The ranking.
    pub submission: Submission,
    /// What it took.
    pub spent: Spent,
}

/// A reply, and the call that came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The reply.
    #[serde(flatten)]
    pub decision: Decision,
    /// The call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<TraceRow>,
}

/// What an episode is called and depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named<'a> {
    /// Its id.
    pub id: &'a str,
    /// Who plans.
    pub planner: &'a str,
    /// What it depends on.
    pub fingerprint: &'a str,
}

impl Trajectory {
    /// What there is of an episode.
    pub fn new(episode: &Episode, named: Named<'_>) -> Self {
        let protocol = &episode.protocol;
        let step = |decision: &Decision| Step {
            decision: decision.clone(),
            call: decision.trace.and_then(|row| episode.trace.get(row)).cloned(),
        };
        Self {
            schema_version: SCHEMA.into(),
            id: named.id.into(),
            task: episode.task.clone(),
            route: protocol.tools.route.as_str().into(),
            search_route: protocol.search_route.clone(),
            tools: protocol.tools.tools().map(|tool| tool.name().into()).collect(),
            ablations: protocol.ablations.iter().map(|ablation| ablation.as_str().into()).collect(),
            planner: named.planner.into(),
            prompts: prompt::versions().map(Into::into).to_vec(),
            fingerprint: named.fingerprint.into(),
            n_pages: episode.n_pages,
            budget: protocol.budget,
            shown_first: episode.trace.first().filter(|row| row.tool_name == INITIAL).cloned(),
            steps: episode.decisions.iter().map(step).collect(),
            status: episode.end.as_ref().map(|end| end.status),
            stop: episode.end.as_ref().map(|end| end.stop),
            submission: episode.end.as_ref().map(|end| end.submission.clone()).unwrap_or_default(),
            spent: episode.spent,
        }
    }
}
