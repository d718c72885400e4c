//! What handlers take out of a request: the query and the body, with our errors in place of the framework's.

use axum::Json;
use axum::body::to_bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use std::sync::Arc;

use super::fault::Fault;
use super::limits::Limits;
use super::state::App;

/// What stands behind the `?`.
pub(crate) struct Asked<T>(pub(crate) T);

/// What was sent, as JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Asked<T> {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Fault> {
        let query = Query::<T>::from_request_parts(parts, app).await;
        query.map(|Query(asked)| Self(asked)).map_err(|error| Fault::invalid(error.body_text()))
    }
}

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = Fault;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Fault> {
        let read = tokio::time::timeout(app.limits.body_time, Json::<T>::from_request(request, app)).await;
        let read = read.map_err(|_| Fault::slow(app.limits.body_time.as_secs()))?;
        read.map(|Json(sent)| Self(sent)).map_err(|rejection| told(&rejection, app))
    }
}

fn told(rejection: &JsonRejection, app: &App) -> Fault {
    match rejection {
        JsonRejection::JsonDataError(error) => Fault::invalid(error.body_text()),
        JsonRejection::MissingJsonContentType(_) => Fault::unsupported("application/json"),
        other if other.status() == StatusCode::PAYLOAD_TOO_LARGE => Fault::too_large("--max-body", app.limits.body),
        other => Fault::malformed(other.body_text()),
    }
}

/// A request with all of its body, which must come in time.
///
/// # Errors
/// 408 when it does not; 413 when it is too large.
pub(crate) async fn whole(request: Request, limits: &Limits) -> Result<Request, Fault> {
    let (parts, body) = request.into_parts();
    let read = tokio::time::timeout(limits.body_time, to_bytes(body, limits.body as usize)).await;
    let read = read.map_err(|_| Fault::slow(limits.body_time.as_secs()))?;
    let body = read.map_err(|_| Fault::too_large("--max-body", limits.body))?;
    Ok(Request::from_parts(parts, body.into()))
}

/// A number that must lie between two others.
///
/// # Errors
/// 422, with the field's name and what is allowed.
pub(crate) fn within(field: &str, number: u32, low: u32, high: u32) -> Result<u32, Fault> {
    if (low..=high).contains(&number) {
        return Ok(number);
    }
    Err(Fault::invalid(format!("{field} = {number}: expected a whole number from {low} to {high}")))
}
