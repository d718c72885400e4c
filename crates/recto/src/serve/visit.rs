//! Who asks, and for what: what handlers take to learn what the caller may do. Without it there is no way to a collection.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;

use serde_json::Value;

use super::fault::Fault;
use super::jobs::{Job, Kind};
use super::keys::{Grants, Right};
use super::state::{App, Collection};
use crate::library::Shelf;

/// The cookie by which a browser that has shown a key is known again.
pub(crate) const SESSION: &str = "recto_session";

/// Someone whose key is known, or anyone where no keys are.
pub(crate) struct Caller {
    pub(crate) app: Arc<App>,
    pub(crate) grants: Grants,
}

/// A caller at the collection that the address names, which the caller may see.
pub(crate) struct Visit {
    pub(crate) app: Arc<App>,
    pub(crate) collection: Arc<Collection>,
    pub(crate) right: Right,
    /// What the address names, by parameter.
    named: BTreeMap<String, String>,
}

impl Visit {
    /// At a collection that something else than the address names.
    ///
    /// # Errors
    /// 404 for one that there is not, and for one that must not be seen.
    pub(crate) fn at(caller: Caller, name: &str) -> Result<Self, Fault> {
        let Caller { app, grants } = caller;
        let (collection, right) = app.collection(name, &grants)?;
        Ok(Self { app, collection, right, named: BTreeMap::new() })
    }

    /// Lets the caller go on who may do this here.
    ///
    /// # Errors
    /// 403 for others.
    pub(crate) fn needs(&self, right: Right) -> Result<(), Fault> {
        if self.right >= right {
            return Ok(());
        }
        let what = match right {
            Right::Read => "read",
            Right::Ask => "ask questions",
            Right::Write => "add or remove documents",
        };
        Err(Fault::forbidden(format!("this key may not {what} here"), "use a key that may"))
    }

    /// What the address names.
    pub(crate) fn named(&self, parameter: &str) -> &str {
        self.named.get(parameter).map_or("", String::as_str)
    }

    /// The address of the collection.
    pub(crate) fn base(&self) -> String {
        format!("/v1/collections/{}", self.collection.name)
    }

    /// Takes work on in this collection.
    ///
    /// # Errors
    /// 429 if too many jobs run or wait.
    pub(crate) fn submit(
        &self,
        kind: Kind,
        about: String,
        work: impl FnOnce(&Arc<Job>) -> anyhow::Result<Value> + Send + 'static,
    ) -> Result<Arc<Job>, Fault> {
        self.app.submit(&self.collection, kind, about, work)
    }

    /// Whether the caller may do this here.
    pub(crate) fn may(&self, right: Right) -> bool {
        self.right >= right
    }

    /// Looks into the collection, in a thread where waiting is allowed.
    ///
    /// # Errors
    /// 429 if too many wait; what `look` gives.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Shelf<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, Fault> {
        self.app.look(&self.collection, look).await
    }
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let grants = grants(parts, app).ok_or_else(Fault::no_key)?;
        Ok(Self { app: Arc::clone(app), grants })
    }
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let Caller { grants, .. } = Caller::from_request_parts(parts, app).await?;
        let params = RawPathParams::from_request_parts(parts, app).await.map_err(|_| Fault::not_found("address"))?;
        let named: BTreeMap<String, String> = params.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let name = named.get("collection").map_or("", String::as_str);
        let (collection, right) = app.collection(name, &grants)?;
        Ok(Self { app: Arc::clone(app), collection, right, named })
    }
}

/// What the sender may do, by a key in a header, or by the cookie that a browser got for one.
fn grants(parts: &Parts, app: &App) -> Option<Grants> {
    let header = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let bearer = header(AUTHORIZATION.as_str()).and_then(|value| {
        let (scheme, key) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
    });
    match header("x-api-key").or(bearer) {
        None => app.keys.grants(None).or_else(|| app.sessions.grants(session(header(COOKIE.as_str())?)?, &app.keys)),
        sent => app.keys.grants(sent),
    }
}

/// The session among the cookies.
fn session(cookies: &str) -> Option<&str> {
    cookies.split(';').find_map(|cookie| cookie.trim().strip_prefix(SESSION)?.strip_prefix('='))
}
