//! The frame of every page: head, navigation, and what is shown where there is nothing to show.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::asset;
use super::link::Links;
use crate::serve::fault::Fault;

/// Places that the navigation leads to: address, name.
const PLACES: [(&str, &str); 6] = [
    ("ask", "Ask"),
    ("search", "Search"),
    ("library", "Library"),
    ("traces", "Traces"),
    ("runs", "Runs"),
    ("annotate", "Annotate"),
];

/// A page of the web face.
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    /// Which of the places it is.
    pub(super) place: &'a str,
    pub(super) collection: &'a str,
    /// All collections that the reader may see.
    pub(super) collections: &'a [String],
    /// Scripts besides the common one.
    pub(super) scripts: &'a [&'a str],
    /// Whether the content has a frame of its own.
    pub(super) bare: bool,
}

impl Page<'_> {
    /// The page with its content.
    pub(super) fn holding(&self, content: &Markup) -> Response {
        let links = Links { collection: self.collection };
        let scripts = self.scripts.iter().copied();
        let head = html! {
            nav aria-label="Main" {
                // Who has shown no key yet can go nowhere.
                @if !self.collection.is_empty() { @for (to, name) in PLACES {
                    a href=(links.to(to)) aria-current=[(to == self.place).then_some("page")] { (name) }
                } }
            }
            @if self.collections.len() > 1 { (self.chooser()) }
        };
        let main = html! { main #main class=[self.bare.then_some("viewer")] tabindex="-1" { (content) } };
        document(self.title, &head, &main, scripts).into_response()
    }

    /// Another collection, at the same place.
    fn chooser(&self) -> Markup {
        html! {
            form {
                label.unseen for="collection" { "Collection" }
                select #collection {
                    @for name in self.collections {
                        option value=(Links { collection: name }.to(self.place)) selected[name == self.collection] { (name) }
                    }
                }
            }
        }
    }
}

fn document<'a>(title: &str, head: &Markup, main: &Markup, scripts: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " – recto" }
                link rel="icon" href=(asset::address("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(asset::address("style.css"));
                script src=(asset::address("theme.js")) {}
                @for script in scripts { script type="module" src=(asset::address(script)) {} }
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header.top {
                    a.brand href="/" { "recto" }
                    (head)
                    button.quiet.keys-button hidden type="button" data-act="keys" title="Keys (?)" aria-label="Keys" { "?" }
                    button #theme.quiet type="button" title="Light or dark" aria-label="Switch between light and dark" {
                        svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" {
                            circle cx="9" cy="9" r="7.2" fill="none" stroke="currentColor" stroke-width="1.6" {}
                            path d="M9 1.8a7.2 7.2 0 0 1 0 14.4z" fill="currentColor" {}
                        }
                    }
                }
                (main)
            }
        }
    }
}

/// What is shown where there is nothing.
pub(super) fn empty(title: &str, content: &Markup) -> Markup {
    html! {
        div.empty {
            svg viewBox="0 0 45 55" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" {
                path d="M4 2h26l11 11v40H4z" {}
                path d="M30 2v11h11M12 24h21M12 32h21M12 40h13" {}
            }
            h1 { (title) }
            (content)
        }
    }
}

/// A fault as a page for people.
pub(super) struct Oops(pub(super) Fault);

impl From<Fault> for Oops {
    fn from(fault: Fault) -> Self {
        Self(fault)
    }
}

impl IntoResponse for Oops {
    fn into_response(self) -> Response {
        let Self(fault) = self;
        let (status, mut message) = (fault.status(), capital(fault.message()));
        if !message.ends_with(['.', '!', '?']) {
            message.push('.');
        }
        let title = match status {
            StatusCode::NOT_FOUND => "Nothing here",
            StatusCode::TOO_MANY_REQUESTS => "Busy",
            status if status.is_server_error() => "That did not work",
            _ => "That can’t be done",
        };
        let content = empty(
            title,
            &html! { p { (message) } p.dim { (capital(fault.next_step())) "." }
            p { button type="button" data-act="back" { "Back" } " " a.button href="/" { "Start page" } } },
        );
        let main = html! { main #main tabindex="-1" { (content) } };
        let mut response = (status, document(title, &html! { nav {} }, &main, std::iter::empty())).into_response();
        if let Ok(html) = "text/html; charset=utf-8".parse() {
            response.headers_mut().insert(CONTENT_TYPE, html);
        }
        response
    }
}

/// The text beginning with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Where a page is, for people: the file's name, then its folder.
pub(super) fn name_of(document: &str) -> (&str, Option<&str>) {
    match document.rsplit_once('/') {
        Some((folder, name)) if !name.is_empty() => (name, Some(folder)),
        _ => (document, None),
    }
}

/// A document's name without its folder, kept apart from what stands around it, whichever way it is written.
pub(super) fn name(document: &str) -> Markup {
    html! { bdi { (name_of(document).0) } }
}

/// What keys do, and what else is good to know, shown on demand.
pub(super) fn keys_dialog(keys: &[(&str, &str)], more: &str) -> Markup {
    html! {
        dialog #keys.card aria-label="Keys" {
            h2 { "Keys" }
            table { @for (key, what) in keys { tr { td { @for one in key.split_whitespace() { kbd { (one) } " " } } td { (what) } } } }
            @if !more.is_empty() { p.dim { (more) } }
            form method="dialog" { button.main { "Close" } }
        }
    }
}

/// ` (printed iii)` where the label differs from the number.
pub(super) fn printed(label: Option<&str>, page: u32) -> String {
    crate::output::printed(label, page)
}
