//! Which address is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;

use super::fault::Fault;
use super::state::App;
use super::{api, guard, mcp, web};

/// The whole server, as a function of requests.
pub(crate) fn router(app: Arc<App>) -> Router {
    let mut router = Router::new();
    for endpoint in api::endpoints() {
        let (path, route) = endpoint.route(&app);
        router = router.route(path, route);
    }
    router
        .merge(mcp::router())
        .merge(web::router(&app))
        .fallback(|| async { Fault::not_found("address") })
        .method_not_allowed_fallback(|| async { Fault::method() })
        .layer(DefaultBodyLimit::max(app.limits.body as usize))
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
