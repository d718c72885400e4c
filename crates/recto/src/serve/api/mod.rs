//! The endpoints of the API, one file for each group. What they tell is found by `commands/` and the libraries.

mod collections;
mod documents;
mod pages;
mod pictures;
mod search;
mod system;

use super::endpoint::Endpoint;

/// Everything that can be asked.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    let groups = [
        system::endpoints(),
        collections::endpoints(),
        documents::endpoints(),
        pages::endpoints(),
        pictures::endpoints(),
        search::endpoints(),
    ];
    groups.into_iter().flatten().collect()
}
