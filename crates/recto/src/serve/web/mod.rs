//! The pages for people: server-rendered, with plain scripts of their own. Everything works without scripts too, but for
//! what only they can do. What is shown is found by `commands/` and the libraries; here it only gets its look.

mod annotate;
mod annotate_page;
mod annotate_people;
mod annotate_review;
mod annotate_write;
mod answer;
mod ask;
mod asset;
mod find;
mod guest;
mod job;
mod layout;
mod library;
mod link;
mod login;
mod problems;
mod runs;
mod runs_compare;
mod runs_item;
mod runs_kept;
mod runs_one;
mod search;
mod sheet;
mod table;
mod traces;
mod traces_file;
mod traces_read;
mod traces_steps;
mod viewer;
mod viewer_frame;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::html;

use self::guest::{Guest, Newcomer};
use self::layout::Oops;
use self::link::Links;
use super::extract::whole;
use super::state::App;

/// The addresses of all pages, with their scripts and styles.
pub(crate) fn router(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/", get(start))
        .route("/login", get(login::page).post(login::open))
        .route("/logout", post(login::close))
        .route("/assets/{hash}/{name}", get(asset::get))
        .route("/favicon.ico", get(asset::icon))
        .route("/c/{collection}", get(collection))
        .route("/c/{collection}/ask", get(ask::page))
        .route("/c/{collection}/ask/live", post(ask::live))
        .route("/c/{collection}/search", get(search::page))
        .route("/c/{collection}/library", get(library::page))
        .route("/c/{collection}/library/job", get(job::fragment))
        .route("/c/{collection}/problems", get(problems::page))
        .route("/c/{collection}/view/{document}", get(viewer::first))
        .route("/c/{collection}/view/{document}/find", get(viewer::find))
        .route("/c/{collection}/view/{document}/{page}", get(viewer::page))
        .route("/c/{collection}/view/{document}/{page}/layer", get(viewer::layer))
        .route("/c/{collection}/view/{document}/{page}/about", get(viewer::about))
        .route("/c/{collection}/view/{document}/{page}/pane", get(viewer::pane))
        .merge(traces::router())
        .merge(runs::router(app.scores.clone()))
        .merge(annotate::router())
        .layer(from_fn_with_state(Arc::clone(app), sent_in_time))
}

/// What a form sends must be there in time.
async fn sent_in_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match whole(request, &app.limits).await {
        Ok(request) => next.run(request).await,
        Err(fault) => Oops(fault).into_response(),
    }
}

/// `/`: the first collection.
async fn start(Newcomer(collections): Newcomer) -> Response {
    match collections.first() {
        Some(name) => Redirect::to(&Links { collection: name }.to("ask")).into_response(),
        None => {
            let content =
                layout::empty("No collection", &html! { p { "Your key opens none of the collections here." } });
            layout::Page { title: "recto", place: "", collection: "", collections: &[], scripts: &[], bare: false }
                .holding(&content)
        }
    }
}

async fn collection(guest: Guest, Path(_): Path<String>) -> Redirect {
    Redirect::to(&guest.links().to("ask"))
}
