//! What a planner is told when it goes round in circles. Nothing is forbidden: the notes stand in the prompt beside the
//! state, and the tools do what they are asked.

use super::Episode;
use crate::action::{SUBMIT, Tool, ToolSet};
use crate::observation::Observation;

/// Notes for the next turn.
pub fn notes(episode: &Episode) -> Vec<String> {
    [repeated_query(episode), nothing_found(episode)].into_iter().flatten().collect()
}

/// What is wrong with an action that no tool is called by.
pub fn unknown_action(name: &str, tools: &ToolSet) -> String {
    let known = [tools.names("\"%\"", ", "), format!("\"{SUBMIT}\"")].into_iter().filter(|names| !names.is_empty());
    let known = known.collect::<Vec<_>>().join(", ");
    let exists = Tool::ALL.iter().any(|tool| tool.name() == name);
    match name {
        "" => format!("\"action\" is missing; it must be one of {known}"),
        _ if exists => format!("{name:?} is not available in this episode; \"action\" must be one of {known}"),
        _ => format!("there is no action {name:?}; \"action\" must be one of {known}"),
    }
}

/// The last call searched for what an earlier one had searched for.
fn repeated_query(episode: &Episode) -> Option<String> {
    let (last, before) = episode.trace.split_last()?;
    let asked = query(episode, last)?;
    let first = before.iter().position(|row| query(episode, row).is_some_and(|query| query == asked))?;
    let call = first + 1;
    Some(format!(
        "the query {asked:?} was searched before (call {call}): the same words find the same pages; change the words, or look at what was found"
    ))
}

/// The last searches found nothing.
fn nothing_found(episode: &Episode) -> Option<String> {
    let searches = episode.trace.iter().rev().filter(|row| query(episode, row).is_some());
    let empty = |row: &&super::TraceRow| match &row.observation {
        Observation::Found { results, .. } => results.is_empty(),
        _ => false,
    };
    let n = searches.take_while(empty).count();
    (n >= 2).then(|| format!("{n} searches in a row found no page: use fewer or other words"))
}

/// A search's words, in a form in which equal searches are equal.
fn query(episode: &Episode, row: &super::TraceRow) -> Option<String> {
    let searched = row.tool_name == episode.protocol.tools.search().name();
    let query = row.arguments.get("query").filter(|_| searched)?.as_str()?;
    Some(query.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase())
}
