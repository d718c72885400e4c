//! `/docs`: the API for people, made from the endpoints; no script, nothing from elsewhere.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use schemars::SchemaGenerator;
use serde_json::Value;

use super::api;
use super::endpoint::{Endpoint, Needs, Sent};
use super::openapi::in_path;

const STYLE: &str = include_str!("docs.css");

pub(crate) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

pub(crate) async fn page() -> Response {
    let endpoints = api::endpoints();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "recto: HTTP API" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/docs/style.css";
            }
            body {
                a href="/" { "recto" }
                h1 { "The same by HTTP" }
                p {
                    "For programs: " a href="/openapi.json" { "/openapi.json" } " (OpenAPI 3.1). Keys go as "
                    code { "X-API-Key: KEY" } " or " code { "Authorization: Bearer KEY" }
                    ". Names of documents are percent-encoded in addresses; pages count from 1."
                }
                nav aria-label="Groups" {
                    @for first in endpoints.chunk_by(|a, b| a.tag == b.tag).filter_map(<[Endpoint]>::first) {
                        a href={ "#" (first.tag) } { (first.tag) }
                    }
                }
                @for group in endpoints.chunk_by(|a, b| a.tag == b.tag) {
                    @if let Some(first) = group.first() {
                        h2 id=(first.tag) { (first.tag) }
                    }
                    @for endpoint in group { (section(endpoint)) }
                }
            }
        }
    };
    page.into_response()
}

fn section(endpoint: &Endpoint) -> Markup {
    html! {
        section id=(endpoint.id) {
            h3 { span.method { (endpoint.method.as_str()) } " " code { (endpoint.path) } }
            p { (endpoint.summary) "." @if let Some(needs) = needs(endpoint.needs) { " " (needs) } }
            @if in_path(endpoint.path).next().is_some() || endpoint.query.is_some() || !matches!(endpoint.sent, Sent::Nothing) {
                table {
                    @for name in in_path(endpoint.path) { tr { td { code { (name) } } td { "in the address" } } }
                    @for (name, about) in fields(endpoint) { tr { td { code { (name) } } td { (about) } } }
                }
            }
        }
    }
}

fn needs(needs: Needs) -> Option<String> {
    match needs {
        Needs::Nothing => None,
        Needs::Key => Some("Needs a key, if the server has any.".into()),
        Needs::Everywhere => Some("Needs a key for all collections.".into()),
        Needs::Here(right) => Some(format!("Needs the right to {}.", right.as_str())),
    }
}

/// What is asked behind the `?` or sent, with its description.
fn fields(endpoint: &Endpoint) -> Vec<(String, String)> {
    let mut generator = SchemaGenerator::default();
    let mut fields = Vec::new();
    if let Some(query) = endpoint.query {
        fields.extend(properties(&query(&mut generator).to_value()));
    }
    match endpoint.sent {
        Sent::Nothing => {}
        Sent::File => fields.push(("body".into(), "the bytes of the file".into())),
        Sent::Form => fields.push(("files".into(), "the files, as a form sends them".into())),
        Sent::Json(schema) => {
            schema(&mut generator);
            let sent = generator.take_definitions(true).into_iter().map(|(_, schema)| schema);
            fields.extend(sent.flat_map(|schema| properties(&schema)));
        }
    }
    fields
}

fn properties(schema: &Value) -> Vec<(String, String)> {
    let Some(Value::Object(properties)) = schema.get("properties") else { return Vec::new() };
    let about = |schema: &Value| schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
    properties.iter().map(|(name, schema)| (name.clone(), about(schema))).collect()
}
