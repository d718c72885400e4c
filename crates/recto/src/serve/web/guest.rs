//! Who looks at a page. One whose key is not known is asked for it, in words a person understands.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::layout::{Oops, Page};
use super::link::{Links, encoded};
use crate::serve::fault::Fault;
use crate::serve::keys::Right;
use crate::serve::state::App;
use crate::serve::visit::{Caller, Visit};

/// A person at a collection that they may see.
pub(super) struct Guest {
    pub(super) visit: Visit,
    collections: Vec<String>,
}

impl Guest {
    pub(super) fn links(&self) -> Links<'_> {
        Links { collection: &self.visit.collection.name }
    }

    /// Whether changes may be made.
    pub(super) fn writes(&self) -> bool {
        self.visit.may(Right::Write)
    }

    /// A page of this collection.
    pub(super) fn page(&self, place: &str, title: &str, scripts: &[&str], content: &Markup) -> Response {
        self.framed(place, title, scripts, content, false)
    }

    /// A page whose content goes to the edges.
    pub(super) fn bare(&self, place: &str, title: &str, scripts: &[&str], content: &Markup) -> Response {
        self.framed(place, title, scripts, content, true)
    }

    fn framed(&self, place: &str, title: &str, scripts: &[&str], content: &Markup, bare: bool) -> Response {
        let collection = &self.visit.collection.name;
        Page { title, place, collection, collections: &self.collections, scripts, bare }.holding(content)
    }
}

/// Why somebody does not come in.
pub(super) enum Refused {
    /// No key that is known: asked for one, then brought to where they wanted to go.
    Unknown(String),
    Other(Fault),
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            Self::Unknown(to) => Redirect::to(&format!("/login?to={}", encoded(&to))).into_response(),
            Self::Other(fault) => Oops(fault).into_response(),
        }
    }
}

/// Tells a missing key from other faults.
fn refused(fault: Fault, parts: &Parts) -> Refused {
    if fault.status() == StatusCode::UNAUTHORIZED {
        return Refused::Unknown(parts.uri.path_and_query().map_or_else(|| "/".into(), ToString::to_string));
    }
    Refused::Other(fault)
}

impl FromRequestParts<Arc<App>> for Guest {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let caller = Caller::from_request_parts(parts, app).await.map_err(|fault| refused(fault, parts))?;
        let collections = app.visible(&caller.grants).map(|(collection, _)| collection.name.clone()).collect();
        let visit = Visit::from_request_parts(parts, app).await.map_err(|fault| refused(fault, parts))?;
        Ok(Self { visit, collections })
    }
}

/// Somebody who wants to see any collection.
pub(super) struct Newcomer(pub(super) Vec<String>);

impl FromRequestParts<Arc<App>> for Newcomer {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Refused> {
        let caller = Caller::from_request_parts(parts, app).await.map_err(|fault| refused(fault, parts))?;
        Ok(Self(app.visible(&caller.grants).map(|(collection, _)| collection.name.clone()).collect()))
    }
}
