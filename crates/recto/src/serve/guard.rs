//! What holds for every request and every response: pages of other sites must not reach a server on this machine, and
//! nothing that is sent may be run or framed elsewhere.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::fault::Fault;
use super::state::App;

/// Sent with everything. Pages have no script but that of files of their own, and ask nobody else for anything. Where no
/// page tells where it is, browsers send forms of our own as if they came from nowhere: ours are told, others are not.
const HEADERS: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
         font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

/// Looks where a request comes from, and sends safe headers with the response.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match check(request.headers(), app.keys.is_empty()) {
        Ok(()) => next.run(request).await,
        Err(fault) => fault.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    // Documents are not for the caches of others.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// A page of another site can make a browser send requests here: under that site's name, or under ours with its name as
/// the origin. Without keys, names of others are refused too, since they may have been made to point here.
fn check(headers: &HeaderMap, is_open: bool) -> Result<(), Fault> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(HOST).unwrap_or_default();
    if is_open && !is_local(host) {
        let message = format!("this server answers for its own machine only, not as {host:?}");
        return Err(Fault::forbidden(message, "ask for 127.0.0.1 or localhost, or start the server with keys"));
    }
    let is_own = |origin: &str| {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| name.eq_ignore_ascii_case(host))
    };
    match text(ORIGIN) {
        Some(origin) if !is_own(origin) => {
            Err(Fault::forbidden("pages of other sites may not use this server", "open the server's own pages"))
        }
        _ => Ok(()),
    }
}

/// `localhost`, or an address of this machine, with or without a port.
fn is_local(host: &str) -> bool {
    let without_port = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    let name = without_port.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_other_sites_are_refused() {
        // Host, origin, whether there are no keys, whether it may pass.
        let table = [
            ("127.0.0.1:7432", "", true, true),
            ("localhost", "", true, true),
            ("LOCALHOST:1", "http://localhost:1", true, true),
            ("[::1]:7432", "http://[::1]:7432", true, true),
            ("[::1]", "", true, true),
            ("evil.example", "", true, false),
            ("evil.example:7432", "http://evil.example:7432", true, false),
            ("localhost.evil.example", "", true, false),
            ("127.0.0.1.evil.example", "", true, false),
            ("", "", true, false),
            ("10.0.0.1:7432", "", true, false),
            ("127.0.0.1:7432", "http://evil.example", true, false),
            ("127.0.0.1:7432", "null", true, false),
            ("127.0.0.1:7432", "http://127.0.0.1:80", true, false),
            ("docs.example", "", false, true),
            ("docs.example", "https://docs.example", false, true),
            ("docs.example", "https://evil.example", false, false),
        ];
        for (host, origin, is_open, passes) in table {
            let mut headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
            if !origin.is_empty() {
                headers.insert(ORIGIN, HeaderValue::from_static(origin));
            }
            assert_eq!(check(&headers, is_open).is_ok(), passes, "{host} {origin} {is_open}");
        }
    }
}
