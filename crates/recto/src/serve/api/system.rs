//! The server itself: whether it lives and can answer, what it is, its description and its numbers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use crate::serve::endpoint::{Endpoint, Needs};
use crate::serve::fault::Fault;
use crate::serve::keys::Grants;
use crate::serve::metrics::Now;
use crate::serve::state::App;
use crate::serve::{docs, openapi};

const TAG: &str = "system";

/// How the server is.
#[derive(Serialize, JsonSchema)]
struct Health {
    /// `ok`
    status: &'static str,
}

/// What the server is.
#[derive(Serialize, JsonSchema)]
struct Version {
    name: &'static str,
    version: &'static str,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/health", (TAG, "health"), "Whether the server lives", health)
            .gives::<Health>(StatusCode::OK, "It does"),
        Endpoint::get("/ready", (TAG, "ready"), "Whether every collection can be read", ready)
            .gives::<Health>(StatusCode::OK, "It can"),
        Endpoint::get("/version", (TAG, "version"), "What the server is", version)
            .gives::<Version>(StatusCode::OK, "Its name and version"),
        Endpoint::get("/openapi.json", (TAG, "openapi"), "This description", described)
            .gives_media("application/json", "The OpenAPI description"),
        Endpoint::get("/docs", (TAG, "docs"), "This description for people", docs::page)
            .gives_media("text/html", "A page"),
        Endpoint::get("/docs/style.css", (TAG, "docs_style"), "How that page looks", docs::style)
            .gives_media("text/css", "A style sheet"),
        Endpoint::get("/metrics", (TAG, "metrics"), "Numbers in the text form of Prometheus", metrics)
            .needs(Needs::Everywhere)
            .gives_media("text/plain", "Counters, gauges and histograms"),
    ]
}

async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, Fault> {
    let collections: Vec<_> = app.visible(&Grants::all()).map(|(collection, _)| Arc::clone(collection)).collect();
    let unread = move || Ok(collections.iter().filter(|collection| !collection.library.is_made()).count());
    match app.work(unread).await? {
        0 => Ok(Json(Health { status: "ok" })),
        n => Err(Fault::not_ready(
            format!("{n} collections can't be read yet"),
            "add documents, or wait for the first index",
        )),
    }
}

async fn version() -> Json<Version> {
    Json(Version { name: "recto", version: env!("CARGO_PKG_VERSION") })
}

async fn described() -> Response {
    Json(openapi::document(&super::endpoints())).into_response()
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    let streams = app.limits.streams.saturating_sub(app.streams.available_permits());
    let spent = app.model.as_ref().map(|model| model.spent()).unwrap_or_default();
    let text = app.metrics.text(&Now { jobs: app.jobs.count(), streams, spent });
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}
