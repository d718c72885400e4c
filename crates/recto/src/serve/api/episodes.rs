//! Episodes: pages looked for step by step, and what was kept of them. A long one is told in parts, its pictures on demand.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use recto_agent::action::Route;
use recto_agent::budget::STEPS;
use recto_agent::episode::{Episode, Event};
use recto_agent::handle::{ImageHandle, PageHandle};
use recto_agent::trajectory::{Step, Trajectory};
use recto_page::{PageId, Region};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ask::{Mode, PlaceBody, listen, waited};
use super::jobs::JobBody;
use super::pages::{sides, word};
use super::upload::accepted;
use crate::commands::episode::play::{Task, Who, play};
use crate::serve::endpoint::{Endpoint, Needs};
use crate::serve::extract::{Asked, Body, within};
use crate::serve::fault::Fault;
use crate::serve::jobs::{Job, Kind};
use crate::serve::keys::Right;
use crate::serve::part::Part;
use crate::serve::traces::{self, Trace};
use crate::serve::visit::Visit;
use crate::tools::Index;

const TAG: &str = "episodes";

/// A task.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TaskBody {
    /// What the pages are to show or tell
    #[schemars(length(min = 1))]
    task: String,
    #[serde(default)]
    route: RouteName,
    #[serde(default)]
    planner: PlannerName,
    /// Steps of the planner, at most
    #[serde(default = "steps")]
    #[schemars(range(min = 1, max = 100))]
    steps: u32,
    /// Only documents of these names or patterns; all if there are none
    #[serde(default)]
    documents: Vec<String>,
    #[serde(default)]
    mode: Mode,
}

const fn steps() -> u32 {
    STEPS
}

/// What is searched.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum RouteName {
    /// The text of pages
    #[default]
    Text,
    /// Pictures of pages
    Visual,
}

/// Who decides.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum PlannerName {
    /// Rules
    #[default]
    Offline,
    /// The language model that the server was started with
    Chat,
}

/// Which part of a list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PartQuery {
    /// How many to pass over: `next_offset` of the reply before
    #[serde(default)]
    offset: u32,
    /// How many, at most
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 200))]
    limit: u32,
}

const fn fifty() -> u32 {
    50
}

/// What came of a task.
#[derive(Serialize, JsonSchema)]
struct Ended {
    /// The episode's id, under which it is kept
    episode: String,
    /// Status, ranking, what it took
    outcome: Value,
}

/// Episodes that are kept, the newest first.
#[derive(Serialize, JsonSchema)]
struct Episodes {
    episodes: Vec<EpisodeRow>,
    /// How many there are, also beyond this list
    total: usize,
    /// Where the list goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// An episode.
#[derive(Serialize, JsonSchema)]
struct EpisodeRow {
    episode: String,
    task: String,
    planner: String,
    route: String,
    /// How it ended
    status: Option<String>,
    steps: usize,
    /// When it was written, in seconds since 1970
    written: f64,
    /// Where it is found here
    url: String,
}

/// An episode without the words of its steps.
#[derive(Serialize, JsonSchema)]
struct EpisodeBody {
    episode: String,
    task: String,
    planner: String,
    route: String,
    /// By which route searches were made
    search_route: String,
    status: Option<String>,
    /// What ended it
    stop: Option<String>,
    ranking: Vec<RankedBody>,
    rationale: String,
    /// What it could take, and what it took
    budget: Value,
    spent: Value,
    /// A line for each step
    outline: Vec<OutlineRow>,
}

/// A page of the ranking.
#[derive(Serialize, JsonSchema)]
struct RankedBody {
    rank: usize,
    handle: String,
    /// The page, if it is known which one it was
    place: Option<PlaceBody>,
    rationale: String,
}

/// A step in a line.
#[derive(Serialize, JsonSchema)]
struct OutlineRow {
    step: u32,
    /// The tool that was called; empty if none was
    tool: String,
    /// Whether the call gave what was asked for
    ok: bool,
    /// What went wrong
    error: Option<String>,
    /// Pictures that it showed
    pictures: usize,
    input_tokens: u64,
    output_tokens: u64,
    dollars: Option<f64>,
}

/// Steps of an episode in full.
#[derive(Serialize, JsonSchema)]
struct Steps {
    steps: Vec<StepBody>,
    /// How many there are, also beyond this list
    total: usize,
    /// Where the list goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// A step in full.
#[derive(Serialize, JsonSchema)]
struct StepBody {
    /// The reply of the planner and what came of it, as it is kept. What pages say in it is words of the documents
    kept: Value,
    /// The pages that its handles stand for
    pages: BTreeMap<String, PlaceBody>,
    /// Where the pictures that it showed are found
    pictures: Vec<PictureBody>,
}

/// A picture that a step showed.
#[derive(Serialize, JsonSchema)]
struct PictureBody {
    handle: String,
    /// Where it is found here
    image: String,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    let path = "/v1/collections/{collection}/episodes";
    vec![
        Endpoint::post(path, (TAG, "play_episode"), "Find the pages that a task describes, step by step", begin)
            .needs(Needs::Here(Right::Ask))
            .takes::<TaskBody>()
            .gives::<Ended>(StatusCode::OK, "What came of it; as server-sent events where they are asked for")
            .gives_media("text/event-stream", "Events `step`, at last `result` or `error`")
            .gives::<JobBody>(StatusCode::ACCEPTED, "The job, for the mode background"),
        Endpoint::get(path, (TAG, "list_episodes"), "Episodes that are kept, the newest first", list)
            .query::<PartQuery>()
            .gives::<Episodes>(StatusCode::OK, "Episodes"),
        Endpoint::get(
            "/v1/collections/{collection}/episodes/{episode}",
            (TAG, "get_episode"),
            "An episode: how it ended, and a line for each step",
            get,
        )
        .gives::<EpisodeBody>(StatusCode::OK, "The episode"),
        Endpoint::get(
            "/v1/collections/{collection}/episodes/{episode}/steps",
            (TAG, "get_steps"),
            "Steps of an episode in full",
            steps_of,
        )
        .query::<PartQuery>()
        .gives::<Steps>(StatusCode::OK, "Steps"),
    ]
}

async fn begin(visit: Visit, Body(asked): Body<TaskBody>) -> Result<Response, Fault> {
    let mode = asked.mode;
    let job = submit(&visit, asked)?;
    match mode {
        Mode::Background => accepted(&visit, job),
        Mode::Stream => Ok(listen(&visit, job)?.events()),
        Mode::Wait => waited(job).await.map(|ended| Json(ended).into_response()),
    }
}

fn submit(visit: &Visit, asked: TaskBody) -> Result<Arc<Job>, Fault> {
    within("steps", asked.steps, 1, 100)?;
    if !asked.task.chars().any(char::is_alphanumeric) {
        return Err(Fault::invalid("task: it holds no word"));
    }
    let model = visit.app.model.clone().filter(|_| asked.planner == PlannerName::Chat);
    if asked.planner == PlannerName::Chat && model.is_none() {
        return Err(Fault::invalid("planner: the server has no language model; it can be started with --model"));
    }
    let (collection, time) = (Arc::clone(&visit.collection), visit.app.limits.answer_time);
    visit.submit(Kind::Episode, asked.task.chars().take(200).collect(), move |job| {
        collection.library.with(|shelf| {
            let index = Index { corpus: shelf.corpus, dir: shelf.dir, encoders: shelf.encoders, config: shelf.config };
            let (started, folder) = (Instant::now(), traces::place(&collection, &job.id));
            let kept = |episode: &Episode| {
                tell(job, episode);
                anyhow::ensure!(!job.is_stopped(), "stopped");
                if started.elapsed() > time { Err(Fault::late(time.as_secs()).into()) } else { Ok(()) }
            };
            let route = match asked.route {
                RouteName::Text => Route::Text,
                RouteName::Visual => Route::Visual,
            };
            let scope = shelf.corpus.scope(&asked.documents)?;
            let who = model.as_ref().map_or(Who::Rules, |model| {
                let (chat, ledger) = model.for_a_while(time);
                Who::Chat(chat, ledger)
            });
            let task = Task { task: &asked.task, route, steps: asked.steps, scope };
            let outcome = play(task, who, &index, (&job.id, &folder), kept)?;
            Ok(serde_json::to_value(Ended { episode: job.id.clone(), outcome })?)
        })
    })
}

/// Tells the last call of an episode, once.
fn tell(job: &Job, episode: &Episode) {
    let (Some(row), Some(decision)) = (episode.trace.last(), episode.decisions.last()) else { return };
    if job.news(0, 0).events.len() < episode.trace.len() {
        let step = json!({
            "kind": "called",
            "step": decision.step,
            "tool": row.tool_name,
            "arguments": row.arguments,
            "ok": row.observation.is_ok(),
            "pictures": row.artifacts.len(),
        });
        job.tell("step", step);
    }
}

async fn list(visit: Visit, Asked(asked): Asked<PartQuery>) -> Result<Json<Episodes>, Fault> {
    let part = Part::new(asked.offset, asked.limit, 200)?;
    let (collection, base) = (Arc::clone(&visit.collection), visit.base());
    let read = move || {
        let all = traces::all(&collection);
        let total = all.len();
        // One that can't be read does not keep the others from being told.
        let read = part.of(&all).filter_map(|folder| Some((folder, folder.read().ok()?.trajectory)));
        let row = |(folder, trajectory): (&traces::Folder, Trajectory)| EpisodeRow {
            episode: folder.id.clone(),
            task: trajectory.task,
            planner: trajectory.planner,
            route: trajectory.route,
            status: trajectory.status.as_ref().map(word),
            steps: trajectory.steps.len(),
            written: folder.written,
            url: format!("{base}/episodes/{}", crate::percent::encoded(&folder.id)),
        };
        let episodes = read.map(row).collect();
        Ok(Episodes { episodes, total, next_offset: part.next(total) })
    };
    Ok(Json(visit.app.work(read).await?))
}

/// Looks at the episode that the address names.
async fn look<T: Send + 'static>(
    visit: &Visit,
    look: impl FnOnce(Trace, &str) -> T + Send + 'static,
) -> Result<Json<T>, Fault> {
    let (collection, id, base) = (Arc::clone(&visit.collection), visit.named("episode").to_owned(), visit.base());
    Ok(Json(visit.app.work(move || Ok(look(traces::open(&collection, &id)?, &base))).await?))
}

async fn get(visit: Visit) -> Result<Json<EpisodeBody>, Fault> {
    let id = visit.named("episode").to_owned();
    look(&visit, move |trace, base| {
        let Trace { trajectory, pages } = trace;
        let ranked = trajectory.submission.ranked_answers.iter().zip(1..).map(|(answer, rank)| RankedBody {
            rank,
            handle: String::from(answer.page_handle),
            place: pages.get(&answer.page_handle).map(|page| PlaceBody::of(page, None, &[], base)),
            rationale: answer.rationale.clone(),
        });
        EpisodeBody {
            ranking: ranked.collect(),
            outline: trajectory.steps.iter().map(outline).collect(),
            status: trajectory.status.as_ref().map(word),
            stop: trajectory.stop.as_ref().map(word),
            budget: json!(trajectory.budget),
            spent: json!(trajectory.spent),
            rationale: trajectory.submission.overall_rationale,
            episode: id,
            task: trajectory.task,
            planner: trajectory.planner,
            route: trajectory.route,
            search_route: trajectory.search_route,
        }
    })
    .await
}

fn outline(step: &Step) -> OutlineRow {
    let Step { decision, call } = step;
    OutlineRow {
        step: decision.step,
        tool: call.as_ref().map(|call| call.tool_name.clone()).unwrap_or_default(),
        ok: decision.event_type == Event::AcceptedResponse && call.as_ref().is_none_or(|call| call.observation.is_ok()),
        error: decision.error.clone(),
        pictures: call.as_ref().map_or(0, |call| call.artifacts.len()),
        input_tokens: decision.usage.input_tokens,
        output_tokens: decision.usage.output_tokens,
        dollars: decision.usage.dollars,
    }
}

async fn steps_of(visit: Visit, Asked(asked): Asked<PartQuery>) -> Result<Json<Steps>, Fault> {
    let part = Part::new(asked.offset, asked.limit, 200)?;
    look(&visit, move |trace, base| {
        let Trace { trajectory, pages } = trace;
        let total = trajectory.steps.len();
        let steps = part.of(&trajectory.steps).map(|step| full(step, &pages, base)).collect();
        Steps { steps, total, next_offset: part.next(total) }
    })
    .await
}

fn full(step: &Step, pages: &BTreeMap<PageHandle, PageId>, base: &str) -> StepBody {
    let kept = json!(step);
    let text = kept.to_string();
    let named =
        pages.iter().map(|(handle, page)| (String::from(*handle), page)).filter(|(handle, _)| text.contains(handle));
    let shown = step.call.iter().flat_map(|call| &call.artifacts);
    let pictures = shown.filter_map(|image| {
        let page = pages.get(&traces::page_of(*image))?;
        let region = region_of(*image, &kept).map(|region| sides(region).map(|side| side.to_string()).join(","));
        let part = region.map_or_else(String::new, |region| format!("?region={region}"));
        let image_of = PlaceBody::of(page, None, &[], base).image;
        Some(PictureBody { handle: String::from(*image), image: format!("{image_of}{part}") })
    });
    StepBody {
        pictures: pictures.collect(),
        pages: named.map(|(handle, page)| (handle, PlaceBody::of(page, None, &[], base))).collect(),
        kept,
    }
}

/// Which part of its page a picture shows, as its call says.
fn region_of(image: ImageHandle, kept: &Value) -> Option<Region> {
    let ImageHandle::Crop(crop) = image else { return None };
    let name = String::from(crop);
    let crops = kept.get("call")?.get("observation")?.get("crops")?.as_array()?;
    let row = crops.iter().find(|row| row.get("crop_handle").and_then(Value::as_str) == Some(&name))?;
    let sides: Vec<f64> = row.get("region")?.as_array()?.iter().filter_map(Value::as_f64).collect();
    let [left, top, right, bottom] = sides.as_slice() else { return None };
    Some(Region::new(*left, *top, *right, *bottom))
}
