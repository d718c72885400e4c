//! Rules as planner, for want of a model: search for the task, then for parts of it, look at the first pages, rank by the
//! search. It looks at the episode alone, so it goes on from any stored state.
//!
//! On 277 questions about single documents, giving parts of the question a tenth of its weight, or adding the share of its
//! words that a page holds, put fewer right pages first (R@1 0.477 and 0.481 instead of 0.483). So parts only add pages.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Planner, Reply, Turn};
use crate::Question;
use crate::action::{SUBMIT, Tool};
use crate::episode::Episode;
use crate::episode::submission::TEN;
use crate::handle::PageHandle;
use crate::observation::Observation;
use crate::toolbox::Hit;

/// Pages of a search.
const TOP_K: usize = 30;
/// Pages that are looked at.
const SHOWN: usize = 3;
/// Weight of a search for a part of the task beside that for all of it: its pages stand behind those of the task.
const PART: f64 = 0.01;

/// The rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offline;

impl Planner for Offline {
    fn decide(&mut self, turn: &Turn<'_>) -> Reply {
        Reply::words(decide(turn.episode).to_string())
    }

    fn name(&self) -> &'static str {
        "offline"
    }
}

fn decide(episode: &Episode) -> Value {
    let left = (episode.protocol.budget.steps + 1).saturating_sub(episode.step);
    let ranked = ranked(episode);
    let enough = ranked.len() >= TEN;
    if episode.reached().is_some() || (left <= 1 && enough) {
        return submission(episode, &ranked);
    }
    search(episode, enough)
        .or_else(|| inspect(episode, &ranked))
        .unwrap_or_else(|| if enough { submission(episode, &ranked) } else { wait(episode) })
}

/// A step that does nothing: less than ten pages are accepted only when all steps are over.
fn wait(episode: &Episode) -> Value {
    call(episode.protocol.tools.search(), &json!({"query": episode.task, "top_k": TOP_K}))
}

/// The next search that was not made yet; single words only while too few pages are found.
fn search(episode: &Episode, enough: bool) -> Option<Value> {
    let made: BTreeSet<&str> = searches(episode).map(|(query, _)| query).collect();
    let question = Question::new(&episode.task);
    let single = question.terms.iter().filter(|_| !enough).cloned();
    let query =
        queries(&episode.task, &question).into_iter().chain(single).find(|query| !made.contains(query.as_str()))?;
    Some(call(episode.protocol.tools.search(), &json!({"query": query, "top_k": TOP_K})))
}

/// The first pages, once.
fn inspect(episode: &Episode, ranked: &[PageHandle]) -> Option<Value> {
    let tool = Tool::InspectPages;
    let done = episode.trace.iter().any(|row| row.tool_name == tool.name());
    let first: Vec<&PageHandle> = ranked.iter().take(SHOWN).collect();
    let wanted = episode.protocol.tools.has(tool) && !done && !first.is_empty();
    wanted.then(|| call(tool, &json!({"page_handles": first})))
}

fn call(tool: Tool, arguments: &Value) -> Value {
    json!({"action": tool.name(), "arguments": arguments, "reason": "by rule"})
}

fn submission(episode: &Episode, ranked: &[PageHandle]) -> Value {
    let answer = |page: &PageHandle| {
        let evidence: Vec<&PageHandle> = episode.seen.get(page).into_iter().collect();
        json!({"page_handle": page, "evidence_page_handles": evidence, "rationale": ""})
    };
    let answers: Vec<Value> = ranked.iter().take(TEN).map(answer).collect();
    json!({"action": SUBMIT, "ranked_answers": answers, "overall_rationale": "score in the searches"})
}

/// What to search for: the task, the names in it, its first and its last part.
fn queries(task: &str, question: &Question) -> Vec<String> {
    let names = [question.names.as_slice(), &question.quoted, &question.identifiers].concat().join(" ");
    let mut parts = parts(task).into_iter();
    let first = parts.next().unwrap_or_default();
    let last = parts.next_back().unwrap_or_default();
    let mut queries: Vec<String> = Vec::new();
    for query in [task.trim().to_owned(), names, first, last] {
        if query.chars().any(char::is_alphanumeric) && !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}

/// The task cut where a clause begins; parts of less than three words are none.
fn parts(task: &str) -> Vec<String> {
    let mut parts = vec![Vec::new()];
    for word in task.split_whitespace() {
        let begins = matches!(word.to_lowercase().as_str(), "that" | "which" | "who" | "whose" | "where" | "when");
        if begins {
            parts.push(Vec::new());
        }
        if let (false, Some(part)) = (begins, parts.last_mut()) {
            part.push(word);
        }
        if word.ends_with([',', ';']) {
            parts.push(Vec::new());
        }
    }
    parts.into_iter().filter(|part| part.len() > 2).map(|part| part.join(" ")).collect()
}

/// The searches that were made, with the pages that they gave.
fn searches(episode: &Episode) -> impl Iterator<Item = (&str, &[Hit])> {
    let name = episode.protocol.tools.search().name();
    episode.trace.iter().filter(move |row| row.tool_name == name).map(|row| {
        let query = row.arguments.get("query").and_then(Value::as_str).unwrap_or_default();
        let pages = match &row.observation {
            Observation::Found { results, .. } => results.as_slice(),
            _ => &[],
        };
        (query, pages)
    })
}

/// Pages by their scores in all searches; of each search the best one counts as 1.
fn ranked(episode: &Episode) -> Vec<PageHandle> {
    let mut scores: BTreeMap<PageHandle, f64> = episode.seen.iter().map(|page| (*page, 0.0)).collect();
    for (query, hits) in searches(episode) {
        let weight = if query == episode.task.trim() { 1.0 } else { PART };
        let best = hits.iter().map(|hit| hit.score).fold(f64::MIN_POSITIVE, f64::max);
        for hit in hits {
            *scores.entry(hit.page_handle).or_default() += weight * hit.score / best;
        }
    }
    let mut pages: Vec<_> = scores.into_iter().collect();
    pages.sort_by(|a, b| b.1.total_cmp(&a.1));
    pages.into_iter().map(|(page, _)| page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_searched_for_in_parts() {
        let check = |task: &str, right: &[&str]| assert_eq!(queries(task, &Question::new(task)), right, "{task}");
        check("a plot", &["a plot"]);
        check(
            "the bar chart of a survey that was begun by Harrow College, with three colours",
            &[
                "the bar chart of a survey that was begun by Harrow College, with three colours",
                "Harrow College",
                "the bar chart of a survey",
                "with three colours",
            ],
        );
        check("", &[]);
    }
}
