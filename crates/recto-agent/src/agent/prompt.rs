//! What agents are told. The words stand in files under `prompts/`.

use serde_json::json;

use super::observation::Shot;
use super::rules::{Kind, Rules};
use super::session::{Last, Session, Step};
use super::tool;
use crate::fence::Fence;
use crate::fingerprint;
use crate::prompt::{
    AGENT_BM25, AGENT_FORM, AGENT_LAST, AGENT_MC_SEARCH, AGENT_RECTO, AGENT_RLM, Template, fence_rule,
};

/// Observations older than so many steps are cut.
const RECENT: usize = 10;
/// To so many characters a part.
const CUT: usize = 800;

const fn template(kind: Kind) -> Template {
    match kind {
        Kind::Recto => AGENT_RECTO,
        Kind::Bm25 => AGENT_BM25,
        Kind::Rlm => AGENT_RLM,
        Kind::McSearch => AGENT_MC_SEARCH,
    }
}

/// Names and versions of the words of an agent.
pub(super) fn versions(kind: Kind) -> Vec<String> {
    [template(kind).name, AGENT_LAST.name, AGENT_FORM.name].map(str::to_owned).to_vec()
}

/// What stays the same from turn to turn.
pub fn instructions(rules: &Rules, fence: &Fence) -> String {
    let (tools, fence, steps) = (tool::lines(rules), fence_rule(fence), rules.budget.steps.to_string());
    template(rules.kind).fill(&[("tools", &tools), ("fence", &fence), ("steps", &steps), ("programs", PROGRAMS)])
}

/// A hash of the words and of what fills them.
pub fn digest(rules: &Rules) -> String {
    let words = [instructions(rules, &Fence::new("")), AGENT_LAST.fill(&[]), AGENT_FORM.fill(&[])];
    fingerprint::sha256(&json!(words))
}

/// What authors of programs are told of their language.
const PROGRAMS: &str = crate::program::HELP;

/// What a reply must be.
pub(super) const fn one_object(kind: Kind) -> &'static str {
    match kind {
        Kind::Rlm => "reply with one program between ``` marks, or with one JSON object",
        _ => "reply with exactly one JSON object",
    }
}

/// What is told before the first reply.
pub(super) fn opening(session: &Session) -> String {
    let shelf = &session.shelf;
    let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (documents, pages) = (count(shelf.len() as u64, "document"), count(shelf.n_pages(), "page"));
    let size = format!("The corpus has {documents} with {pages} together.");
    let size = if session.rules.kind == Kind::Bm25 { String::new() } else { format!("{size}\n") };
    format!("{size}Question: {}", session.question)
}

/// What came of a step, in words.
pub(super) fn outcome(session: &Session, at: usize, fence: &Fence) -> String {
    let Some(step) = session.steps.get(at) else { return String::new() };
    let recent = at + RECENT >= session.steps.len();
    let told = step.observation.as_ref().map(|told| told.in_words(fence, if recent { usize::MAX } else { CUT }));
    let failed = step.observation.as_ref().is_some_and(|told| !told.ok);
    match told {
        Some(told) if failed => format!("That could not be done: {told}"),
        Some(told) => told,
        None => String::new(),
    }
}

/// What the planner is told at the end of its turn: notes, and how much is left.
pub(super) fn status(session: &Session, last: Option<Last<'_>>) -> String {
    let mut text = session.notices().into_iter().map(|note| format!("Note: {note}.\n")).collect::<String>();
    match last {
        Some(Last::Answer(_)) => {
            text.push_str(&AGENT_LAST.fill(&[("form", form(session.rules.kind)), ("notes", &remembered(session))]));
        }
        Some(Last::Form(finding)) => {
            text.push_str(&AGENT_FORM.fill(&[("question", &session.question), ("finding", finding)]));
        }
        None => text.push_str(&format!("Step {} of {}.", session.step, session.rules.budget.steps)),
    }
    text
}

fn remembered(session: &Session) -> String {
    match session.notes.as_slice() {
        [] => String::new(),
        notes => format!("\nYour notes:\n{}", notes.iter().map(|note| format!("- {note}\n")).collect::<String>()),
    }
}

const fn form(kind: Kind) -> &'static str {
    match kind {
        Kind::Recto => {
            r#"{"action": "answer", "answer": "...", "items": [], "citations": [{"page": "D3:7", "quote": "..."}]} or {"action": "decline", "reason": "..."}"#
        }
        _ => r#"{"action": "answer", "answer": ["..."], "citations": [{"file": "...", "page": 7}]}"#,
    }
}

/// The pictures that the planner sees in its next turn, with the steps that show them, counted from 0.
pub(super) fn visible(session: &Session) -> impl Iterator<Item = (usize, &Shot)> {
    let all: Vec<(usize, &Shot)> = session.steps.iter().enumerate().flat_map(shots).collect();
    let first = all.len().saturating_sub(session.rules.window);
    all.into_iter().skip(first)
}

fn shots((at, step): (usize, &Step)) -> impl Iterator<Item = (usize, &Shot)> {
    step.observation.iter().flat_map(move |told| told.shown.iter().map(move |shot| (at, shot)))
}
