//! How far reading documents has come.

use maud::{Markup, html};

use super::guest::Guest;
use super::link::{Links, encoded};

/// Where files are sent to.
pub(super) fn upload(links: Links<'_>) -> String {
    format!("/v1/collections/{}/documents", encoded(links.collection))
}

/// Where the running job is shown.
pub(super) fn place(guest: &Guest) -> Markup {
    html! { div #job data-url=(guest.links().to("library/job")) data-busy="false" aria-live="polite" {} }
}
