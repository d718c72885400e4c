//! Requests with JSON, asked again while waiting can help.

use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::http::{HeaderMap, StatusCode};
use ureq::{Agent, Error};

use super::retry::between;
use crate::{ModelError, Result, Secret};

/// A longer answer is refused: 64 pages of 1,024 patches of 128 numbers fit in it as text.
const MOST_BYTES: u64 = 256 << 20;
/// How long to wait before asking again: this, then twice as long each time, up to the last.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LAST_WAIT: Duration = Duration::from_secs(30);

/// Where a model is, and how long to be patient with it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The whole address, such as `http://localhost:8000/v1/embeddings`.
    pub url: String,
    /// Sent as `Authorization: Bearer`.
    pub key: Option<Secret>,
    /// The name by which the server knows the model.
    pub model: String,
    /// How long one request may take.
    pub timeout: Duration,
    /// How long to ask again, from the first request on, before giving up.
    pub patience: Duration,
    /// How many texts, pictures or documents go into one request.
    pub batch: usize,
}

/// Asks one endpoint.
#[derive(Debug)]
pub(super) struct Client {
    agent: Agent,
    pub(super) endpoint: Endpoint,
}

impl Client {
    /// No proxy is used and no redirect followed: the key goes where the user sent it.
    pub(super) fn new(endpoint: Endpoint) -> Result<Self> {
        let clean = |text: &str| text.chars().all(|c| c.is_ascii_graphic());
        if !endpoint.url.starts_with("http://") || !clean(&endpoint.url) {
            return Err(ModelError::Refused { why: format!("not the http:// address of a model: {}", endpoint.url) });
        }
        if endpoint.key.as_ref().is_some_and(|key| !key.is_sendable()) {
            return Err(ModelError::Refused { why: "the key is empty or has characters that no key has".into() });
        }
        let config = Agent::config_builder().timeout_global(Some(endpoint.timeout)).proxy(None).max_redirects(0);
        Ok(Self { agent: config.http_status_as_error(false).build().new_agent(), endpoint })
    }

    /// Sends `body` and gives what the answer holds, asking again as long as the endpoint's patience lasts.
    pub(super) fn ask<R>(&self, body: &Value, read: impl Fn(&[u8]) -> Result<R>) -> Result<R> {
        let started = Instant::now();
        let mut wait = FIRST_WAIT;
        loop {
            let error = match self.once(body).and_then(|bytes| read(&bytes)) {
                Err(error @ ModelError::Unavailable { .. }) => error,
                result => return result,
            };
            let told = if let ModelError::Unavailable { retry_after, .. } = &error { *retry_after } else { None };
            let pause = told.unwrap_or(wait);
            if started.elapsed().saturating_add(pause) > self.endpoint.patience {
                return Err(error);
            }
            std::thread::sleep(pause);
            wait = wait.saturating_mul(2).min(LAST_WAIT);
        }
    }

    fn once(&self, body: &Value) -> Result<Vec<u8>> {
        let mut request = self.agent.post(&self.endpoint.url).header("Content-Type", "application/json");
        if let Some(key) = &self.endpoint.key {
            request = request.header("Authorization", format!("Bearer {}", key.expose()));
        }
        let mut response = request.send(body.to_string().as_bytes()).map_err(no_answer)?;
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.body_mut().with_config().limit(MOST_BYTES).read_to_vec().map_err(no_answer)?;
        check_status(status, &headers, &bytes).map_err(|error| self.clean(error))?;
        Ok(bytes)
    }

    /// The error without the key, should the server repeat it.
    fn clean(&self, error: ModelError) -> ModelError {
        let clean = |why: String| self.endpoint.key.as_ref().map_or_else(|| why.clone(), |key| key.scrub(&why));
        match error {
            ModelError::Unavailable { why, retry_after } => ModelError::Unavailable { why: clean(why), retry_after },
            ModelError::Refused { why } => ModelError::Refused { why: clean(why) },
            other => other,
        }
    }
}

fn check_status(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<()> {
    let why = || format!("the server says {status}: {}", message(body));
    match status.as_u16() {
        200..=299 => Ok(()),
        408 | 409 | 425 | 429 | 500..=599 => Err(ModelError::Unavailable { why: why(), retry_after: wait(headers) }),
        _ => Err(ModelError::Refused { why: why() }),
    }
}

/// `retry-after-ms`, else `Retry-After` in seconds, else as a date beside the server's own.
pub(super) fn wait(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let seconds = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("Retry-After"));
    match seconds {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => between(text("Date")?, text("Retry-After")?),
    }
}

/// What an error says in its body, shortened, without control characters.
pub(super) fn message(body: &[u8]) -> String {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let places = ["/error/message", "/0/error/message", "/message", "/error", "/detail"];
    let said = places.iter().find_map(|place| json.pointer(place)?.as_str().map(str::to_owned));
    let behind = json.pointer("/error/metadata/raw").and_then(Value::as_str).map(|raw| format!(": {raw}"));
    let text = match said {
        Some(said) => said + &behind.unwrap_or_default(),
        None if is_html(body) => "a web page".into(),
        None => String::from_utf8_lossy(body).into_owned(),
    };
    text.chars().filter(|c| !c.is_control()).take(300).collect()
}

/// Whether this is a web page.
pub(super) fn is_html(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

fn no_answer(error: Error) -> ModelError {
    match error {
        Error::BodyExceedsLimit(limit) => bad_reply(format!("more than {limit} bytes")),
        Error::Protocol(error) => bad_reply(error.to_string()),
        other => ModelError::Unavailable { why: other.to_string(), retry_after: None },
    }
}

pub(super) fn bad_reply(why: impl ToString) -> ModelError {
    ModelError::BadReply { why: why.to_string() }
}
