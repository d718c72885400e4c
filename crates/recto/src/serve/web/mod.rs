//! The pages for people: server-rendered, with plain scripts of their own.

use std::sync::Arc;

use axum::Router;

use super::state::App;

/// The addresses of all pages, with their scripts and styles.
pub(crate) fn router() -> Router<Arc<App>> {
    Router::new()
}
