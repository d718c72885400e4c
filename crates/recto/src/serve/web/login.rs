//! Where a person shows a key; a cookie stands for it from then on.

use std::sync::Arc;

use axum::Form;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;

use super::layout::Page;
use crate::serve::state::App;
use crate::serve::visit::SESSION;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    key: String,
    to: String,
}

/// `/login`
pub(super) async fn page(Query(wanted): Query<Wanted>) -> Response {
    form(&wanted.to, false)
}

/// A key was sent.
pub(super) async fn open(State(app): State<Arc<App>>, Form(wanted): Form<Wanted>) -> Response {
    match app.sessions.open(wanted.key.trim(), &app.keys) {
        Some(cookie) => {
            let cookie = format!("{SESSION}={cookie}; Path=/; HttpOnly; SameSite=Strict");
            ([(SET_COOKIE, cookie)], Redirect::to(within(&wanted.to))).into_response()
        }
        None => (StatusCode::UNAUTHORIZED, form(&wanted.to, true)).into_response(),
    }
}

/// The cookie is dropped.
pub(super) async fn close() -> Response {
    let cookie = format!("{SESSION}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    ([(SET_COOKIE, cookie)], Redirect::to("/login")).into_response()
}

/// An address of this server: nobody is sent elsewhere.
fn within(to: &str) -> &str {
    let is_path = to.starts_with('/') && !to.starts_with("//") && !to.contains(|c: char| c == '\\' || c.is_control());
    if is_path { to } else { "/" }
}

fn form(to: &str, is_wrong: bool) -> Response {
    let content = html! {
        div.empty {
            h1 { "Your key, please" }
            p.dim { "The documents here are kept for those who have a key. Whoever runs this server gave it to you." }
            @if is_wrong { p.note.bad role="alert" { "This key is not known." } }
            form.fields method="post" action="/login" {
                input type="hidden" name="to" value=(to);
                label { "Key" input type="password" name="key" required autofocus autocomplete="current-password" size="32"; }
                button.main { "Open" }
            }
        }
    };
    Page { title: "Key", place: "", collection: "", collections: &[], scripts: &[], bare: false }.holding(&content)
}

#[cfg(test)]
mod tests {
    #[test]
    fn nobody_is_sent_elsewhere() {
        let check = |to: &str, want: &str| assert_eq!(super::within(to), want);
        check("/c/a/ask?q=1", "/c/a/ask?q=1");
        for elsewhere in ["", "//evil.example", "https://evil.example", "/\\evil.example", "/a\nb", "/\t/evil.example"]
        {
            check(elsewhere, "/");
        }
    }
}
