//! Runs of `recto bench run` in the collection's folder of runs: their scores, their items beside what is right, reports.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use recto_bench::report::{self, Layout, Pictures, Run};
use recto_bench::run_dir;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::commands::bench::compare::compared;
use crate::commands::bench::score::Scored;
use crate::percent::encoded;
use crate::serve::endpoint::Endpoint;
use crate::serve::extract::Asked;
use crate::serve::fault::Fault;
use crate::serve::part::PartQuery;
use crate::serve::state::Collection;
use crate::serve::traces::is_plain;
use crate::serve::visit::Visit;

const TAG: &str = "runs";

/// Runs, by name.
#[derive(Serialize, JsonSchema)]
struct Runs {
    runs: Vec<RunRow>,
}

/// A run.
#[derive(Serialize, JsonSchema)]
struct RunRow {
    run: String,
    /// The benchmark
    set: String,
    /// What was asked
    system: String,
    /// Where it is found here
    url: String,
}

/// A run and its scores.
#[derive(Serialize, JsonSchema)]
struct RunBody {
    run: String,
    set: String,
    system: String,
    items: usize,
    /// Items without a row
    missing: usize,
    failed: usize,
    /// What each measure says: value, interval, n, slices
    measures: Vec<Value>,
}

/// Items of a run.
#[derive(Serialize, JsonSchema)]
struct Items {
    items: Vec<ItemBody>,
    /// How many there are, also beyond this list
    total: usize,
    /// Where the list goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// An item: what was asked, what is right, what was said, and how right that is.
#[derive(Serialize, JsonSchema)]
struct ItemBody {
    id: String,
    /// Question, documents, what is right
    item: Value,
    /// What the system said; null if nothing
    row: Value,
    /// By measure
    scores: BTreeMap<String, f64>,
    seconds: Option<f64>,
}

/// In which form a report is wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReportQuery {
    #[serde(default)]
    format: ReportFormat,
}

/// The form of a report.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ReportFormat {
    /// For people
    #[default]
    Html,
    /// For programs
    Json,
    /// A line for each item
    Csv,
    /// For issues and notes
    Markdown,
}

/// Two runs of the same items, side by side.
#[derive(Serialize, JsonSchema)]
struct Compared {
    /// By measure: first, second, difference, interval, wins, losses, p
    measures: Vec<Value>,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    let path = "/v1/collections/{collection}/runs/{run}";
    vec![
        Endpoint::get("/v1/collections/{collection}/runs", (TAG, "list_runs"), "Runs of benchmarks", list)
            .gives::<Runs>(StatusCode::OK, "Runs"),
        Endpoint::get(path, (TAG, "get_run"), "A run and its scores", get).gives::<RunBody>(StatusCode::OK, "The run"),
        Endpoint::get(
            "/v1/collections/{collection}/runs/{run}/items",
            (TAG, "get_items"),
            "Items of a run: what was asked, what is right, what was said",
            items,
        )
        .query::<PartQuery>()
        .gives::<Items>(StatusCode::OK, "Items"),
        Endpoint::get(
            "/v1/collections/{collection}/runs/{run}/report",
            (TAG, "get_report"),
            "A run as a report",
            reported,
        )
        .query::<ReportQuery>()
        .gives_media("text/html", "The report")
        .gives_media("application/json", "The report")
        .gives_media("text/csv", "The report")
        .gives_media("text/markdown", "The report"),
        Endpoint::get(
            "/v1/collections/{collection}/runs/{run}/compare/{other}",
            (TAG, "compare_runs"),
            "Two runs of the same items: by how much they differ, and whether that is chance",
            compare,
        )
        .gives::<Compared>(StatusCode::OK, "The difference by measure"),
    ]
}

/// The folder of a run.
pub(crate) fn folder(collection: &Collection, run: &str) -> Result<PathBuf, Fault> {
    let none = || Fault::not_found("run");
    let root = collection.runs.as_ref().filter(|_| is_plain(run)).ok_or_else(none)?;
    Some(root.join(run)).filter(|folder| folder.join("config.json").is_file()).ok_or_else(none)
}

/// Works on the run that the address names.
async fn look<T: Send + 'static>(
    visit: &Visit,
    look: impl FnOnce(&std::path::Path, &Scored) -> anyhow::Result<T> + Send + 'static,
) -> Result<T, Fault> {
    let (folder, scores) = (folder(&visit.collection, visit.named("run"))?, visit.app.scores.clone());
    visit.app.work(move || look(&folder, &*scores.scored(&folder)?)).await
}

async fn list(visit: Visit) -> Result<Json<Runs>, Fault> {
    let (collection, base) = (Arc::clone(&visit.collection), visit.base());
    let read = move || {
        let folders = collection.runs.iter().filter_map(|root| std::fs::read_dir(root).ok()).flatten().flatten();
        let row = |entry: std::fs::DirEntry| {
            let (run, config) = (entry.file_name().into_string().ok()?, run_dir::config(&entry.path()).ok()?);
            let url = format!("{base}/runs/{}", encoded(&run));
            Some(RunRow { run, set: config.set, system: config.system, url })
        };
        let mut runs: Vec<RunRow> = folders.filter_map(row).collect();
        runs.sort_by(|a, b| a.run.cmp(&b.run));
        Ok(Runs { runs })
    };
    Ok(Json(visit.app.work(read).await?))
}

async fn get(visit: Visit) -> Result<Json<RunBody>, Fault> {
    let run = visit.named("run").to_owned();
    let read = look(&visit, move |_, Scored { config, evaluation, .. }| {
        let measure = |scores: &recto_bench::evaluation::MeasureScores| {
            json!({
                "measure": scores.measure.to_string(),
                "value": scores.value,
                "interval": scores.interval,
                "n": scores.n,
                "unscored": scores.unscored,
                "slices": scores.slices,
            })
        };
        Ok(RunBody {
            run,
            set: config.set.clone(),
            system: config.system.clone(),
            items: evaluation.n_items,
            missing: evaluation.missing.len(),
            failed: evaluation.failed.len(),
            measures: evaluation.measures.iter().map(measure).collect(),
        })
    });
    Ok(Json(read.await?))
}

async fn items(visit: Visit, Asked(asked): Asked<PartQuery>) -> Result<Json<Items>, Fault> {
    let part = asked.part()?;
    let read = look(&visit, move |folder, Scored { set, rows, evaluation, .. }| {
        let timings = run_dir::timings(folder);
        let total = set.items.len();
        let scores = |id: &str| {
            let of = |scores: &recto_bench::evaluation::MeasureScores| {
                Some((scores.measure.to_string(), *scores.items.get(id)?))
            };
            evaluation.measures.iter().filter_map(of).collect()
        };
        let item = |item: &recto_bench::Item| ItemBody {
            id: item.id.clone(),
            item: json!(item),
            row: json!(rows.get(&item.id)),
            scores: scores(&item.id),
            seconds: timings.get(&item.id).copied(),
        };
        let items = part.of(&set.items).map(item).collect();
        Ok(Items { items, total, next_offset: part.next(total) })
    });
    Ok(Json(read.await?))
}

async fn reported(visit: Visit, Asked(asked): Asked<ReportQuery>) -> Result<Response, Fault> {
    let format = asked.format;
    let text = look(&visit, move |folder, Scored { config, set, rows, evaluation }| {
        let (config, evaluation, rows) = (config.clone(), evaluation.clone(), rows.clone());
        let runs = [Run { config, evaluation, rows, timings: run_dir::timings(folder) }];
        Ok(match format {
            ReportFormat::Html => report::html(set, &runs, &Pictures::new(), &Layout::new()),
            ReportFormat::Json => report::json(set, &runs, &Layout::new()),
            ReportFormat::Csv => report::csv(set, &runs),
            ReportFormat::Markdown => report::markdown(set, &runs),
        })
    });
    let (media, ending) = match format {
        ReportFormat::Html => ("text/html; charset=utf-8", "html"),
        ReportFormat::Json => ("application/json", "json"),
        ReportFormat::Csv => ("text/csv; charset=utf-8", "csv"),
        ReportFormat::Markdown => ("text/markdown; charset=utf-8", "md"),
    };
    // A page of its own, whose script is named by its hash there: it must not run under our name, with our cookie.
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
    let headers = [
        (CONTENT_TYPE, media.to_owned()),
        (CONTENT_DISPOSITION, format!("inline; filename=\"report.{ending}\"")),
        (HeaderName::from_static("content-security-policy"), policy.to_owned()),
    ];
    Ok((headers, text.await?).into_response())
}

async fn compare(visit: Visit) -> Result<Json<Compared>, Fault> {
    let other = folder(&visit.collection, visit.named("other"))?;
    let first = folder(&visit.collection, visit.named("run"))?;
    let measures = visit.app.work(move || {
        let rows = compared(&first, &other, None, &[])?;
        Ok(rows.iter().map(|row| json!(row)).collect())
    });
    Ok(Json(Compared { measures: measures.await? }))
}
