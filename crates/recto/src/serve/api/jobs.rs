//! Jobs: what runs or ran, how far it is, what came of it, and its end before time.

use std::time::Duration;

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::serve::endpoint::Endpoint;
use crate::serve::extract::{Asked, within};
use crate::serve::fault::{ErrorDetail, Fault};
use crate::serve::jobs::{Job, Kind, State};
use crate::serve::stream::Listener;
use crate::serve::visit::Visit;

const TAG: &str = "jobs";

/// A job.
#[derive(Serialize, JsonSchema)]
pub(crate) struct JobBody {
    job: String,
    kind: Kind,
    state: State,
    /// Whether it was told to end and has not yet
    ending: bool,
    /// What it is about
    about: String,
    /// When it was submitted, in seconds since 1970
    created: f64,
    /// For how long it has run, or did
    seconds: Option<f64>,
    /// How far it is, for a job that reads documents: pages, expected, by_ocr, failed
    progress: Option<Value>,
    /// Why it has no result, if it ended without one
    error: Option<ErrorDetail>,
    /// Where it is found here
    pub(crate) url: String,
    /// Where its result is found, once it is done
    result: String,
    /// Where what happens in it is told as it happens
    events: String,
}

/// Jobs of a collection, the newest first.
#[derive(Serialize, JsonSchema)]
struct JobList {
    jobs: Vec<JobBody>,
}

/// How long to wait.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WaitQuery {
    /// Seconds to wait for the job's end before it is told how far it is
    #[serde(default)]
    #[schemars(range(min = 0, max = 60))]
    wait: u32,
}

impl JobBody {
    pub(crate) fn of(job: &Job, base: &str) -> Self {
        let url = format!("{base}/jobs/{}", job.id);
        Self {
            job: job.id.clone(),
            kind: job.kind,
            state: job.state(),
            ending: job.is_stopped() && !job.state().is_over(),
            about: job.about.clone(),
            created: job.created,
            seconds: job.seconds(),
            progress: job.progress(),
            error: job.outcome().and_then(|outcome| outcome.err()).map(|fault| fault.detail()),
            result: format!("{url}/result"),
            events: format!("{url}/events"),
            url,
        }
    }
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/v1/collections/{collection}/jobs", (TAG, "list_jobs"), "Jobs, the newest first", list)
            .gives::<JobList>(StatusCode::OK, "Jobs that run, and those whose results are kept"),
        Endpoint::get("/v1/collections/{collection}/jobs/{job}", (TAG, "get_job"), "How far a job is", get)
            .query::<WaitQuery>()
            .gives::<JobBody>(StatusCode::OK, "The job"),
        Endpoint::get(
            "/v1/collections/{collection}/jobs/{job}/result",
            (TAG, "get_result"),
            "What came of a job; it can be read again until --result-ttl is over",
            result,
        )
        .gives::<Value>(StatusCode::OK, "What the endpoint that took the job would have answered"),
        Endpoint::get(
            "/v1/collections/{collection}/jobs/{job}/events",
            (TAG, "get_events"),
            "What happens in a job, from its beginning: events `step`, `progress`, at last `result` or `error`",
            events,
        )
        .gives_media("text/event-stream", "Server-sent events; Last-Event-ID goes on after that one"),
        Endpoint::post(
            "/v1/collections/{collection}/jobs/{job}/cancel",
            (TAG, "cancel_job"),
            "End a job before its time",
            cancel,
        )
        .gives::<JobBody>(StatusCode::ACCEPTED, "The job, which ends as soon as it can"),
    ]
}

fn named(visit: &Visit) -> Result<std::sync::Arc<Job>, Fault> {
    visit.app.jobs.get(&visit.collection.name, visit.named("job"), visit.app.limits.result_ttl)
}

async fn list(visit: Visit) -> Json<JobList> {
    let jobs = visit.app.jobs.of(&visit.collection.name, visit.app.limits.result_ttl);
    let base = visit.base();
    Json(JobList { jobs: jobs.iter().map(|job| JobBody::of(job, &base)).collect() })
}

async fn get(visit: Visit, Asked(asked): Asked<WaitQuery>) -> Result<Json<JobBody>, Fault> {
    let job = named(&visit)?;
    let wait = within("wait", asked.wait, 0, 60)?;
    if wait > 0 {
        job.wait(Duration::from_secs(wait.into())).await;
    }
    Ok(Json(JobBody::of(&job, &visit.base())))
}

async fn result(visit: Visit) -> Result<Response, Fault> {
    match named(&visit)?.outcome() {
        Some(outcome) => outcome.map(|value| Json(value).into_response()),
        None => {
            let fault = Fault::conflict("the job is not done yet", "ask for the job's state, or listen to its events");
            Ok(([(RETRY_AFTER, "1")], fault).into_response())
        }
    }
}

async fn events(visit: Visit, headers: HeaderMap) -> Result<Response, Fault> {
    let job = named(&visit)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    Ok(Listener::new(&visit.app, job, last.unwrap_or(0), false)?.events())
}

async fn cancel(visit: Visit) -> Result<(StatusCode, Json<JobBody>), Fault> {
    let job = named(&visit)?;
    visit.needs(job.kind.right())?;
    job.cancel();
    Ok((StatusCode::ACCEPTED, Json(JobBody::of(&job, &visit.base()))))
}
