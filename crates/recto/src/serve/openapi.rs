//! The OpenAPI 3.1 description of the API, made from the endpoints and the types that they take and give.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::endpoint::{Endpoint, Needs, Sent};
use super::fault::ErrorBody;

const ABOUT: &str = "Documents as pages: search them, look at them, ask questions whose answers cite pages. Pages count \
    from 1. Regions are [left, top, right, bottom] as fractions of the page as it is displayed, from its upper left \
    corner. Names of documents may hold slashes: they are percent-encoded in addresses. Every error has the form of Error.";

/// The description as JSON.
pub(crate) fn document(endpoints: &[Endpoint]) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        .into_generator();
    let error = generator.subschema_for::<ErrorBody>().to_value();
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in endpoints {
        let described = operation(endpoint, &error, &mut generator);
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = path {
            methods.insert(endpoint.method.as_str().to_lowercase(), described);
        }
    }
    let schemas = generator.take_definitions(true);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "recto",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{}, { "key": [] }, { "bearer": [] }],
        "tags": tags(endpoints),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": { "type": "apiKey", "in": "header", "name": "X-API-Key" },
                "bearer": { "type": "http", "scheme": "bearer" },
            },
        },
    });
    bound(&mut document);
    document
}

/// Says of every number of 32 bits how large it can be: its format alone is a hint.
fn bound(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(bound),
        Value::Object(fields) => {
            if fields.get("format").and_then(Value::as_str) == Some("uint32") {
                fields.entry("maximum").or_insert_with(|| u32::MAX.into());
            }
            fields.values_mut().for_each(bound);
        }
        _ => {}
    }
}

fn tags(endpoints: &[Endpoint]) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    endpoints
        .iter()
        .filter(|endpoint| seen.insert(endpoint.tag))
        .map(|endpoint| json!({ "name": endpoint.tag }))
        .collect()
}

fn operation(endpoint: &Endpoint, error: &Value, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = in_path(endpoint.path).map(path_parameter).collect();
    if let Some(query) = endpoint.query {
        parameters.extend(query_parameters(query(generator).to_value()));
    }
    let mut described = json!({
        "operationId": endpoint.id,
        "summary": endpoint.summary,
        "tags": [endpoint.tag],
        "parameters": parameters,
        "responses": responses(endpoint, error, generator),
    });
    if endpoint.needs == Needs::Nothing {
        set(&mut described, "security", json!([]));
    }
    if let Some(body) = body(endpoint, generator) {
        set(&mut described, "requestBody", body);
    }
    described
}

/// The names of the parameters in a path.
pub(crate) fn in_path(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
}

fn path_parameter(name: &'static str) -> Value {
    let about = match name {
        "collection" => "Name of the collection",
        "document" => "Name of the document, percent-encoded as one part of the address",
        "page" => "Page counted from 1, or a printed label such as iii",
        "job" => "The job's id",
        "episode" => "The episode's id",
        "run" | "other" => "Name of the run's folder",
        "item" => "The item's id",
        _ => "Name",
    };
    json!({
        "name": name, "in": "path", "required": true, "description": about,
        "schema": { "type": "string", "minLength": 1 },
    })
}

fn query_parameters(schema: Value) -> Vec<Value> {
    let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get("properties").cloned() else { return Vec::new() };
    let parameter = |(name, mut schema): (String, Value)| {
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description")).unwrap_or_default();
        let required = required.contains(&Value::String(name.clone()));
        json!({ "name": name, "in": "query", "required": required, "description": about, "schema": schema })
    };
    properties.into_iter().map(parameter).collect()
}

fn body(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Option<Value> {
    let (media, schema) = match endpoint.sent {
        Sent::Nothing => return None,
        Sent::Json(schema) => ("application/json", schema(generator).to_value()),
        Sent::File => ("application/octet-stream", json!({ "type": "string", "format": "binary", "minLength": 1 })),
        Sent::Form => {
            let files = json!({ "type": "array", "minItems": 1, "items": { "type": "string", "format": "binary" } });
            let form = json!({
                "type": "object",
                "required": ["files"],
                "properties": { "files": files },
                "additionalProperties": false,
            });
            ("multipart/form-data", form)
        }
    };
    Some(json!({ "required": true, "content": { media: { "schema": schema } } }))
}

fn responses(endpoint: &Endpoint, error: &Value, generator: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    for given in &endpoint.given {
        let schema = given.schema.map_or_else(|| json!({}), |schema| schema(generator).to_value());
        let response = responses
            .entry(given.status.as_str())
            .or_insert_with(|| json!({ "description": given.about, "content": {} }));
        if let Some(Value::Object(content)) = response.get_mut("content") {
            content.insert(given.media.into(), json!({ "schema": schema }));
        }
    }
    for (status, about) in faults(endpoint) {
        let content = json!({ "application/json": { "schema": error } });
        responses.insert(status.as_str().into(), json!({ "description": about, "content": content }));
    }
    Value::Object(responses)
}

/// What can go wrong at an endpoint.
fn faults(endpoint: &Endpoint) -> Vec<(StatusCode, &'static str)> {
    let mut faults = Vec::new();
    let mut add = |when: bool, status, about| {
        if when {
            faults.push((status, about));
        }
    };
    let is_sent = !matches!(endpoint.sent, Sent::Nothing);
    let is_asked = is_sent || endpoint.query.is_some();
    let has_names = endpoint.path.contains('{') || endpoint.path.starts_with("/v1/chat");
    add(is_sent, StatusCode::BAD_REQUEST, "What was sent is not of the form that it says");
    add(endpoint.needs != Needs::Nothing, StatusCode::UNAUTHORIZED, "A key is needed");
    add(true, StatusCode::FORBIDDEN, "The key is good for less than this, or another site asks");
    add(has_names, StatusCode::NOT_FOUND, "There is no such thing, or the key must not see it");
    add(is_sent, StatusCode::REQUEST_TIMEOUT, "What was to be sent did not come in time");
    add(endpoint.path.contains("{job}"), StatusCode::CONFLICT, "The job is not in a state for this");
    add(is_sent, StatusCode::PAYLOAD_TOO_LARGE, "More was sent than a setting allows");
    add(is_sent, StatusCode::UNSUPPORTED_MEDIA_TYPE, "What was sent is of another type");
    add(is_asked || has_names, StatusCode::UNPROCESSABLE_ENTITY, "A value is of no use; the message names it");
    add(true, StatusCode::TOO_MANY_REQUESTS, "More is asked at once than a setting allows; try again");
    add(true, StatusCode::INTERNAL_SERVER_ERROR, "A fault of the program or of the index");
    add(endpoint.needs != Needs::Nothing, StatusCode::SERVICE_UNAVAILABLE, "Not yet: there is no document");
    faults
}

fn set(value: &mut Value, name: &str, inner: Value) {
    if let Value::Object(fields) = value {
        fields.insert(name.into(), inner);
    }
}
