//! Rules as planner, for want of a model: search for the task and for parts of it, read the best pages, rank by both. It
//! looks at the episode alone, so it goes on from any stored state.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Planner, Reply, Turn};
use crate::Question;
use crate::action::{SUBMIT, Tool};
use crate::episode::submission::TEN;
use crate::episode::{Episode, TraceRow};
use crate::handle::{ImageHandle, PageHandle};
use crate::observation::Observation;
use crate::qa::term::terms;

/// Pages of a search.
const TOP_K: usize = 30;
/// Pages that are read.
const READ: usize = 6;
/// Pages that are shown.
const SHOWN: usize = 3;
/// Constant of reciprocal-rank fusion.
const RRF: f64 = 60.0;
/// Weight of a search for a part of the task beside that for all of it.
const PART: f64 = 0.3;
/// Weight of the task's words that a page holds beside its rank.
const COVERAGE: f64 = 0.5;

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
        .or_else(|| read(episode, &ranked, left))
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

/// The best page that was not read yet.
fn read(episode: &Episode, ranked: &[PageHandle], left: u32) -> Option<Value> {
    let tool = episode.protocol.tools.text();
    let tried = |page: &PageHandle| {
        let name = page.to_string();
        episode.trace.iter().any(|row| {
            row.tool_name == tool.name() && row.arguments.values().any(|value| value.as_str() == Some(name.as_str()))
        })
    };
    let best: Vec<PageHandle> = by_search(episode).into_iter().map(|(page, _)| page).take(READ).collect();
    let page = best.iter().find(|page| !tried(page)).filter(|_| left > 2 && episode.protocol.tools.has(tool))?;
    let name = if tool == Tool::OcrImage { "target_handle" } else { "page_handle" };
    ranked.contains(page).then(|| call(tool, &json!({ name: page })))
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
    json!({"action": SUBMIT, "ranked_answers": answers, "overall_rationale": "rank in the searches and share of the task's words"})
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
fn searches(episode: &Episode) -> impl Iterator<Item = (&str, Vec<PageHandle>)> {
    let name = episode.protocol.tools.search().name();
    episode.trace.iter().filter(move |row| row.tool_name == name).map(|row| {
        let query = row.arguments.get("query").and_then(Value::as_str).unwrap_or_default();
        let pages = match &row.observation {
            Observation::Found { results, .. } => results.iter().map(|hit| hit.page_handle).collect(),
            _ => Vec::new(),
        };
        (query, pages)
    })
}

/// Pages by their ranks in all searches, the best one scored 1.
fn by_search(episode: &Episode) -> Vec<(PageHandle, f64)> {
    let mut scores: BTreeMap<PageHandle, f64> = episode.seen.iter().map(|page| (*page, 0.0)).collect();
    for (at, (_, pages)) in searches(episode).enumerate() {
        for (rank, page) in (1..).zip(pages) {
            *scores.entry(page).or_default() += if at == 0 { 1.0 } else { PART } / (RRF + f64::from(rank));
        }
    }
    let best = scores.values().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut pages: Vec<_> = scores.into_iter().map(|(page, score)| (page, score / best)).collect();
    pages.sort_by(|a, b| b.1.total_cmp(&a.1));
    pages
}

/// Pages by their ranks and by the share of the task's words on those that were read.
fn ranked(episode: &Episode) -> Vec<PageHandle> {
    let wanted: BTreeSet<String> = Question::new(&episode.task).terms.into_iter().collect();
    let read: BTreeMap<PageHandle, f64> = episode.trace.iter().filter_map(|row| covered(row, &wanted)).collect();
    let score = |(page, rank): &(PageHandle, f64)| rank + COVERAGE * read.get(page).copied().unwrap_or_default();
    let mut pages = by_search(episode);
    pages.sort_by(|a, b| score(b).total_cmp(&score(a)));
    pages.into_iter().map(|(page, _)| page).collect()
}

/// A page that was read, and the share of these words that it holds.
fn covered(row: &TraceRow, wanted: &BTreeSet<String>) -> Option<(PageHandle, f64)> {
    let (page, text) = match &row.observation {
        Observation::Read { target_handle: ImageHandle::Page(page), ocr_text, .. } => (page, ocr_text),
        Observation::PageText { page_handle, ocr_text, .. } => (page_handle, ocr_text),
        _ => return None,
    };
    let there: BTreeSet<String> = terms(text).into_iter().collect();
    let share = wanted.intersection(&there).count() as f64 / wanted.len().max(1) as f64;
    Some((*page, share))
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
