//! An endpoint: what the router calls, who may call it, and what the OpenAPI file says of it, in one place, so that the
//! three can't differ.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Request};
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::fault::Fault;
use super::keys::Right;
use super::state::App;
use super::visit::{Caller, Visit};

/// Makes the schema of a type, and of those that it holds.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// Who may call an endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Needs {
    /// Everybody.
    Nothing,
    /// Whoever has a key; the answer holds only what that key is for.
    Key,
    /// Whoever has a key that is good for all collections.
    Everywhere,
    /// Whoever may do this in the collection that the address names.
    Here(Right),
}

/// What is sent with a request.
#[derive(Clone, Copy)]
pub(crate) enum Sent {
    /// Nothing.
    Nothing,
    /// JSON of this form.
    Json(SchemaOf),
    /// Files as a form sends them.
    Form,
    /// The bytes of a file.
    File,
}

/// What is answered.
pub(crate) struct Given {
    pub(crate) status: StatusCode,
    pub(crate) media: &'static str,
    /// `None` for what is no JSON.
    pub(crate) schema: Option<SchemaOf>,
    pub(crate) about: &'static str,
}

/// One thing that can be asked.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    /// With parameters as `{name}`.
    pub(crate) path: &'static str,
    /// What client libraries call it.
    pub(crate) id: &'static str,
    /// The group it belongs to.
    pub(crate) tag: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) needs: Needs,
    pub(crate) query: Option<SchemaOf>,
    pub(crate) sent: Sent,
    pub(crate) given: Vec<Given>,
    route: MethodRouter<Arc<App>>,
}

impl Endpoint {
    pub(crate) fn new<H, T>(
        method: MethodFilter,
        path: &'static str,
        (tag, id): (&'static str, &'static str),
        summary: &'static str,
        handler: H,
    ) -> Self
    where
        H: Handler<T, Arc<App>>,
        T: 'static,
    {
        let needs = if path.contains("{collection}") { Needs::Here(Right::Read) } else { Needs::Nothing };
        let (query, sent, given, route) = (None, Sent::Nothing, Vec::new(), on(method, handler));
        Self { method: named(method), path, id, tag, summary, needs, query, sent, given, route }
    }

    pub(crate) fn get<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        name: (&'static str, &'static str),
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(MethodFilter::GET, path, name, summary, handler)
    }

    pub(crate) fn post<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        name: (&'static str, &'static str),
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(MethodFilter::POST, path, name, summary, handler)
    }

    pub(crate) fn put<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        name: (&'static str, &'static str),
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(MethodFilter::PUT, path, name, summary, handler)
    }

    pub(crate) fn delete<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        name: (&'static str, &'static str),
        summary: &'static str,
        handler: H,
    ) -> Self {
        Self::new(MethodFilter::DELETE, path, name, summary, handler)
    }

    pub(crate) fn needs(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    /// What stands behind the `?`.
    pub(crate) fn query<T: JsonSchema>(self) -> Self {
        Self { query: Some(T::json_schema), ..self }
    }

    pub(crate) fn takes<T: JsonSchema>(self) -> Self {
        Self { sent: Sent::Json(schema::<T>), ..self }
    }

    pub(crate) fn takes_file(self, sent: Sent) -> Self {
        Self { sent, ..self }
    }

    /// Answers with JSON.
    pub(crate) fn gives<T: JsonSchema>(mut self, status: StatusCode, about: &'static str) -> Self {
        self.given.push(Given { status, media: "application/json", schema: Some(schema::<T>), about });
        self
    }

    /// Answers with something else.
    pub(crate) fn gives_media(mut self, media: &'static str, about: &'static str) -> Self {
        self.given.push(Given { status: StatusCode::OK, media, schema: None, about });
        self
    }

    /// The endpoint as the router takes it: who may not call it does not come to it.
    pub(crate) fn route(self, app: &Arc<App>) -> (&'static str, MethodRouter<Arc<App>>) {
        let (needs, id, app) = (self.needs, self.id, Arc::clone(app));
        let admit = from_fn(move |request: Request, next: Next| {
            let app = Arc::clone(&app);
            async move {
                let started = Instant::now();
                let response = match admitted(request, needs, &app).await {
                    Ok(request) => next.run(request).await,
                    Err(fault) => fault.into_response(),
                };
                app.metrics.request(id, response.status(), started.elapsed());
                response
            }
        });
        // Uploads have a limit of their own, which counts what comes.
        let is_upload = matches!(self.sent, Sent::Form | Sent::File);
        let route = if is_upload { self.route.layer(DefaultBodyLimit::disable()) } else { self.route };
        (self.path, route.layer(admit))
    }
}

/// The request, if its sender may make it.
async fn admitted(request: Request<Body>, needs: Needs, app: &Arc<App>) -> Result<Request<Body>, Fault> {
    let (mut parts, body) = request.into_parts();
    match needs {
        Needs::Nothing => {}
        Needs::Key => drop(Caller::from_request_parts(&mut parts, app).await?),
        Needs::Everywhere => {
            let caller = Caller::from_request_parts(&mut parts, app).await?;
            let is_everywhere = caller.grants.everywhere().is_some();
            let told = || Fault::forbidden("this key is not good for all collections", "use a key that is");
            is_everywhere.then_some(()).ok_or_else(told)?;
        }
        Needs::Here(right) => Visit::from_request_parts(&mut parts, app).await?.needs(right)?,
    }
    Ok(Request::from_parts(parts, body))
}

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

fn named(method: MethodFilter) -> Method {
    match method {
        MethodFilter::POST => Method::POST,
        MethodFilter::PUT => Method::PUT,
        MethodFilter::DELETE => Method::DELETE,
        _ => Method::GET,
    }
}
