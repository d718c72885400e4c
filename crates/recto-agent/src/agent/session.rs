//! One question under way: a state machine without input and output. Whoever drives it asks [`Session::next`] what is to be
//! done, has a planner decide or a desk act, and tells what came of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use recto_page::PageId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::act::Outcome;
use super::call::{Arguments, Call};
use super::observation::Observation;
use super::rules::{Kind, Rules};
use super::said::{Said, fields};
use super::shelf::Shelf;
use super::tool::Tool;
use super::{guard, prompt};
use crate::answer::{Answer, Coverage};
use crate::budget::{Spent, Stop};
use crate::parse::parse;
use crate::planner::{Failure, ModelUsage, Reply};

/// So often an answer is sent back to be mended.
const SENT_BACK: u32 = 1;
/// Notes that are kept, and characters of one.
const NOTES: (usize, usize) = (60, 500);

/// One question under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Session {
    /// The rules.
    pub rules: Rules,
    /// What is asked.
    pub question: String,
    /// The documents.
    pub shelf: Arc<Shelf>,
    /// The next step, from 1.
    pub step: u32,
    /// Every reply of the planner and what came of it.
    pub steps: Vec<Step>,
    /// What the planner wants to remember.
    pub notes: Vec<String>,
    /// Pages that searches found.
    pub found: BTreeSet<PageId>,
    /// Pages whose text or picture was given.
    pub seen: BTreeSet<PageId>,
    /// What it took so far.
    pub spent: Spent,
    /// How it ended.
    pub end: Option<End>,
    pending: Option<Call>,
    /// What a program's author found, and is to be put into the form of an answer.
    finding: Option<String>,
    sent_back: u32,
}

/// A reply of the planner and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The step, from 1.
    pub step: u32,
    /// The planner's words.
    pub reply: String,
    /// What they say.
    pub action: Map<String, Value>,
    /// What is wrong with them; the planner is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observation: Option<Observation>,
    /// What the planner was told beside it, and what it was not shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the reply took.
    pub usage: ModelUsage,
    /// How often the planner was asked until it answered.
    pub attempts: u32,
}

/// How a session ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    /// How.
    pub status: Status,
    /// What ended it.
    pub stop: Stop,
    /// The answer, checked; a decline where there is none.
    pub answer: Answer,
    /// The things of a list, or the one answer.
    pub items: Vec<String>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// With an answer of the planner's own accord.
    Answered,
    /// With an answer that was asked for when a limit was reached.
    ForcedAnswer,
    /// The planner says that the documents do not tell.
    Declined,
    /// The last reply was no answer.
    NoAnswer,
    /// The planner gave no reply.
    NoReply,
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Next<'a> {
    /// The planner decides: [`Session::decided`].
    Decide,
    /// The desk acts: [`Session::acted`].
    Act(&'a Call),
    /// The planner answers and can do nothing else: [`Session::decided`].
    Finalize(Last<'a>),
    /// Nothing more.
    Done(&'a End),
}

/// What the last reply is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Last<'a> {
    /// The answer: a limit is reached.
    Answer(Stop),
    /// This finding in the form of an answer.
    Form(&'a str),
}

impl Session {
    /// A session at its beginning.
    pub fn new(rules: Rules, question: impl Into<String>, shelf: Arc<Shelf>) -> Self {
        Self {
            rules,
            question: question.into(),
            shelf,
            step: 1,
            steps: Vec::new(),
            notes: Vec::new(),
            found: BTreeSet::new(),
            seen: BTreeSet::new(),
            spent: Spent::default(),
            end: None,
            pending: None,
            finding: None,
            sent_back: 0,
        }
    }

    /// What is to be done now.
    pub fn next(&self) -> Next<'_> {
        match (&self.end, &self.pending, &self.finding) {
            (Some(end), ..) => Next::Done(end),
            (None, Some(call), _) => Next::Act(call),
            (None, None, Some(finding)) => Next::Finalize(Last::Form(finding)),
            (None, None, None) => self.reached().map_or(Next::Decide, |stop| Next::Finalize(Last::Answer(stop))),
        }
    }

    /// The limit that makes the next reply the last one.
    fn reached(&self) -> Option<Stop> {
        self.rules.budget.reached(self.step.saturating_add(1), &self.spent)
    }

    /// Replies that are left, the last one included.
    pub fn steps_left(&self) -> u32 {
        self.rules.budget.steps.saturating_add(1).saturating_sub(self.step)
    }

    /// What the planner is told beside the last observation.
    pub fn notices(&self) -> Vec<String> {
        let fault = self.steps.last().and_then(|step| step.fault.clone());
        fault.into_iter().chain(guard::notes(self)).collect()
    }

    /// Takes a planner's reply. Does nothing if none is awaited.
    pub fn decided(&mut self, reply: Reply) {
        let last = match self.next() {
            Next::Decide => None,
            Next::Finalize(Last::Answer(stop)) => Some(stop),
            Next::Finalize(Last::Form(_)) => return self.formed(reply),
            Next::Act(_) | Next::Done(_) => return,
        };
        self.spend(&reply);
        let mut step = self.begun(&reply);
        match reply.said {
            Err(failure) => {
                step.fault = Some(failure.why().into());
                self.steps.push(step);
                self.lost(&failure);
            }
            Ok(words) => {
                match action(&words, self.rules.kind) {
                    Ok(action) => step.action = action,
                    Err(why) => step.fault = Some(why),
                }
                self.keep_note(&step.action);
                let decision = match &step.fault {
                    Some(why) => Err(why.clone()),
                    None => self.decision(&step.action),
                };
                self.take(step, decision, last);
            }
        }
    }

    fn begun(&self, reply: &Reply) -> Step {
        Step {
            step: self.step,
            reply: reply.said.clone().unwrap_or_default(),
            action: Map::new(),
            fault: None,
            call: None,
            observation: None,
            notes: self.notices().into_iter().chain(reply.notes.iter().cloned()).collect(),
            usage: reply.usage,
            attempts: reply.attempts,
        }
    }

    /// What an action wants; a finding that is to be put into form is no call.
    fn decision(&self, action: &Map<String, Value>) -> Result<Decision, String> {
        let name = name_of(action);
        let kind = self.rules.kind;
        let tool = Tool::named(kind, &name).ok_or_else(|| guard::unknown(&name, kind))?;
        match tool {
            Tool::Answer => {
                let said = Said::read(action).ok_or("the answer is empty: give \"answer\", or search on")?;
                Ok(Decision::Call(Call::Verify(said)))
            }
            Tool::Decline => Ok(Decision::Call(Call::Verify(Said::declined(action)))),
            Tool::Finish => {
                let finding = Arguments(&fields(action)).text("finding");
                if finding.is_empty() {
                    Err("the finding is empty: say what you found and where".into())
                } else {
                    Ok(Decision::Finding(finding))
                }
            }
            tool => Call::read(tool, &Arguments(&fields(action)), &self.rules, &self.shelf)
                .map(Decision::Call)
                .map_err(|why| format!("{}: {why}", tool.name())),
        }
    }

    fn take(&mut self, mut step: Step, decision: Result<Decision, String>, last: Option<Stop>) {
        match (decision, last) {
            (Ok(Decision::Call(call)), None) => {
                step.call = Some(call.clone());
                self.pending = Some(call);
                self.steps.push(step);
            }
            (Ok(Decision::Call(call @ Call::Verify(_))), Some(_)) => {
                step.call = Some(call.clone());
                self.pending = Some(call);
                self.steps.push(step);
            }
            (Ok(Decision::Finding(finding)), _) => {
                self.finding = Some(finding);
                self.steps.push(step);
                self.step += 1;
            }
            (Ok(Decision::Call(_)), Some(stop)) => {
                let why = format!("the last reply was {:?} and no answer", name_of(&step.action));
                step.fault = Some(why.clone());
                self.steps.push(step);
                self.finish(Status::NoAnswer, stop, self.nothing(), Vec::new(), Some(why));
            }
            (Err(why), None) => {
                step.fault = Some(why);
                self.steps.push(step);
                self.step += 1;
            }
            (Err(why), Some(stop)) => {
                step.fault = Some(why.clone());
                self.steps.push(step);
                self.finish(Status::NoAnswer, stop, self.nothing(), Vec::new(), Some(why));
            }
        }
    }

    /// The finding in the form of an answer; as it stands where that fails.
    fn formed(&mut self, reply: Reply) {
        self.spend(&reply);
        let mut step = self.begun(&reply);
        let finding = self.finding.take().unwrap_or_default();
        let read = reply.said.ok().and_then(|words| parse(&words).ok()).map(|parsed| parsed.object);
        step.action = read.unwrap_or_default();
        let said = Said::read(&step.action).or_else(|| Said::of_text(&finding));
        match said {
            Some(said) => {
                step.call = Some(Call::Verify(said.clone()));
                self.pending = Some(Call::Verify(said));
                // What can't be mended any more is not sent back.
                self.sent_back = SENT_BACK;
                self.steps.push(step);
            }
            None => {
                self.steps.push(step);
                let why = "there is no answer in the finding".to_owned();
                self.finish(Status::NoAnswer, Stop::Submitted, self.nothing(), Vec::new(), Some(why));
            }
        }
    }

    /// Takes what came of a call. Does nothing if no call is under way.
    pub fn acted(&mut self, outcome: Outcome) {
        let (Some(call), None) = (self.pending.take(), &self.end) else { return };
        match outcome {
            Outcome::Told(observation) => {
                self.found.extend(observation.found.iter().cloned());
                self.seen.extend(observation.seen.iter().cloned());
                if let Some(step) = self.steps.last_mut() {
                    step.observation = Some(observation);
                }
                self.step += 1;
            }
            Outcome::Checked(answer, faults) => self.checked(&call, *answer, faults),
        }
    }

    /// An answer with faults is sent back once, if there is a step left.
    fn checked(&mut self, call: &Call, mut answer: Answer, faults: Vec<String>) {
        let last = self.reached();
        let mend = self.rules.kind == Kind::Recto && last.is_none() && self.sent_back < SENT_BACK;
        if mend && !faults.is_empty() {
            self.sent_back += 1;
            let why =
                format!("{}. Mend that and answer again, or answer the same if it can't be mended", faults.join("; "));
            if let Some(step) = self.steps.last_mut() {
                step.fault = Some(why);
            }
            self.step += 1;
            return;
        }
        answer.notes.extend(faults);
        let Call::Verify(said) = call else { return };
        let status = match (said.declined, last) {
            (true, _) => Status::Declined,
            (false, Some(_)) => Status::ForcedAnswer,
            (false, None) => Status::Answered,
        };
        self.finish(status, last.unwrap_or(Stop::Submitted), answer, said.items.clone(), None);
    }

    /// Adds the time that a planner or a tool took.
    pub const fn took(&mut self, millis: u64) {
        self.spent.millis = self.spent.millis.saturating_add(millis);
    }

    fn keep_note(&mut self, action: &Map<String, Value>) {
        let note = Arguments(action).text("note");
        if !note.is_empty() && self.notes.len() < NOTES.0 && !self.notes.contains(&note) {
            self.notes.push(note.chars().take(NOTES.1).collect());
        }
    }

    fn lost(&mut self, failure: &Failure) {
        let stop = if matches!(failure, Failure::Provider(_)) { Stop::Provider } else { Stop::Transport };
        self.finish(Status::NoReply, stop, self.nothing(), Vec::new(), Some(failure.why().into()));
    }

    fn finish(&mut self, status: Status, stop: Stop, answer: Answer, items: Vec<String>, why: Option<String>) {
        self.end = Some(End { status, stop, answer, items, why });
    }

    fn nothing(&self) -> Answer {
        let read = u32::try_from(self.seen.len()).unwrap_or(u32::MAX);
        Answer::decline(Coverage { read, with_text: read, of: None })
    }

    fn spend(&mut self, reply: &Reply) {
        self.spent.calls += 1;
        self.spent.images += if self.rules.sees { prompt::visible(self).count() as u64 } else { 0 };
        self.spent.input_tokens += reply.usage.input_tokens;
        self.spent.output_tokens += reply.usage.output_tokens;
        self.spent.dollars += reply.usage.dollars.unwrap_or_default();
    }
}

enum Decision {
    Call(Call),
    Finding(String),
}

/// The action in a reply; of programs' authors also a program that stands between marks of code.
fn action(words: &str, kind: Kind) -> Result<Map<String, Value>, String> {
    let program = (kind == Kind::Rlm).then(|| code(words)).flatten();
    if let Some(program) = program {
        let arguments = json!({"program": program});
        return Ok(Map::from_iter([("action".into(), json!("run")), ("arguments".into(), arguments)]));
    }
    let parsed = parse(words).map_err(|why| format!("{why}; {}", prompt::one_object(kind)))?;
    Ok(parsed.object)
}

/// What stands between the first two marks of code, if it is no JSON.
fn code(words: &str) -> Option<&str> {
    let (_, after) = words.split_once("```")?;
    let (block, _) = after.split_once("```")?;
    let (tag, body) = block.split_once('\n')?;
    let is_json =
        tag.trim().eq_ignore_ascii_case("json") || body.trim_start().starts_with('{') && body.contains("\"action\"");
    (!is_json && !body.trim().is_empty()).then_some(body)
}

fn name_of(action: &Map<String, Value>) -> String {
    match action.get("action") {
        Some(Value::String(name)) => name.trim().to_lowercase(),
        None | Some(Value::Null) if action.contains_key("answer") => Tool::Answer.name().into(),
        None | Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
    }
}
