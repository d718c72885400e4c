//! `predictions.jsonl` of VisDocAgentBench's harness: an agent's rows name pages by handles, which a file beside them
//! explains; static rows name pages. As in its evaluation, a handle without a page is dropped, and the ranking is then too
//! short to be valid.

use std::collections::BTreeMap;
use std::path::Path;

use recto_page::{DocId, PageId, PageNumber};
use serde::Deserialize;
use serde_json::Value;

use crate::error::Result;
use crate::item::BenchmarkSet;
use crate::results::rows;
use crate::row::{Fault, FaultClass, Outcome, RankedPage, Row, Usage};
use crate::set::{Line, lines};

/// The file that says which page a handle stands for.
const MAPPING: &str = "page_handle_mapping.internal.jsonl";

#[derive(Deserialize)]
struct Prediction {
    query_id: String,
    #[serde(default)]
    submission: Submission,
    #[serde(default)]
    ranked_page_ids: Vec<String>,
    #[serde(default)]
    status: String,
    #[serde(default)]
    model_outputs: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize, Default)]
struct Submission {
    #[serde(default)]
    ranked_answers: Vec<Ranked>,
}

#[derive(Deserialize)]
struct Ranked {
    page_handle: String,
}

/// A line of the mapping; ours also name the document as the index does.
#[derive(Deserialize)]
struct Mapped {
    page_handle: String,
    page_id: String,
    doc: Option<DocId>,
    page: Option<PageNumber>,
}

/// True if a row is of this form.
pub(super) fn is_row(first: &Value) -> bool {
    first.get("query_id").is_some() && (first.get("submission").is_some() || first.get("ranked_page_ids").is_some())
}

/// Reads the rows, and the mapping where there is one.
pub(super) fn read(file: &Path, set: &BenchmarkSet) -> Result<Vec<Row>> {
    let beside = file.with_file_name(MAPPING);
    let mut pages = BTreeMap::new();
    if beside.exists() {
        for line in lines(&beside)? {
            let mapped: Mapped = line?.parse()?;
            let named = mapped.doc.zip(mapped.page).map(|(doc, page)| PageId::new(doc, page));
            pages.extend(named.or_else(|| page_of(&mapped.page_id)).map(|page| (mapped.page_handle, page)));
        }
    }
    rows(file, set, |line| row(line, &pages))
}

fn row(line: &Line, pages: &BTreeMap<String, PageId>) -> Result<Row> {
    let prediction: Prediction = line.parse()?;
    let handles =
        prediction.submission.ranked_answers.iter().filter_map(|ranked| pages.get(&ranked.page_handle).cloned());
    let ranked = handles.chain(prediction.ranked_page_ids.iter().filter_map(|id| page_of(id)));
    let ranking: Vec<RankedPage> =
        (1..).zip(ranked).map(|(rank, page)| RankedPage { page, score: 1.0 / f64::from(rank) }).collect();
    let fault = ranking.is_empty().then(|| Fault::new(FaultClass::Permanent, &prediction.status));
    Ok(Row {
        id: prediction.query_id,
        outcome: if ranking.is_empty() { Outcome::Failed } else { Outcome::Done },
        ranking,
        usage: Usage {
            steps: u32::try_from(prediction.model_outputs.len()).ok().filter(|n| *n > 0),
            ..Usage::default()
        },
        fault,
        ..Row::default()
    })
}

/// The page of a name such as `2601.00001v2_p007`.
fn page_of(id: &str) -> Option<PageId> {
    let (doc, number) = id.rsplit_once("_p")?;
    Some(PageId::new(DocId::new(doc), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Item;
    use crate::predictions;

    fn check(mapping: &str, row: &str, outcome: Outcome, ranking: &[(&str, u32)]) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("predictions.jsonl");
        std::fs::write(folder.path().join(MAPPING), mapping).unwrap();
        std::fs::write(&file, row).unwrap();
        let set = BenchmarkSet { items: vec![Item { id: "q".into(), ..Item::default() }], ..BenchmarkSet::default() };
        let read = predictions::read(&file, &set).unwrap();
        let got: Vec<_> =
            read[0].ranking.iter().map(|ranked| (ranked.page.doc.as_str(), ranked.page.page.get())).collect();
        assert_eq!((read[0].outcome, got.as_slice()), (outcome, ranking), "{row}");
    }

    #[test]
    fn rows_of_agents_and_of_static_rankings() {
        let mapping = "{\"page_handle\":\"page_000001\",\"page_id\":\"a_p2_p010\"}\n\
                       {\"page_handle\":\"page_000002\",\"page_id\":\"b_p001\",\"doc\":\"b.pdf\",\"page\":1}\n";
        let agent = |handles: &str| {
            format!(
                "{{\"query_id\":\"q\",\"status\":\"submitted\",\"submission\":{{\"ranked_answers\":[{handles}]}}}}\n"
            )
        };
        let two = "{\"page_handle\":\"page_000002\",\"rationale\":\"\"},{\"page_handle\":\"page_000001\"}";
        check(mapping, &agent(two), Outcome::Done, &[("b.pdf", 1), ("a_p2", 10)]);
        check(mapping, &agent("{\"page_handle\":\"page_000003\"}"), Outcome::Failed, &[]);
        check(mapping, &agent(""), Outcome::Failed, &[]);
        let fixed = "{\"query_id\":\"q\",\"ranked_page_ids\":[\"a_p001\",\"b_p012\"]}\n";
        check("", fixed, Outcome::Done, &[("a", 1), ("b", 12)]);
    }
}
