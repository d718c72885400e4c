//! MCP over HTTP, at `/mcp/COLLECTION`, and at `/mcp` where the caller may see one collection only: the same tools as
//! `recto mcp`. Without sessions: each message stands for itself, so there is nothing to exhaust or to take over.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::extract::whole;
use super::fault::Fault;
use super::keys::Right;
use super::state::App;
use super::visit::{Caller, Visit};
use crate::mcp::Server;

pub(crate) fn router() -> Router<Arc<App>> {
    // Some clients want an address that ends in `/mcp`.
    Router::new()
        .route("/mcp", any(only))
        .route("/mcp/{collection}", any(named))
        .route("/v1/collections/{collection}/mcp", any(named))
}

async fn only(caller: Caller, request: Request) -> Response {
    let mut visible = caller.app.visible(&caller.grants).map(|(collection, _)| collection.name.clone());
    match (visible.next(), visible.next()) {
        (Some(name), None) => {
            drop(visible);
            match Visit::at(caller, &name) {
                Ok(visit) => named(visit, request).await,
                Err(fault) => fault.into_response(),
            }
        }
        _ => Fault::not_found("address: name the collection, as /mcp/COLLECTION").into_response(),
    }
}

async fn named(visit: Visit, request: Request) -> Response {
    let (library, desks) = (Arc::clone(&visit.collection.library), Arc::clone(&visit.app.desks));
    let answering = visit.may(Right::Ask).then(|| Arc::clone(&visit.app.answering));
    let server = move || Ok(Server::over(Arc::clone(&library), Arc::clone(&desks), answering.clone()));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(visit.app.limits.body as usize)
        // The guard has looked already.
        .disable_allowed_hosts();
    let service = StreamableHttpService::new(server, Arc::new(LocalSessionManager::default()), config);
    match whole(request, &visit.app.limits).await {
        Ok(request) => service.handle(request).await.map(Body::new),
        Err(fault) => fault.into_response(),
    }
}
