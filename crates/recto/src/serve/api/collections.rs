//! Collections: which there are, and what each holds.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use super::documents::ProblemBody;
use crate::commands::status;
use crate::serve::endpoint::{Endpoint, Needs};
use crate::serve::fault::Fault;
use crate::serve::keys::Right;
use crate::serve::visit::{Caller, Visit};

const TAG: &str = "collections";
/// Problems of one reply.
const PROBLEMS: usize = 1_000;

/// Collections that the caller may see.
#[derive(Serialize, JsonSchema)]
struct Collections {
    collections: Vec<Named>,
}

/// A collection, and what may be done there.
#[derive(Serialize, JsonSchema)]
struct Named {
    collection: String,
    /// `read`, `ask` (and read) or `write` (and ask and read)
    right: &'static str,
}

/// What a collection holds.
#[derive(Serialize, JsonSchema)]
struct CollectionBody {
    collection: String,
    right: &'static str,
    /// Number of the last commit; 0 if the collection is still empty
    commit: u64,
    /// Documents that could be read, of copies the first alone
    documents: u64,
    /// Their pages
    pages: u64,
    /// Number of problems
    problems: usize,
    /// By which routes it can be searched
    routes: Vec<RouteBody>,
    /// Number of pages by where their text came from
    pages_by_text_source: BTreeMap<String, u64>,
    /// Who answers questions: a language model, or `offline`
    answerer: String,
    /// Jobs that run or wait
    jobs: usize,
}

/// A route by which pages are found.
#[derive(Serialize, JsonSchema)]
struct RouteBody {
    route: String,
    /// What makes its vectors; empty for bm25
    encoder: String,
    /// Whether every page has its vectors
    complete: bool,
}

/// What went wrong in a collection.
#[derive(Serialize, JsonSchema)]
struct Problems {
    problems: Vec<ProblemBody>,
    /// How many there are, also beyond this list
    total: usize,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/v1/collections", (TAG, "list_collections"), "The collections that the key is for", list)
            .needs(Needs::Key)
            .gives::<Collections>(StatusCode::OK, "Their names"),
        Endpoint::get("/v1/collections/{collection}", (TAG, "get_collection"), "What a collection holds", status)
            .gives::<CollectionBody>(StatusCode::OK, "What it holds"),
        Endpoint::get(
            "/v1/collections/{collection}/problems",
            (TAG, "list_problems"),
            "What went wrong in a collection, with what can be done about it",
            problems,
        )
        .gives::<Problems>(StatusCode::OK, "Problems by document and page"),
    ]
}

async fn list(caller: Caller) -> Json<Collections> {
    let named = |(collection, right): (&std::sync::Arc<crate::serve::state::Collection>, Right)| Named {
        collection: collection.name.clone(),
        right: right.as_str(),
    };
    Json(Collections { collections: caller.app.visible(&caller.grants).map(named).collect() })
}

async fn status(visit: Visit) -> Result<Json<CollectionBody>, Fault> {
    let (name, right) = (visit.collection.name.clone(), visit.right.as_str());
    let answerer = visit.app.model.as_ref().map_or("offline", |model| model.name()).to_owned();
    let jobs = visit.app.jobs.of(&name, visit.app.limits.result_ttl);
    let jobs = jobs.iter().filter(|job| !job.state().is_over()).count();
    let library = std::sync::Arc::clone(&visit.collection.library);
    let read = move || {
        if !library.is_made() {
            return Ok(CollectionBody { collection: name, right, answerer, jobs, ..CollectionBody::empty() });
        }
        library.with(|shelf| {
            let held = status::read(&shelf.corpus.catalog, shelf.dir)?;
            let bm25 = RouteBody { route: "bm25".into(), encoder: String::new(), complete: true };
            let vectors = held.routes.into_iter().map(|held| {
                let status::Held { route, encoder, complete } = held;
                RouteBody { route, encoder, complete }
            });
            Ok(CollectionBody {
                collection: name,
                right,
                commit: held.commit,
                documents: held.size.documents,
                pages: held.size.pages,
                problems: held.documents.iter().map(|listed| listed.n_problems).sum(),
                routes: std::iter::once(bm25).chain(vectors).collect(),
                pages_by_text_source: held.pages_by_text_source,
                answerer,
                jobs,
            })
        })
    };
    Ok(Json(visit.app.work(read).await?))
}

impl CollectionBody {
    fn empty() -> Self {
        Self {
            collection: String::new(),
            right: "",
            commit: 0,
            documents: 0,
            pages: 0,
            problems: 0,
            routes: Vec::new(),
            pages_by_text_source: BTreeMap::new(),
            answerer: String::new(),
            jobs: 0,
        }
    }
}

async fn problems(visit: Visit) -> Result<Json<Problems>, Fault> {
    let read = visit.look(|shelf| {
        let all = shelf.corpus.catalog.problems(None)?;
        let total = all.len();
        let problems = all.into_iter().take(PROBLEMS).map(|(doc, problem)| ProblemBody::of(&doc, &problem)).collect();
        Ok(Problems { problems, total })
    });
    Ok(Json(read.await?))
}
