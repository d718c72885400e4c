//! What a planner is told when it goes round in circles or comes to its end. Nothing is forbidden: tools do what they are
//! asked.

use super::rules::Kind;
use super::session::{Session, Step};
use super::tool::{Tool, names};

/// From so many steps before the end on, the planner is told.
const NEAR: u32 = 2;

/// Notes for the next turn.
pub(super) fn notes(session: &Session) -> Vec<String> {
    [repeated(session), nothing_found(session), nearly_over(session)].into_iter().flatten().collect()
}

/// What is wrong with an action that no tool is called by.
pub(super) fn unknown(name: &str, kind: Kind) -> String {
    let known = names(kind);
    match name {
        "" => format!("\"action\" is missing; it must be one of {known}"),
        _ if Tool::exists(name) => format!("{name:?} is not available here; \"action\" must be one of {known}"),
        _ => format!("there is no action {name:?}; \"action\" must be one of {known}"),
    }
}

/// The last call is one that was made before.
fn repeated(session: &Session) -> Option<String> {
    let (last, before) = session.steps.split_last()?;
    let call = last.call.as_ref()?;
    let same = |step: &&Step| match (&step.call, call.query()) {
        (Some(other), Some(query)) if other.query().is_some_and(|other| folded(other) == folded(query)) => {
            std::mem::discriminant(other) == std::mem::discriminant(call) && same_place(other, call)
        }
        (Some(other), None) => other == call,
        _ => false,
    };
    let step = before.iter().find(same)?.step;
    let what =
        if call.query().is_some() { "the same search finds the same pages" } else { "the same call gives the same" };
    Some(format!("this was done before (step {step}): {what}; do something else, or answer"))
}

/// Searches that differ in more than their words can find other pages.
fn same_place(a: &super::Call, b: &super::Call) -> bool {
    use super::Call::Search;
    match (a, b) {
        (Search { by: x, documents: d, top_k: k, .. }, Search { by: y, documents: e, top_k: l, .. }) => {
            (x, d, k) == (y, e, l)
        }
        _ => true,
    }
}

fn folded(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// The last searches found nothing.
fn nothing_found(session: &Session) -> Option<String> {
    let searches =
        session.steps.iter().rev().filter(|step| step.call.as_ref().is_some_and(|call| call.query().is_some()));
    let empty = |step: &&Step| step.observation.as_ref().is_some_and(super::Observation::is_empty_search);
    let n = searches.take_while(empty).count();
    (n >= 2).then(|| format!("{n} searches in a row found nothing: use fewer or other words, or another way to search"))
}

fn nearly_over(session: &Session) -> Option<String> {
    let left = session.steps_left();
    match (left <= NEAR && session.rules.budget.steps > NEAR, left) {
        (true, 1) => Some("the next reply must be the answer".into()),
        (true, _) => Some(format!("{left} replies are left, the last of them must be the answer")),
        _ => None,
    }
}
