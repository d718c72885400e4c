//! One task, from the first step to a ranking: a state machine without input and output, as VisDocAgentBench defines it
//! (hulx2002/VisDocAgentBench, its agent harness v2). Whoever drives it asks [`Episode::next`] what is to be done, has a
//! planner decide or a toolbox act, and tells what came of it. It can be stored at any moment and goes on from there.

mod calls;
mod decision;
mod end;
pub mod guard;
mod outcomes;
pub mod submission;
mod trace;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::action::{Ablation, Route, SUBMIT, ToolSet};
use crate::budget::{Budget, Spent, Stop};
use crate::crop::Crop;
use crate::handle::{CropHandle, ImageHandle, PageHandle};
use crate::observation::{LoadedPage, Observation, ToolUsage};
use crate::parse::parse;
use crate::planner::{Failure, Reply};
use crate::toolbox::{Call, Outcome, Size};
use calls::Pending;
use submission::{Eligible, Submission};

pub use decision::{Decision, Event};
pub use end::{End, Status};
pub use trace::{INITIAL, TraceRow};

/// The rules of an episode.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Protocol {
    /// What may be called.
    pub tools: ToolSet,
    /// How that differs from the full set.
    pub ablations: Vec<Ablation>,
    /// What it may take.
    pub budget: Budget,
    /// By which route searches are made, such as `bm25`; every search in the trace says so.
    pub search_route: String,
}

impl Protocol {
    /// The rules of a route.
    pub fn new(route: Route, ablations: &[Ablation], search_route: impl Into<String>) -> Self {
        Self {
            tools: ToolSet::new(route, ablations),
            ablations: ablations.to_vec(),
            budget: Budget::default(),
            search_route: search_route.into(),
        }
    }
}

/// One task under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Episode {
    /// The rules.
    pub protocol: Protocol,
    /// What is searched for.
    pub task: String,
    /// Number of pages in the corpus; the handles are 1 to this.
    pub n_pages: u32,
    /// The next step, from 1.
    pub step: u32,
    /// True once the one repair is used up.
    pub repair_used: bool,
    /// What the planner is to be told of its last reply.
    pub feedback: Option<Feedback>,
    /// Pages that searches gave.
    pub discovered: BTreeSet<PageHandle>,
    /// Pages that were shown whole.
    pub inspected: BTreeSet<PageHandle>,
    /// Pages that were shown, read, or of which a part was shown.
    pub seen: BTreeSet<PageHandle>,
    /// Parts that were cut out.
    pub crops: BTreeMap<CropHandle, Crop>,
    /// The pictures that the planner sees now: those of the last call that showed some.
    pub visible: Vec<ImageHandle>,
    /// How often each tool was used.
    pub usage: ToolUsage,
    /// Every call and what came of it.
    pub trace: Vec<TraceRow>,
    /// Every reply of the planner.
    pub decisions: Vec<Decision>,
    /// What it took so far.
    pub spent: Spent,
    /// How it ended.
    pub end: Option<End>,
    pending: Option<Pending>,
}

/// What the planner is told of its last reply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Feedback {
    /// True if the reply could not be read at all.
    pub unreadable: bool,
    /// What is wrong, and what to do.
    pub text: String,
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Next<'a> {
    /// The planner decides: [`Episode::decided`].
    Decide,
    /// The toolbox acts: [`Episode::acted`].
    Act(&'a Call),
    /// The planner gives its ranking and can do nothing else: [`Episode::decided`].
    Finalize,
    /// Nothing more.
    Done(&'a End),
}

impl Episode {
    /// An episode at its beginning, over `n_pages` pages.
    pub fn new(protocol: Protocol, task: impl Into<String>, n_pages: u32) -> Self {
        let mut usage = ToolUsage::default();
        trace::counters(protocol.tools.route).iter().for_each(|name| usage.add(name, 0));
        Self {
            protocol,
            task: task.into(),
            n_pages,
            step: 1,
            repair_used: false,
            feedback: None,
            discovered: BTreeSet::new(),
            inspected: BTreeSet::new(),
            seen: BTreeSet::new(),
            crops: BTreeMap::new(),
            visible: Vec::new(),
            usage,
            trace: Vec::new(),
            decisions: Vec::new(),
            spent: Spent::default(),
            end: None,
            pending: None,
        }
    }

    /// Shows pages before the first step; it costs none. Pages that do not exist are left out.
    pub fn show_first(&mut self, pages: &[(PageHandle, Size)]) {
        let pages: Vec<_> = pages.iter().filter(|(page, _)| self.exists(*page)).collect();
        let loaded = pages.iter().map(|(page, size)| LoadedPage::new(*page, *size)).collect();
        let handles: Vec<PageHandle> = pages.iter().map(|(page, _)| *page).collect();
        self.discovered.extend(&handles);
        self.inspected.extend(&handles);
        self.seen.extend(&handles);
        let observation = Observation::Initial { ok: true, loaded_pages: loaded, failed_pages: Vec::new() };
        self.record(INITIAL, Map::new(), observation, handles.into_iter().map(ImageHandle::Page).collect());
    }

    /// What is to be done now.
    pub fn next(&self) -> Next<'_> {
        match (&self.end, &self.pending) {
            (Some(end), _) => Next::Done(end),
            (None, Some(pending)) => Next::Act(&pending.call),
            (None, None) if self.reached().is_some() => Next::Finalize,
            (None, None) => Next::Decide,
        }
    }

    /// The limit that is reached, so that only the ranking is left.
    pub fn reached(&self) -> Option<Stop> {
        self.protocol.budget.reached(self.step, &self.spent)
    }

    /// Pages that may be ranked: found or seen.
    pub fn eligible(&self) -> BTreeSet<PageHandle> {
        self.discovered.union(&self.seen).copied().collect()
    }

    /// True if the corpus has the page.
    pub const fn exists(&self, page: PageHandle) -> bool {
        page.number() >= 1 && page.number() <= self.n_pages
    }

    /// Takes a planner's reply. Does nothing if none is awaited.
    pub fn decided(&mut self, reply: Reply) {
        if !matches!(self.next(), Next::Decide | Next::Finalize) {
            return;
        }
        let last = self.reached();
        let step = if last.is_some() { self.protocol.budget.steps.saturating_add(1) } else { self.step };
        self.spend(&reply);
        let mut decision = Decision::new(step, last.is_some(), &reply, self);
        match reply.said.map(|text| parse(&text)) {
            Err(failure) => {
                decision.failed(&failure);
                self.fail(&failure, last);
            }
            Ok(Err(why)) => {
                decision.unreadable(&why);
                match last {
                    None => self.again(true, crate::prompt::UNREADABLE),
                    Some(stop) => self.finish(Status::ForcedSubmitFormatError, stop, Submission::none(why)),
                }
            }
            Ok(Ok(parsed)) => {
                self.feedback = None;
                let action = parsed.object.clone();
                decision.accept(parsed);
                match last {
                    None => decision.trace = self.take(action),
                    Some(stop) => self.take_last(&action, stop),
                }
                decision.error = self.refusal();
            }
        }
        self.decisions.push(decision);
    }

    /// Takes what came of a call. Does nothing if no call is under way.
    pub fn acted(&mut self, outcome: Outcome) {
        if let (Some(pending), None) = (self.pending.take(), &self.end) {
            self.observe(pending, outcome);
            self.step += 1;
        }
    }

    /// Adds the time that a planner or a tool took.
    pub const fn took(&mut self, millis: u64) {
        self.spent.millis = self.spent.millis.saturating_add(millis);
    }

    /// Ends the episode for a reason outside it.
    pub fn abandon(&mut self, why: &str) {
        if self.end.is_none() {
            self.finish(Status::WorkerException, Stop::Internal, Submission::none(why));
        }
    }

    /// A decision within the steps; gives the row of the trace that comes of it.
    fn take(&mut self, action: Map<String, Value>) -> Option<usize> {
        let name = action_name(&action);
        if name == SUBMIT {
            match submission::read(&action, &self.eligible_now(), false) {
                Ok(submission) => self.finish(Status::Submitted, Stop::Submitted, submission),
                Err(why) => self.repair(why, Status::InvalidSubmission),
            }
            return None;
        }
        let Some(tool) = self.protocol.tools.named(&name) else {
            self.repair(guard::unknown_action(&name, &self.protocol.tools), Status::InvalidAction);
            return None;
        };
        let arguments = match action.get("arguments") {
            Some(Value::Object(arguments)) => arguments.clone(),
            _ => Map::new(),
        };
        let row = self.trace.len();
        self.begin(tool, arguments);
        Some(row)
    }

    /// The decision at the end.
    fn take_last(&mut self, action: &Map<String, Value>, stop: Stop) {
        let name = action_name(action);
        if name != SUBMIT {
            let why = format!("the last reply must be {SUBMIT}, not {name:?}");
            return self.finish(Status::ForcedSubmitInvalidAction, stop, Submission::none(why));
        }
        match submission::read(action, &self.eligible_now(), true) {
            Ok(submission) => self.finish(Status::ForcedSubmitAfterMaxSteps, stop, submission),
            Err(why) => self.finish(Status::ForcedSubmitInvalidSubmission, stop, Submission::none(why)),
        }
    }

    fn eligible_now(&self) -> Eligible<'_> {
        Eligible {
            answers: self.eligible(),
            seen: &self.seen,
            n_pages: self.n_pages,
            search: self.protocol.tools.search(),
        }
    }

    /// The first fault of an action or a submission is told, the second one ends the episode.
    fn repair(&mut self, why: String, status: Status) {
        if self.repair_used {
            return self.finish(status, Stop::Invalid, Submission::none(why));
        }
        self.repair_used = true;
        self.again(false, format!("{why} (one more such fault ends the episode)"));
    }

    /// Why the decision that was just taken is not carried out, if it is not.
    fn refusal(&self) -> Option<String> {
        let ended =
            self.end.as_ref().filter(|end| end.status.is_refusal()).map(|end| &end.submission.overall_rationale);
        self.feedback.as_ref().map(|feedback| &feedback.text).or(ended).cloned()
    }

    /// Spends the step; the next prompt says why.
    fn again(&mut self, unreadable: bool, text: impl Into<String>) {
        self.feedback = Some(Feedback { unreadable, text: text.into() });
        self.step += 1;
    }

    fn fail(&mut self, failure: &Failure, last: Option<Stop>) {
        let (status, stop) = match (failure, last) {
            (Failure::Provider(_), _) => (Status::ProviderError, Stop::Provider),
            (Failure::Unavailable(_), None) => (Status::PlannerRetryExhausted, Stop::Transport),
            (Failure::Unavailable(_), Some(_)) => (Status::ForcedSubmitRetryExhausted, Stop::Transport),
            (Failure::TimedOut(_), None) => (Status::StepWallTimeout, Stop::Transport),
            (Failure::TimedOut(_), Some(_)) => (Status::ForcedSubmitTimeout, Stop::Transport),
        };
        self.finish(status, stop, Submission::none(failure.why()));
    }

    fn finish(&mut self, status: Status, stop: Stop, submission: Submission) {
        self.end = Some(End { status, stop, submission });
    }

    fn spend(&mut self, reply: &Reply) {
        self.spent.calls += 1;
        self.spent.images += self.visible.len() as u64;
        self.spent.input_tokens += reply.usage.input_tokens;
        self.spent.output_tokens += reply.usage.output_tokens;
        self.spent.dollars += reply.usage.dollars.unwrap_or_default();
    }
}

fn action_name(action: &Map<String, Value>) -> String {
    match action.get("action") {
        Some(Value::String(name)) => name.trim().into(),
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
