//! Which address is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;

use super::fault::Fault;
use super::state::App;
use super::{guard, web};

/// The whole server, as a function of requests.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/health", get(health))
        .merge(web::router())
        .fallback(|| async { Fault::not_found("address") })
        .method_not_allowed_fallback(|| async { Fault::not_found("method at this address") })
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

async fn health() -> &'static str {
    "ok"
}
