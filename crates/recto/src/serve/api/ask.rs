//! Questions: an answer with the pages that it stands on, waited for, told step by step, or left to a job.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use recto_agent::{Answer, Citation, Status};
use recto_model::Usage;
use recto_page::{PageId, Pages, Region};
use recto_search::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::jobs::JobBody;
use super::pages::{Ltrb, points, sides, word};
use super::upload::accepted;
use crate::answerer::Manner;
use crate::commands::ask::{nearest, unread};
use crate::library::Shelf;
use crate::percent::encoded;
use crate::serve::endpoint::{Endpoint, Needs};
use crate::serve::extract::{Body, within};
use crate::serve::fault::Fault;
use crate::serve::jobs::{Job, Kind, Waiting};
use crate::serve::keys::Right;
use crate::serve::limits::Limits;
use crate::serve::stream::Listener;
use crate::serve::visit::Visit;
use crate::watch::{Step, Watch};

const TAG: &str = "ask";

/// A question.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskBody {
    /// The question, in full
    #[schemars(length(min = 1))]
    pub(crate) question: String,
    /// Only documents of these names or patterns; all if there are none
    #[serde(default)]
    pub(crate) documents: Vec<String>,
    /// Number of pages to look at; 0 for as many as is usual
    #[serde(default)]
    #[schemars(range(min = 0, max = 1000))]
    pub(crate) pages: u32,
    #[serde(default)]
    pub(crate) mode: Mode,
}

/// How the answer is given.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum Mode {
    /// When it is there
    #[default]
    Wait,
    /// After the steps, each told as it happens (server-sent events)
    Stream,
    /// As the result of a job
    Background,
}

/// An answer and the pages that it stands on.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AnswerBody {
    question: String,
    /// `answered`, `not_in_documents` or `failed`
    status: String,
    /// A short answer
    answer: String,
    /// The answer as people read it, where that differs: as the page writes it, with currency, unit and scale
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
    /// What to say to people: "Perhaps: " stands before a guess, "No answer found" where rules found none
    said: String,
    /// Where it stands, best first
    citations: Vec<CitationBody>,
    /// How sure the answerer is, 0 to 1; comparable within one answerer only
    confidence: f64,
    coverage: CoverageBody,
    /// Who answered: `offline`, or the name of the model
    answerer: String,
    /// What went wrong on the way
    notes: Vec<String>,
    /// Where a reader might look, if there is no answer
    nearest_pages: Vec<PlaceBody>,
    usage: UsageBody,
    seconds: f64,
}

/// A place that supports an answer.
#[derive(Serialize, JsonSchema)]
struct CitationBody {
    #[serde(flatten)]
    place: PlaceBody,
    /// Words of the document
    quote: String,
    /// Where the quote stands, one region a line; empty if the page's own words do not hold it
    regions: Vec<Ltrb>,
    /// Why there is no region, or how the quote was found
    note: Option<String>,
    /// Width of the page in points
    width: f64,
    /// Height of the page in points
    height: f64,
}

/// A page.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PlaceBody {
    document: String,
    page: u32,
    /// What is printed on the page, as the file declares it
    label: Option<String>,
    /// Where the page is found here
    url: String,
    /// Where its picture is found here, with the quote marked if there is one
    pub(crate) image: String,
}

/// How much was looked at.
#[derive(Serialize, JsonSchema)]
struct CoverageBody {
    /// Pages that were looked at
    read: u32,
    /// Pages among them that have text
    with_text: u32,
    /// Pages in scope, if documents were named
    of: Option<u32>,
    /// Pages in scope that show something and have no text
    without_text: u64,
    /// In words
    told: String,
}

/// What a language model used.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UsageBody {
    pub(crate) requests: u64,
    pub(crate) images: u64,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    /// US dollars, as far as prices are known
    pub(crate) dollars: f64,
}

impl From<&Usage> for UsageBody {
    fn from(usage: &Usage) -> Self {
        Self {
            requests: usage.requests(),
            images: usage.images,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            dollars: usage.dollars(),
        }
    }
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/v1/collections/{collection}/ask",
            (TAG, "ask"),
            "Answer a question, with the pages that the answer stands on",
            ask,
        )
        .needs(Needs::Here(Right::Ask))
        .takes::<AskBody>()
        .gives::<AnswerBody>(StatusCode::OK, "The answer; as server-sent events where they are asked for")
        .gives_media("text/event-stream", "Events `step`, at last `result` or `error`")
        .gives::<JobBody>(StatusCode::ACCEPTED, "The job, for the mode background"),
    ]
}

async fn ask(visit: Visit, headers: HeaderMap, Body(asked): Body<AskBody>) -> Result<Response, Fault> {
    let accepts = headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mode = if accepts.starts_with("text/event-stream") { Mode::Stream } else { asked.mode };
    let job = submit(&visit, asked)?;
    match mode {
        Mode::Background => accepted(&visit, job),
        Mode::Stream => Ok(listen(&visit, job)?.events()),
        Mode::Wait => waited(job).await.map(|answer| Json(answer).into_response()),
    }
}

/// Takes a question on.
///
/// # Errors
/// 422 for values of no use; 429 if too many jobs run or wait.
pub(crate) fn submit(visit: &Visit, asked: AskBody) -> Result<Arc<Job>, Fault> {
    within("pages", asked.pages, 0, 1000)?;
    if !asked.question.chars().any(char::is_alphanumeric) {
        return Err(Fault::invalid("question: it holds no word"));
    }
    let about = asked.question.chars().take(200).collect();
    let (library, limits, base) = (Arc::clone(&visit.collection.library), visit.app.limits, visit.base());
    visit.submit(Kind::Ask, about, move |job| {
        library.with(|shelf| Ok(serde_json::to_value(answered(&asked, job, shelf, limits, &base)?)?))
    })
}

/// Listens to a job that ends when nobody does.
///
/// # Errors
/// 429 if too many streams are open; the job is then ended.
pub(crate) fn listen(visit: &Visit, job: Arc<Job>) -> Result<Listener, Fault> {
    Listener::new(&visit.app, Arc::clone(&job), 0, true).inspect_err(|_| job.cancel())
}

/// The result of a job that ends when nobody waits for it.
///
/// # Errors
/// Why there is none.
pub(crate) async fn waited(job: Arc<Job>) -> Result<Arc<Value>, Fault> {
    let waiting = Waiting(Arc::clone(&job));
    while !job.state().is_over() {
        job.wait(std::time::Duration::from_secs(3600)).await;
    }
    drop(waiting);
    job.outcome().unwrap_or_else(|| Err(Fault::internal("the job has no result")))
}

fn answered(asked: &AskBody, job: &Job, shelf: &Shelf<'_>, limits: Limits, base: &str) -> anyhow::Result<AnswerBody> {
    let started = Instant::now();
    let scope = shelf.corpus.scope(&asked.documents)?;
    let is_late = || started.elapsed() > limits.answer_time;
    let tell = |step: Step| job.tell("step", told(&step));
    let is_over = || job.is_stopped() || is_late();
    let top_k = Some(asked.pages as usize).filter(|pages| *pages > 0);
    let watch = Watch { tell: &tell, is_over: &is_over };
    let manner = Manner { time: Some(limits.answer_time), watch, ..Manner::of(top_k) };
    let answerer = shelf.answerer()?;
    let found = answerer.over(shelf.corpus)?.answer_so(&asked.question, &scope, &manner);
    let (answer, spent) = match found {
        Err(_) if is_late() => return Err(Fault::late(limits.answer_time.as_secs()).into()),
        found => found?,
    };
    let seconds = (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
    body(&asked.question, answer, &spent, seconds, &scope, shelf, base)
}

fn body(
    question: &str,
    answer: Answer,
    spent: &Usage,
    seconds: f64,
    scope: &Scope,
    shelf: &Shelf<'_>,
    base: &str,
) -> anyhow::Result<AnswerBody> {
    let nearest = if answer.status == Status::Answered { Vec::new() } else { nearest(shelf.corpus, scope, question) };
    let citation = |citation: &Citation| -> anyhow::Result<CitationBody> {
        let size = shelf.corpus.catalog.page(&citation.page)?.map(|page| page.size);
        Ok(CitationBody {
            place: PlaceBody::of(&citation.page, citation.label.clone(), &citation.regions, base),
            quote: citation.quote.clone(),
            regions: citation.regions.iter().map(|region| sides(*region)).collect(),
            note: citation.note.clone(),
            width: size.map_or(0.0, |size| points(size.width)),
            height: size.map_or(0.0, |size| points(size.height)),
        })
    };
    Ok(AnswerBody {
        question: question.into(),
        status: word(&answer.status),
        citations: answer.evidence.iter().map(citation).collect::<Result<_, _>>()?,
        confidence: answer.confidence,
        coverage: CoverageBody {
            read: answer.coverage.read,
            with_text: answer.coverage.with_text,
            of: answer.coverage.of,
            without_text: unread(shelf.corpus, scope),
            told: answer.coverage.to_string(),
        },
        said: answer.said(),
        answer: answer.text,
        shown: answer.shown,
        answerer: answer.answerer,
        notes: answer.notes,
        nearest_pages: nearest.iter().map(|page| PlaceBody::of(page, None, &[], base)).collect(),
        usage: UsageBody::from(spent),
        seconds,
    })
}

impl PlaceBody {
    pub(crate) fn of(page: &PageId, label: Option<String>, marked: &[Region], base: &str) -> Self {
        let url = format!("{base}/documents/{}/pages/{}", encoded(page.doc.as_str()), page.page);
        let marks: Vec<String> =
            marked.iter().map(|region| sides(*region).map(|side| side.to_string()).join(",")).collect();
        let marks = if marks.is_empty() { String::new() } else { format!("?mark={}", marks.join(";")) };
        let image = format!("{url}/image{marks}");
        Self { document: page.doc.to_string(), page: page.page.get(), label, url, image }
    }
}

/// A step as it is told.
fn told(step: &Step) -> Value {
    match step {
        Step::Searched { query, pages } => {
            let place = |page: &PageId| json!({ "document": page.doc, "page": page.page });
            json!({ "kind": "searched", "query": query, "pages": pages.iter().take(20).map(place).collect::<Vec<_>>() })
        }
        Step::Read { page } => json!({ "kind": "read", "document": page.doc, "page": page.page }),
        Step::Drawn { page, region, dpi } => {
            json!({ "kind": "drawn", "document": page.doc, "page": page.page, "region": sides(*region), "dpi": dpi })
        }
        Step::Asked { model, failed, spent } => {
            json!({ "kind": "asked", "model": model, "failed": failed, "usage": UsageBody::from(spent) })
        }
    }
}
