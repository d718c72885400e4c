//! The ranking that ends an episode, and when it is valid.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::action::{SUBMIT, Tool};
use crate::handle::PageHandle;

/// Pages of a ranking.
pub const TEN: usize = 10;

/// A ranking.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Submission {
    /// Best first, each page once.
    pub ranked_answers: Vec<RankedAnswer>,
    /// In the planner's words; without a ranking, why there is none.
    pub overall_rationale: String,
    /// What was left out of what the planner wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub normalization_warnings: Vec<String>,
}

/// A page of a ranking.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RankedAnswer {
    /// The page.
    pub page_handle: PageHandle,
    /// Pages that speak for it; each was seen.
    pub evidence_page_handles: Vec<PageHandle>,
    /// In the planner's words.
    pub rationale: String,
}

/// What may be submitted.
#[derive(Clone, PartialEq, Debug)]
pub struct Eligible<'a> {
    /// Pages that may be ranked.
    pub answers: BTreeSet<PageHandle>,
    /// Pages that may be evidence.
    pub seen: &'a BTreeSet<PageHandle>,
    /// Pages of the corpus.
    pub n_pages: u32,
    /// The tool that finds more.
    pub search: Tool,
}

impl Submission {
    /// No ranking, and why.
    pub fn none(why: impl ToString) -> Self {
        Self { overall_rationale: why.to_string(), ..Self::default() }
    }
}

/// Reads a submission. Evidence that was not seen is left out with a warning; any other fault makes it invalid.
///
/// # Errors
/// With a sentence for the planner.
pub fn read(action: &Map<String, Value>, eligible: &Eligible<'_>, fewer_than_ten: bool) -> Result<Submission, String> {
    let Some(Value::Array(ranked)) = action.get("ranked_answers") else {
        return Err(format!("{SUBMIT} needs ranked_answers, a list, beside \"action\" (not inside \"arguments\")"));
    };
    let there = eligible.answers.len();
    if !fewer_than_ten && there < TEN {
        let search = eligible.search.name();
        return Err(format!(
            "only {there} pages are found and a ranking has {TEN}; search with {search} and a larger top_k before {SUBMIT}"
        ));
    }
    let target = there.min(TEN);
    if ranked.len() > TEN || (target > 0 && ranked.len() != target) {
        return Err(format!("ranked_answers must hold exactly {target} pages, not {}", ranked.len()));
    }
    let mut submission = Submission::default();
    let mut faults = Vec::new();
    for (rank, item) in (1..).zip(ranked) {
        match answer(rank, item, eligible, &mut submission) {
            Ok(answer) => submission.ranked_answers.push(answer),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults.join("; "));
    }
    if submission.ranked_answers.is_empty() {
        return Err("ranked_answers is empty".into());
    }
    submission.overall_rationale = text(action.get("overall_rationale"));
    Ok(submission)
}

fn answer(rank: usize, item: &Value, eligible: &Eligible<'_>, so_far: &mut Submission) -> Result<RankedAnswer, String> {
    let item = item.as_object().ok_or_else(|| format!("rank {rank} is not an object with page_handle"))?;
    let written = text(item.get("page_handle"));
    let page: Option<PageHandle> = written.parse().ok();
    let exists = |page: &PageHandle| (1..=eligible.n_pages).contains(&page.number());
    let page = page.filter(exists).ok_or_else(|| format!("rank {rank}: {written:?} is no page of this corpus"))?;
    if !eligible.answers.contains(&page) {
        return Err(format!("rank {rank}: {page} was neither found nor seen in this episode"));
    }
    if so_far.ranked_answers.iter().any(|before| before.page_handle == page) {
        return Err(format!("rank {rank}: {page} is ranked twice; each page may stand once"));
    }
    let written = match item.get("evidence_page_handles") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(list)) => list.iter().map(|page| text(Some(page))).collect(),
        _ => Vec::new(),
    };
    let (evidence, unseen) = evidence(&written, eligible.seen);
    if !unseen.is_empty() {
        let warning = format!("rank {rank}: evidence that was not seen is left out: {}", unseen.join(", "));
        so_far.normalization_warnings.push(warning);
    }
    Ok(RankedAnswer { page_handle: page, evidence_page_handles: evidence, rationale: text(item.get("rationale")) })
}

/// The pages that were seen, each once, and the rest as written.
fn evidence(written: &[String], seen: &BTreeSet<PageHandle>) -> (Vec<PageHandle>, Vec<String>) {
    let known: BTreeMap<String, PageHandle> = seen.iter().map(|page| (page.to_string(), *page)).collect();
    let (mut kept, mut unseen) = (Vec::new(), Vec::new());
    for name in written {
        match known.get(name) {
            Some(page) if kept.contains(page) => {}
            Some(page) => kept.push(*page),
            None => unseen.push(name.clone()),
        }
    }
    (kept, unseen)
}

fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.trim().into(),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pages(numbers: std::ops::RangeInclusive<u32>) -> BTreeSet<PageHandle> {
        numbers.map(PageHandle::new).collect()
    }

    fn item(number: u32) -> Value {
        json!({"page_handle": PageHandle::new(number), "evidence_page_handles": [], "rationale": "x"})
    }

    /// `found` pages are found, of them `seen` are seen, of 40 in the corpus.
    fn submit(ranked: Value, found: u32, seen: u32, fewer: bool) -> Result<Submission, String> {
        let seen = pages(1..=seen);
        let eligible = Eligible { answers: pages(1..=found), seen: &seen, n_pages: 40, search: Tool::VisualSearch };
        read(json!({ "ranked_answers": ranked }).as_object().unwrap(), &eligible, fewer)
    }

    fn list(numbers: impl IntoIterator<Item = u32>) -> Value {
        numbers.into_iter().map(item).collect()
    }

    #[test]
    fn a_ranking_has_ten_different_pages_that_were_found() {
        let check = |ranked: Value, found: u32, fewer: bool, fault: &str| {
            let got = submit(ranked.clone(), found, 0, fewer).map_err(|why| why.contains(fault).to_string() + &why);
            match fault {
                "" => assert!(got.is_ok(), "{got:?}"),
                _ => assert!(got.as_ref().is_err_and(|why| why.starts_with("true")), "{ranked}: {got:?}, not {fault}"),
            }
        };
        check(list(1..=10), 10, false, "");
        check(list(3..=12), 30, false, "");
        check(list(1..=5), 5, true, "");
        check(list(1..=5), 5, false, "only 5 pages are found");
        check(list(1..=9), 30, false, "exactly 10 pages, not 9");
        check(list(1..=9), 30, true, "exactly 10 pages, not 9");
        check(list(1..=11), 30, false, "exactly 10 pages, not 11");
        check(list(1..=6), 5, true, "exactly 5 pages, not 6");
        check(list((1..=9).chain([1])), 30, false, "page_000001 is ranked twice");
        check(list((1..=9).chain([31])), 30, false, "neither found nor seen");
        check(list((1..=9).chain([41])), 30, false, "no page of this corpus");
        check(list([]), 0, true, "empty");
        check(json!("all"), 30, false, "beside \"action\"");
        let strings: Vec<String> = (1..=10).map(|n| PageHandle::new(n).to_string()).collect();
        check(json!(strings), 30, false, "not an object");
    }

    #[test]
    fn unseen_evidence_is_left_out_and_said() {
        let mut ranked = list(1..=10);
        ranked[0]["evidence_page_handles"] = json!(["page_000002", "page_000009", "page_000002", "crop_000001_000001"]);
        ranked[1]["evidence_page_handles"] = json!("page_000001");
        ranked[2]["evidence_page_handles"] = json!(7);
        let submission = submit(ranked, 20, 3, false).unwrap();
        let evidence = |rank: usize| submission.ranked_answers[rank].evidence_page_handles.clone();
        assert_eq!(evidence(0), [PageHandle::new(2)]);
        assert_eq!(evidence(1), [PageHandle::new(1)]);
        assert_eq!(evidence(2), []);
        assert_eq!(submission.normalization_warnings.len(), 1);
        assert!(submission.normalization_warnings[0].contains("page_000009, crop_000001_000001"));
    }
}
