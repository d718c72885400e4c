//! One request of a chat over HTTP, and what came back: all of it, or how far it came.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use ureq::http::HeaderMap;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Error, Proxy};

use super::http::is_html;
use crate::{Class, Failure, ModelError, Result, Secret};

/// A longer reply is refused.
const MOST_BYTES: u64 = 32 << 20;
/// A server that is there takes a connection in this time.
const TIME_TO_CONNECT: Duration = Duration::from_secs(10);

/// Sends requests to one address.
#[derive(Debug)]
pub(super) struct Transport {
    agent: Agent,
    url: String,
    key: Option<Secret>,
    /// Names and values of headers, with the key.
    headers: Vec<(&'static str, Secret)>,
}

/// What a server answered.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    /// The body, without the key should the server repeat it.
    pub(super) body: String,
}

impl Transport {
    /// To an `http://` or `https://` address. No redirect is followed: the key goes where the user sent it.
    pub(super) fn new(
        url: String,
        key: Option<Secret>,
        headers: Vec<(&'static str, Secret)>,
        proxy: Option<&str>,
        roots: Option<&[u8]>,
    ) -> Result<Self> {
        let refused = |why: String| ModelError::Refused { why };
        if !is_address(&url) {
            return Err(refused("not an http:// or https:// address without a password".into()));
        }
        if key.as_ref().is_some_and(|key| !key.is_sendable()) {
            return Err(refused("the key is empty or has characters that no key has".into()));
        }
        let bad_proxy = |_| refused("the proxy's address is none".into());
        let proxy = proxy.filter(|_| url.starts_with("https://")).map(Proxy::new).transpose().map_err(bad_proxy)?;
        let tls = TlsConfig::builder().root_certs(root_certs(roots)?).build();
        let config = Agent::config_builder().proxy(proxy).max_redirects(0).tls_config(tls);
        let config = config.http_status_as_error(false).timeout_connect(Some(TIME_TO_CONNECT));
        Ok(Self { agent: config.build().new_agent(), url, key, headers })
    }

    /// Sends a body; a failure is what HTTP itself ran into.
    pub(super) fn send(&self, body: &str, timeout: Duration) -> std::result::Result<Answer, Failure> {
        let mut request = self.agent.post(&self.url).header("Content-Type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(*name, value.expose());
        }
        let request = request.config().timeout_global(Some(timeout)).build();
        let sent = request.send(body.as_bytes());
        let mut response = sent.map_err(|error| self.failure(&error, Class::Connection, ""))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut bytes = Vec::new();
        let read = response.body_mut().with_config().limit(MOST_BYTES).reader().read_to_end(&mut bytes);
        let body = self.scrub(&String::from_utf8_lossy(&bytes));
        match read {
            Ok(_) => Ok(Answer { status, headers, body }),
            Err(error) => Err(self.failure(&Error::from(error), Class::Cut, &body)),
        }
    }

    fn failure(&self, error: &Error, otherwise: Class, raw: &str) -> Failure {
        let class = match error {
            Error::Timeout(_) => Class::Timeout,
            Error::Io(error) if is_timeout(error) => Class::Timeout,
            Error::BodyExceedsLimit(_) => Class::NotChat,
            Error::BadUri(_) => Class::NoModel,
            _ => otherwise,
        };
        Failure::new(class, self.scrub(&error.to_string()), raw)
    }

    /// A text without the key.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.into(), |key| key.scrub(text))
    }
}

/// Whether this is an `http://` or `https://` address of a server, without a password in it.
pub fn is_address(url: &str) -> bool {
    let known = url.starts_with("http://") || url.starts_with("https://");
    let uri = url.parse::<ureq::http::Uri>().ok().filter(|_| known && url.chars().all(|c| c.is_ascii_graphic()));
    let authority = uri.as_ref().and_then(|uri| uri.authority());
    authority.is_some_and(|authority| !authority.host().is_empty() && !authority.as_str().contains('@'))
}

fn is_timeout(error: &std::io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
    error.kind() == std::io::ErrorKind::TimedOut || matches!(inner, Some(Error::Timeout(_)))
}

/// Whom to trust: those that browsers trust, or those of a PEM file.
fn root_certs(pem: Option<&[u8]>) -> Result<RootCerts> {
    let Some(pem) = pem else { return Ok(RootCerts::WebPki) };
    let roots: Vec<Certificate<'static>> = parse_pem(pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(root)) => Some(root),
            _ => None,
        })
        .collect();
    if roots.is_empty() {
        return Err(ModelError::Refused { why: "the file of root certificates has none".into() });
    }
    Ok(RootCerts::Specific(Arc::new(roots)))
}

/// Why a body is not JSON.
pub(super) fn not_json(body: &str, error: &serde_json::Error) -> Failure {
    let (class, why) = match error.classify() {
        _ if is_html(body.as_bytes()) => (Class::ErrorPage, "it begins with <".to_owned()),
        _ if body.trim().is_empty() => (Class::Empty, "the server sent nothing".to_owned()),
        serde_json::error::Category::Eof => (Class::Cut, error.to_string()),
        _ => (Class::NotJson, error.to_string()),
    };
    Failure::new(class, why, body)
}
