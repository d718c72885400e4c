//! The endpoints of the API, one file for each group. What they tell is found by `commands/` and the libraries.

pub(crate) mod ask;
mod chat;
mod collections;
mod documents;
pub(crate) mod episodes;
pub(crate) mod jobs;
pub(crate) mod pages;
pub(crate) mod pictures;
pub(crate) mod runs;
pub(crate) mod search;
mod system;
pub(crate) mod upload;

use super::endpoint::Endpoint;

/// Everything that can be asked.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let groups = [
        system::endpoints(),
        collections::endpoints(),
        documents::endpoints(),
        upload::endpoints(),
        pages::endpoints(),
        pictures::endpoints(),
        search::endpoints(),
        ask::endpoints(),
        chat::endpoints(),
        jobs::endpoints(),
        episodes::endpoints(),
        runs::endpoints(),
    ];
    groups.into_iter().flatten().collect()
}
