//! Style sheets, scripts and pictures, which are part of the program. Their addresses name their content, so that browsers
//! may keep them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use recto_page::ContentHash;

use super::layout::Oops;
use crate::serve::fault::Fault;

/// Name, kind and content.
const ASSETS: [(&str, &str, &str); 9] = [
    (
        "style.css",
        "text/css; charset=utf-8",
        concat!(include_str!("assets/style.css"), include_str!("assets/study.css")),
    ),
    ("theme.js", "text/javascript; charset=utf-8", include_str!("assets/theme.js")),
    ("ask.js", "text/javascript; charset=utf-8", include_str!("assets/ask.js")),
    ("library.js", "text/javascript; charset=utf-8", include_str!("assets/library.js")),
    ("viewer.js", "text/javascript; charset=utf-8", include_str!("assets/viewer.js")),
    ("traces.js", "text/javascript; charset=utf-8", include_str!("assets/traces.js")),
    ("keys.js", "text/javascript; charset=utf-8", include_str!("assets/keys.js")),
    ("annotate.js", "text/javascript; charset=utf-8", include_str!("assets/annotate.js")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
];

static ADDRESSES: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let address = |content: &str| ContentHash::of(content.as_bytes()).as_str().chars().take(12).collect::<String>();
    ASSETS.iter().map(|(name, _, content)| (*name, format!("/assets/{}/{name}", address(content)))).collect()
});

/// Where an asset is.
pub(super) fn address(name: &str) -> &'static str {
    ADDRESSES.get(name).map_or("", String::as_str)
}

/// `/assets/{hash}/{name}`
pub(super) async fn get(Path((_, name)): Path<(String, String)>) -> Result<Response, Oops> {
    let (_, kind, content) =
        ASSETS.iter().find(|(known, ..)| *known == name).ok_or_else(|| Fault::not_found("address"))?;
    Ok(([(CONTENT_TYPE, *kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")], *content).into_response())
}

/// `/favicon.ico`, which browsers ask for unasked.
pub(super) async fn icon() -> Response {
    let icon = ASSETS.iter().find(|(name, ..)| *name == "icon.svg").map_or("", |(.., content)| content);
    ([(CONTENT_TYPE, "image/svg+xml")], icon).into_response()
}
