//! Why a request was not answered, in one form for all: a code for programs, a sentence for people, what to do next.

use std::borrow::Cow;

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use recto_page::PageError;
use recto_search::SearchError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exit::Usage;

/// A request that was not answered.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    status: StatusCode,
    code: Cow<'static, str>,
    message: String,
    next_step: String,
    /// After so many seconds it may be tried again.
    retry_after: Option<u32>,
}

/// What went wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    error: ErrorDetail,
}

/// What went wrong, and what can be done about it.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct ErrorDetail {
    /// The kind of error, for programs
    code: Cow<'static, str>,
    /// What went wrong, for people
    message: String,
    /// What to do about it
    next_step: String,
}

impl Fault {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let (code, message, next_step) = (code.into(), message.into(), next_step.into());
        Self { status, code, message, next_step, retry_after: None }
    }

    /// A fault that was told before.
    pub(crate) fn again(status: u16, told: ErrorDetail) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let ErrorDetail { code, message, next_step } = told;
        Self { status, code, message, next_step, retry_after: None }
    }

    /// 404: there is no such thing, or none that the caller may see; the two are not told apart.
    pub(crate) fn not_found(what: &str) -> Self {
        let message = format!("there is no such {what}");
        Self::new(StatusCode::NOT_FOUND, "not_found", message, "check the name, or list what there is")
    }

    /// 422: a value is of no use; the message names the field and what is allowed.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", message, "mend the value that is named")
    }

    /// 400: what was sent is not of the form that it says.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message, "see /openapi.json for the form of requests")
    }

    /// 401: no key, or none that is known.
    pub(crate) fn no_key() -> Self {
        let next = "send a key as `X-API-Key: KEY` or `Authorization: Bearer KEY`";
        Self::new(StatusCode::UNAUTHORIZED, "no_key", "a key is needed, and none that is known was sent", next)
    }

    /// 403: the key is good for less than this.
    pub(crate) fn forbidden(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message, next_step)
    }

    /// 409: it can't be done in this state.
    pub(crate) fn conflict(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", message, next_step)
    }

    /// 413: more was sent than the named setting allows.
    pub(crate) fn too_large(setting: &str, limit: u64) -> Self {
        let message = format!("what was sent is larger than {setting} allows, {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message, format!("send less, or raise {setting}"))
    }

    /// 415: what was sent is of another type.
    pub(crate) fn unsupported(expected: &str) -> Self {
        let message = "what was sent is of a type that is not read here";
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported",
            message,
            format!("send `Content-Type: {expected}`"),
        )
    }

    /// 415: a file is of a kind that is not read.
    pub(crate) fn kind(message: impl Into<String>, read: &str) -> Self {
        let next = format!("send files that end in {read}");
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported", message, next)
    }

    /// 504: it took longer than the named setting allows.
    pub(crate) fn late(seconds: u64) -> Self {
        let message = format!("it took longer than --answer-timeout allows, {seconds} seconds");
        Self::new(StatusCode::GATEWAY_TIMEOUT, "late", message, "name fewer documents, or raise --answer-timeout")
    }

    /// 405: the address knows no such method.
    pub(crate) fn method() -> Self {
        let message = "this address knows no such method";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", message, "see /openapi.json for those that it knows")
    }

    /// 429: more at once than the named setting allows.
    pub(crate) fn busy(setting: &str, limit: usize) -> Self {
        let message = format!("more is asked at once than {setting} allows, {limit}");
        let next = format!("try again in a moment, or raise {setting}");
        let fault = Self::new(StatusCode::TOO_MANY_REQUESTS, "busy", message, next);
        Self { retry_after: Some(1), ..fault }
    }

    /// 408: what was to be sent did not come in time.
    pub(crate) fn slow(seconds: u64) -> Self {
        let message = format!("the request was not sent within {seconds} seconds");
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", message, "send it again, quicker, or raise --body-timeout")
    }

    /// 503: it can't be done yet.
    pub(crate) fn not_ready(message: impl Into<String>, next_step: impl Into<String>) -> Self {
        let fault = Self::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", message, next_step);
        Self { retry_after: Some(5), ..fault }
    }

    /// 500: a fault of ours.
    pub(crate) fn internal(message: impl Into<String>) -> Self {
        let next = "`recto doctor --verify` tells whether the index is damaged";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message, next)
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn next_step(&self) -> &str {
        &self.next_step
    }

    pub(crate) fn body(&self) -> ErrorBody {
        ErrorBody { error: self.detail() }
    }

    pub(crate) fn detail(&self) -> ErrorDetail {
        let (message, next_step) = (self.message.clone(), self.next_step.clone());
        ErrorDetail { code: self.code.clone(), message, next_step }
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<anyhow::Error> for Fault {
    fn from(error: anyhow::Error) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(fault) => return fault,
            Err(other) => other,
        };
        let message = format!("{error:#}");
        match (error.downcast_ref(), error.downcast_ref()) {
            (Some(PageError::NoDocument(_)), _) => Self::not_found("document"),
            (Some(PageError::NoPage(_)), _) => Self::not_found("page"),
            (Some(PageError::NoIndex(_)), _) => {
                Self::not_ready("the collection holds no document yet", "add documents")
            }
            (Some(PageError::Locked { .. }), _) => {
                Self::conflict(message, "wait for it to end, then submit the job again")
            }
            (Some(PageError::NotDrawn { .. }), _) => {
                Self::new(StatusCode::NOT_FOUND, "no_picture", message, "read the text of the page instead")
            }
            (_, Some(SearchError::EmptyQuery)) => Self::invalid(format!("query: {message}")),
            (_, Some(SearchError::NoRoute(_))) => Self::invalid(format!("route: {message}")),
            _ if error.is::<recto_agent::AgentError>() => Self::invalid(message),
            _ if error.chain().any(|cause| cause.is::<Usage>()) => Self::invalid(message),
            _ => Self::internal(message),
        }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.message, self.next_step)
    }
}

impl std::error::Error for Fault {}
