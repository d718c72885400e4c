//! A trace as it is shown, made of a line in one of recto's forms: an episode's (`recto.trajectory/1`), whose pages are handles,
//! or an agent's (`recto.agent/1`). What a line lacks is left out: it may be of another version.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use recto_agent::budget::Spent;
use recto_agent::handle::{HANDLE_SEED, HandleSpace, PageHandle};
use recto_page::{PageId, Region};
use recto_search::Scope;
use serde_json::Value;

use crate::library::Shelf;

/// Where a page's handles are told, beside an episode.
const MAPPING: &str = "page_handle_mapping.internal.jsonl";

/// A trace.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Trace {
    pub(super) id: String,
    pub(super) task: String,
    pub(super) planner: String,
    /// What is searched, and how: `text, hybrid of bm25, dense`.
    pub(super) route: String,
    pub(super) status: String,
    pub(super) stop: String,
    /// Steps that were allowed.
    pub(super) allowed: Option<u64>,
    pub(super) spent: Spent,
    pub(super) steps: Vec<Step>,
    /// The answer, or what is said of the ranking.
    pub(super) result: String,
    pub(super) evidence: Vec<Evidence>,
    /// True if no page could be found for the handles.
    pub(super) is_blind: bool,
}

/// One step.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Step {
    pub(super) number: u64,
    /// What was done: the name of a tool.
    pub(super) action: String,
    /// Its main argument.
    pub(super) about: String,
    /// All arguments, where there are more.
    pub(super) arguments: String,
    /// The planner's words.
    pub(super) said: String,
    pub(super) fault: Option<String>,
    pub(super) found: Vec<Hit>,
    pub(super) shown: Vec<Picture>,
    /// What was told: by recto, or by a page.
    pub(super) told: Vec<(String, bool)>,
    pub(super) input_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) dollars: Option<f64>,
    pub(super) attempts: u64,
}

/// A page, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Place {
    Page(PageId),
    Handle(String),
}

/// A page that was found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hit {
    pub(super) place: Place,
    pub(super) score: Option<f64>,
}

/// A picture that was shown.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Picture {
    pub(super) place: Place,
    /// The part of the page, if not all.
    pub(super) region: Option<Region>,
    pub(super) purpose: String,
}

/// A page that speaks for the result.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Evidence {
    pub(super) place: Place,
    /// What it says, or why it is there.
    pub(super) words: String,
}

impl Trace {
    /// Reads a line; `folder` is where its file is.
    pub(super) fn read(line: &[u8], folder: Option<&Path>, shelf: Option<&Shelf<'_>>) -> anyhow::Result<Self> {
        let value: Value = serde_json::from_slice(line).context("this is no trace")?;
        let handles = Handles::of(&value, folder, shelf);
        let steps = value["steps"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut steps: Vec<Step> = steps.iter().map(|step| handles.step(step)).collect();
        if let Some(first) = value.get("shown_first").filter(|first| first.is_object()) {
            let shown = handles.pictures(&first["observation"]);
            steps.insert(0, Step { action: "shown first".into(), shown, ..Step::default() });
        }
        let spent = serde_json::from_value(value["spent"].clone()).unwrap_or_default();
        let (result, evidence) = handles.result(&value);
        Ok(Self {
            id: text(&value["id"]),
            task: if value["task"].is_string() { text(&value["task"]) } else { text(&value["question"]) },
            planner: text(&value["planner"]),
            route: route(&value),
            status: text(&value["status"]).replace('_', " "),
            stop: text(&value["stop"]).replace('_', " "),
            allowed: value["budget"]["steps"].as_u64().or_else(|| value["rules"]["budget"]["steps"].as_u64()),
            spent,
            steps,
            result,
            evidence,
            is_blind: handles.is_blind,
        })
    }
}

fn route(value: &Value) -> String {
    let parts = [&value["route"], &value["search_route"], &value["rules"]["kind"]].map(text);
    let mut parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let ablations =
        value["ablations"].as_array().into_iter().flatten().map(|ablation| format!("without {}", text(ablation)));
    parts.extend(ablations.map(|ablation| ablation.replace("without no-", "without ")));
    parts.join(", ")
}

/// A text; empty if it is none.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Which pages the handles of an episode are.
#[derive(Default)]
struct Handles {
    pages: BTreeMap<String, PageId>,
    is_blind: bool,
}

impl Handles {
    fn of(value: &Value, folder: Option<&Path>, shelf: Option<&Shelf<'_>>) -> Self {
        if !text(&value["schema_version"]).starts_with("recto.trajectory/") {
            return Self::default();
        }
        let beside = folder.and_then(|folder| std::fs::read_to_string(folder.join(MAPPING)).ok());
        let n_pages = value["n_pages"].as_u64();
        let pages = match beside {
            Some(mapping) => mapping.lines().filter_map(mapped).collect(),
            None => shelf.and_then(|shelf| shuffled(shelf, n_pages)).unwrap_or_default(),
        };
        Self { is_blind: pages.is_empty(), pages }
    }

    fn place(&self, handle: &Value) -> Place {
        let handle = text(handle);
        let page = self.pages.get(&handle).or_else(|| self.pages.get(&page_of_crop(&handle)?));
        page.map_or(Place::Handle(handle), |page| Place::Page(page.clone()))
    }

    fn step(&self, step: &Value) -> Step {
        let action = &step["action"];
        let tool = text(&action["action"]);
        let arguments = if action["arguments"].is_object() { &action["arguments"] } else { action };
        let (call, usage) = (&step["call"], &step["usage"]);
        let seen = if call["observation"].is_object() { &call["observation"] } else { &step["observation"] };
        let said = [&step["raw_response"], &step["reply"]].map(text).concat();
        let fault = ["error", "fault"].iter().find_map(|key| step[*key].as_str());
        let fault = fault.or_else(|| seen["error"].as_str()).map(str::to_owned);
        Step {
            number: step["step"].as_u64().unwrap_or_default(),
            about: about(arguments),
            arguments: spelled(arguments),
            action: if tool.is_empty() { text(&step["event_type"]).replace('_', " ") } else { tool },
            said,
            fault,
            found: self.found(seen),
            shown: self.pictures(seen),
            told: told(seen),
            input_tokens: usage["input_tokens"].as_u64().unwrap_or_default(),
            output_tokens: usage["output_tokens"].as_u64().unwrap_or_default(),
            dollars: usage["dollars"].as_f64(),
            attempts: step["attempts"].as_u64().unwrap_or(1),
        }
    }

    fn found(&self, seen: &Value) -> Vec<Hit> {
        let by_handle = list(&seen["results"])
            .iter()
            .map(|hit| Hit { place: self.place(&hit["page_handle"]), score: hit["score"].as_f64() });
        let by_page =
            list(&seen["found"]).iter().filter_map(page).map(|page| Hit { place: Place::Page(page), score: None });
        by_handle.chain(by_page).collect()
    }

    fn pictures(&self, seen: &Value) -> Vec<Picture> {
        let whole = list(&seen["loaded_pages"]).iter().map(|loaded| Picture {
            place: self.place(&loaded["page_handle"]),
            region: None,
            purpose: String::new(),
        });
        let crops = list(&seen["crops"]).iter().map(|crop| Picture {
            place: self.place(&crop["source_page_handle"]),
            region: region(&crop["region"]),
            purpose: text(&crop["purpose"]),
        });
        let shots = list(&seen["shown"]).iter().filter_map(|shot| {
            Some(Picture {
                place: Place::Page(page(&shot["page"])?),
                region: region(&shot["region"]),
                purpose: String::new(),
            })
        });
        whole.chain(crops).chain(shots).collect()
    }

    /// The answer or the ranking, with the pages that speak for it.
    fn result(&self, value: &Value) -> (String, Vec<Evidence>) {
        let submission = &value["submission"];
        let ranked = list(&submission["ranked_answers"])
            .iter()
            .map(|ranked| Evidence { place: self.place(&ranked["page_handle"]), words: text(&ranked["rationale"]) });
        let answer = &value["answer"];
        let cited = list(&answer["evidence"]).iter().filter_map(|cited| {
            Some(Evidence { place: Place::Page(page(&cited["page"])?), words: text(&cited["quote"]) })
        });
        let words = [&submission["overall_rationale"], &answer["text"]].map(text).concat();
        (words, ranked.chain(cited).collect())
    }
}

/// A line of the mapping beside an episode.
fn mapped(line: &str) -> Option<(String, PageId)> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some((value["page_handle"].as_str()?.to_owned(), page(&value)?))
}

/// The handles that the index gives its pages now, if they are as many as the episode had.
fn shuffled(shelf: &Shelf<'_>, n_pages: Option<u64>) -> Option<BTreeMap<String, PageId>> {
    let space = HandleSpace::new(shelf.corpus.pages(&Scope::All).ok()?, HANDLE_SEED);
    let is_same = Some(u64::from(space.len())) == n_pages;
    is_same
        .then(|| space.iter().map(|(handle, page): (PageHandle, &PageId)| (handle.to_string(), page.clone())).collect())
}

/// `page_000007` of `crop_000007_000001`.
fn page_of_crop(handle: &str) -> Option<String> {
    let number = handle.strip_prefix("crop_")?.split('_').next()?;
    Some(format!("page_{number}"))
}

fn page(value: &Value) -> Option<PageId> {
    let id = serde_json::json!({"doc": value["doc"], "page": value["page"]});
    serde_json::from_value(id).ok()
}

fn region(value: &Value) -> Option<Region> {
    let sides: Vec<f64> = list(value).iter().filter_map(Value::as_f64).collect();
    let [left, top, right, bottom] = sides.as_slice() else { return None };
    Some(Region::new(*left, *top, *right, *bottom)).filter(|region| !region.is_empty())
}

/// What an action is about, in a line.
fn about(arguments: &Value) -> String {
    let main =
        ["query", "expression", "question", "target_handle", "page_handle", "page", "answer", "program", "pattern"];
    let text = main.iter().find_map(|key| arguments[*key].as_str()).map(str::to_owned);
    let handles = || {
        let handles: Vec<String> = list(&arguments["page_handles"]).iter().map(text_of).collect();
        (!handles.is_empty()).then(|| handles.join(", "))
    };
    let text = text.or_else(handles).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The arguments in full, if there is more than one.
fn spelled(arguments: &Value) -> String {
    let Some(fields) = arguments.as_object() else { return String::new() };
    let fields: serde_json::Map<String, Value> =
        fields.iter().filter(|(key, _)| *key != "action").map(|(key, value)| (key.clone(), value.clone())).collect();
    if fields.len() < 2 { String::new() } else { serde_json::to_string_pretty(&fields).unwrap_or_default() }
}

/// What was told in words; the flag says that a page did.
fn told(seen: &Value) -> Vec<(String, bool)> {
    let read = seen["ocr_text"].as_str().map(|text| (text.to_owned(), true));
    let parts = list(&seen["told"]).iter().filter_map(|part| {
        let by_recto = part["recto"].as_str().map(|text| (text.to_owned(), false));
        by_recto.or_else(|| part["pages"].as_str().map(|text| (text.to_owned(), true)))
    });
    read.into_iter().chain(parts).filter(|(text, _)| !text.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageNumber};
    use serde_json::json;

    use super::*;

    fn a_page(n: u32) -> Place {
        Place::Page(PageId::new(DocId::new("a.pdf"), PageNumber::new(n).unwrap()))
    }

    #[test]
    fn an_episode_is_read_with_its_pages_if_they_are_known() {
        let desk = tempfile::tempdir().unwrap();
        let line = json!({
            "schema_version": "recto.trajectory/1", "id": "e", "task": "Find it", "route": "visual", "search_route": "bm25",
            "ablations": ["no-crop"], "n_pages": 2, "budget": {"steps": 12}, "status": "submitted", "stop": "submitted",
            "steps": [
                {"step": 1, "action": {"action": "visual_search", "arguments": {"query": "a  mill"}}, "raw_response": "{}",
                 "usage": {"input_tokens": 7, "output_tokens": 3}, "attempts": 2, "call": {"tool_name": "visual_search", "observation":
                 {"ok": true, "results": [{"page_handle": "page_000002", "score": 1.5}, {"page_handle": "page_000009", "score": 1.0}]}}},
                {"step": 2, "action": {"action": "crop_pages", "arguments": {}}, "call": {"observation": {"ok": true, "crops":
                 [{"source_page_handle": "page_000001", "region": [0.1, 0.2, 0.5, 0.6], "purpose": "the table"}]}}},
                {"step": 3, "event_type": "format_error", "action": {}, "error": "no object"},
                {"step": 4, "action": {"action": "ocr_image", "arguments": {"target_handle": "crop_000001_000001"}},
                 "call": {"observation": {"ok": true, "ocr_text": "words", "blocks": []}}},
            ],
            "submission": {"ranked_answers": [{"page_handle": "page_000001", "evidence_page_handles": [], "rationale": "says so"}],
                           "overall_rationale": "found"},
            "spent": {"calls": 4, "input_tokens": 7, "output_tokens": 3, "dollars": 0.0, "images": 1, "millis": 5},
        });
        let mapping = "{\"page_handle\":\"page_000001\",\"doc\":\"a.pdf\",\"page\":3}\n{\"page_handle\":\"page_000002\",\"doc\":\"a.pdf\",\"page\":1}\nx\n";
        let blind = Trace::read(line.to_string().as_bytes(), Some(desk.path()), None).unwrap();
        assert!(blind.is_blind && blind.steps[0].found[0].place == Place::Handle("page_000002".into()));
        std::fs::write(desk.path().join(MAPPING), mapping).unwrap();
        let trace = Trace::read(line.to_string().as_bytes(), Some(desk.path()), None).unwrap();
        assert_eq!(
            (trace.route.as_str(), trace.allowed, trace.spent.images),
            ("visual, bm25, without crop", Some(12), 1)
        );
        let step = &trace.steps[0];
        assert_eq!((step.about.as_str(), step.input_tokens, step.attempts), ("a mill", 7, 2));
        assert_eq!((&step.found[0].place, step.found[0].score), (&a_page(1), Some(1.5)));
        assert_eq!(step.found[1].place, Place::Handle("page_000009".into()));
        let crop = &trace.steps[1].shown[0];
        assert_eq!((&crop.place, crop.purpose.as_str(), crop.region.is_some()), (&a_page(3), "the table", true));
        assert_eq!(
            (trace.steps[2].action.as_str(), trace.steps[2].fault.as_deref()),
            ("format error", Some("no object"))
        );
        assert_eq!(trace.steps[3].told, [("words".to_owned(), true)]);
        assert_eq!((trace.result.as_str(), &trace.evidence[0].place), ("found", &a_page(3)));
    }

    #[test]
    fn an_agents_record_is_read() {
        let line = json!({
            "schema_version": "recto.agent/1", "question": "How high?", "rules": {"kind": "recto"}, "status": "answered",
            "steps": [{"step": 1, "reply": "{...}", "action": {"action": "search", "query": "tower", "top_k": 3}, "observation": {
                "ok": true, "told": [{"recto": "2 pages"}, {"pages": "57 metres"}], "found": [{"doc": "a.pdf", "page": 2}],
                "shown": [{"name": "D1:2", "page": {"doc": "a.pdf", "page": 2}, "region": [0.0, 0.0, 1.0, 0.5], "dpi": 144}]}}],
            "answer": {"text": "57 m", "evidence": [{"page": {"doc": "a.pdf", "page": 2}, "quote": "57 metres"}]},
        });
        let trace = Trace::read(line.to_string().as_bytes(), None, None).unwrap();
        let step = &trace.steps[0];
        assert_eq!((trace.task.as_str(), trace.route.as_str(), trace.is_blind), ("How high?", "recto", false));
        assert_eq!((step.about.as_str(), step.said.as_str()), ("tower", "{...}"));
        assert!(step.arguments.contains("top_k") && !step.arguments.contains("action"));
        assert_eq!(step.told, [("2 pages".to_owned(), false), ("57 metres".to_owned(), true)]);
        assert_eq!((&step.found[0].place, &step.shown[0].place), (&a_page(2), &a_page(2)));
        assert_eq!((trace.result.as_str(), trace.evidence[0].words.as_str()), ("57 m", "57 metres"));
    }

    #[test]
    fn what_is_no_trace_is_no_fault() {
        assert!(Trace::read(b"no", None, None).is_err());
        for line in [
            "null",
            "[]",
            "{}",
            r#"{"steps": 3}"#,
            r#"{"steps": [null, 1, {"action": 5, "call": [], "observation": "x"}]}"#,
        ] {
            assert!(Trace::read(line.as_bytes(), None, None).is_ok(), "{line}");
        }
    }
}
