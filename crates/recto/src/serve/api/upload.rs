//! Documents come and go: by upload, or by a path of this machine where that is allowed. Each is a job.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::BodyDataStream;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, LOCATION};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use recto_ingest::discover::{Discovery, Found, discover, real_path};
use recto_page::{Catalog, DocId, DocumentState, IndexDir, Problem, ProblemCode, Stage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::documents::ProblemBody;
use super::jobs::JobBody;
use super::pages::word;
use crate::commands::index::sources::{self, Source};
use crate::commands::index::{self, Options, PATIENCE, Prune, Summary};
use crate::config::Config;
use crate::serve::endpoint::{Endpoint, Needs, Sent};
use crate::serve::extract;
use crate::serve::fault::Fault;
use crate::serve::jobs::{Job, Kind};
use crate::serve::keys::Right;
use crate::serve::names;
use crate::serve::state::{App, Collection};
use crate::serve::visit::Visit;

const TAG: &str = "documents";
/// Files of one upload.
const FILES: usize = 1_000;
/// So long an answer waits for what is mostly done at once.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Documents of this machine.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PathBody {
    /// A document or a folder of them, below a folder that the server was started with (`--allow-path`)
    path: String,
    /// Remove documents that were found there before and whose files are gone
    #[serde(default)]
    prune: bool,
}

/// What became of documents that were added.
#[derive(Serialize, JsonSchema)]
pub(super) struct Indexed {
    /// The documents that were sent; empty for a path
    documents: Vec<IndexedDocument>,
    /// Documents that were read
    read: u64,
    unchanged: u64,
    renamed: u64,
    duplicates: u64,
    removed: u64,
    /// Files that were passed over, of kinds that are not read, by their endings
    skipped: std::collections::BTreeMap<String, u64>,
    seconds: f64,
}

/// What became of a document.
#[derive(Serialize, JsonSchema)]
struct IndexedDocument {
    document: String,
    /// `indexed`, `failed` or `duplicate`
    state: String,
    pages: u32,
    problems: Vec<ProblemBody>,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/v1/collections/{collection}/documents",
            (TAG, "add_documents"),
            "Add documents, or new versions of them, as a form sends files",
            add,
        )
        .needs(Needs::Here(Right::Write))
        .takes_file(Sent::Form)
        .gives::<JobBody>(StatusCode::ACCEPTED, "The job that reads them"),
        Endpoint::put(
            "/v1/collections/{collection}/documents/{document}",
            (TAG, "put_document"),
            "Add a document, or a new version of it, as the bytes of its file",
            put,
        )
        .needs(Needs::Here(Right::Write))
        .takes_file(Sent::File)
        .gives::<JobBody>(StatusCode::ACCEPTED, "The job that reads it"),
        Endpoint::post(
            "/v1/collections/{collection}/index",
            (TAG, "add_path"),
            "Add a document or folder of the server's machine, where that is allowed",
            add_path,
        )
        .needs(Needs::Here(Right::Write))
        .takes::<PathBody>()
        .gives::<JobBody>(StatusCode::ACCEPTED, "The job that reads them"),
        Endpoint::delete(
            "/v1/collections/{collection}/documents/{document}",
            (TAG, "remove_document"),
            "Remove a document; a file in a folder that is indexed again comes back",
            remove,
        )
        .needs(Needs::Here(Right::Write))
        .gives::<JobBody>(StatusCode::ACCEPTED, "The job that removes it"),
    ]
}

/// Files that were sent, in a folder that goes with them.
pub(crate) struct Upload {
    folder: TempDir,
    files: Vec<(DocId, PathBuf)>,
    bytes: u64,
    limit: u64,
}

impl Upload {
    /// A place for files that are on their way into an index.
    pub(crate) fn new(dir: &IndexDir, limit: u64) -> anyhow::Result<Self> {
        let parent = dir.cache().join("uploads");
        std::fs::create_dir_all(&parent)?;
        Ok(Self { folder: TempDir::new_in(parent)?, files: Vec::new(), bytes: 0, limit })
    }

    /// Takes a file as it comes.
    async fn take<E: std::fmt::Display>(
        &mut self,
        name: &str,
        mut pieces: impl futures_util::Stream<Item = Result<axum::body::Bytes, E>> + Unpin,
    ) -> Result<(), Fault> {
        let name = names::document(name)?;
        let path = self.folder.path().join(format!("{}{}", self.files.len(), ending(&name)));
        let mut file = std::fs::File::create(&path).map_err(|error| Fault::internal(error.to_string()))?;
        while let Some(piece) = pieces.next().await {
            let piece = piece.map_err(|error| Fault::malformed(error.to_string()))?;
            self.bytes += piece.len() as u64;
            if self.bytes > self.limit {
                return Err(Fault::too_large("--max-upload", self.limit));
            }
            // The file system's own buffer takes it; a slow disk slows this upload only.
            let written = tokio::task::block_in_place(|| file.write_all(&piece));
            written.map_err(|error| Fault::internal(error.to_string()))?;
        }
        self.files.retain(|(known, _)| known.as_str() != name);
        self.files.push((DocId::new(name), path));
        Ok(())
    }

    fn about(&self) -> String {
        let names: Vec<&str> = self.files.iter().take(3).map(|(id, _)| id.as_str()).collect();
        let more = self.files.len().saturating_sub(names.len());
        if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
    }
}

/// The ending tells what kind of file it is.
fn ending(name: &str) -> String {
    Path::new(name).extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default()
}

async fn add(visit: Visit, request: Request) -> Result<Response, Fault> {
    let limit = visit.app.limits.upload;
    let upload = in_time(&visit.app, async {
        refuse_early(&request, limit)?;
        let mut upload = Upload::new(visit.collection.library.dir(), limit)?;
        let form = Multipart::from_request(request, &()).await;
        let mut form = form.map_err(|_| Fault::unsupported("multipart/form-data"))?;
        while let Some(field) = form.next_field().await.map_err(|error| Fault::malformed(error.body_text()))? {
            let name = field.file_name().map(str::to_owned).filter(|_| field.name() == Some("files"));
            let name =
                name.ok_or_else(|| Fault::invalid("files: the form holds another field; call every file `files`"))?;
            if upload.files.len() >= FILES {
                return Err(Fault::invalid(format!("files: more than {FILES}; send them in several uploads")));
            }
            upload.take(&name, Box::pin(field)).await?;
        }
        Ok(upload)
    });
    let upload = upload.await?;
    if upload.files.is_empty() {
        return Err(Fault::invalid("files: the form holds no file"));
    }
    accepted(&visit, submit(&visit, upload)?)
}

async fn put(visit: Visit, request: Request) -> Result<Response, Fault> {
    let limit = visit.app.limits.upload;
    let name = visit.named("document").to_owned();
    let upload = in_time(&visit.app, async {
        refuse_early(&request, limit)?;
        if names::document(&name)? != name {
            return Err(Fault::invalid(format!("document {name:?}: slashes part it, and no part is empty or `.`")));
        }
        let mut upload = Upload::new(visit.collection.library.dir(), limit)?;
        let pieces: BodyDataStream = request.into_body().into_data_stream();
        upload.take(&name, pieces).await?;
        if upload.bytes == 0 {
            return Err(Fault::malformed("no byte of a file was sent"));
        }
        Ok(upload)
    });
    let upload = upload.await?;
    accepted(&visit, submit(&visit, upload)?)
}

/// What says that it is too large need not be sent.
fn refuse_early(request: &Request, limit: u64) -> Result<(), Fault> {
    let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    // A form is a little larger than its files.
    match length.filter(|length| *length > limit.saturating_add(1 << 20)) {
        Some(_) => Err(Fault::too_large("--max-upload", limit)),
        None => Ok(()),
    }
}

async fn in_time<T>(app: &App, sent: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
    let time = app.limits.body_time;
    tokio::time::timeout(time, sent).await.unwrap_or_else(|_| Err(Fault::slow(time.as_secs())))
}

/// Takes on the work of reading files that were sent.
///
/// # Errors
/// 429 if too many jobs run or wait.
pub(crate) fn submit(visit: &Visit, upload: Upload) -> Result<Arc<Job>, Fault> {
    let about = upload.about();
    let library = Arc::clone(&visit.collection.library);
    let Upload { folder, files, .. } = upload;
    visit.submit(Kind::Index, about, move |job| {
        let names: Vec<DocId> = files.iter().map(|(id, _)| id.clone()).collect();
        let found = || sources::uploaded(files.clone());
        let done = indexed(library.dir(), library.config(), job, &found, &|| Prune::Nothing, &names);
        // The files are there until now.
        drop(folder);
        done
    })
}

async fn add_path(visit: Visit, extract::Body(asked): extract::Body<PathBody>) -> Result<Response, Fault> {
    let path = allowed(Path::new(&asked.path), &visit.app.allowed)?;
    accepted(&visit, submit_path(&visit.app, &visit.collection, path, asked.prune)?)
}

/// Takes on the work of reading what lies at a path.
///
/// # Errors
/// 429 if too many jobs run or wait.
pub(crate) fn submit_path(app: &App, collection: &Collection, path: PathBuf, prune: bool) -> Result<Arc<Job>, Fault> {
    let library = Arc::clone(&collection.library);
    app.submit(collection, Kind::Index, path.display().to_string(), move |job| {
        let dir = library.dir();
        let held = sources::held(dir)?;
        let found =
            || sources::from_discovery(without_ways_out(discover(std::slice::from_ref(&path)), &path), None, &held);
        let prune = || if prune { Prune::Gone(vec![path.clone()]) } else { Prune::Nothing };
        indexed(dir, library.config(), job, &found, &prune, &[])
    })
}

/// Takes on the work of reading what was found in a folder that is watched; what is gone from there is removed.
///
/// # Errors
/// 429 if too many jobs run or wait.
pub(crate) fn submit_found(
    app: &App,
    collection: &Collection,
    path: PathBuf,
    found: Discovery,
) -> Result<Arc<Job>, Fault> {
    let library = Arc::clone(&collection.library);
    app.submit(collection, Kind::Index, path.display().to_string(), move |job| {
        let dir = library.dir();
        let held = sources::held(dir)?;
        let found = || sources::from_discovery(found.clone(), None, &held);
        indexed(dir, library.config(), job, &found, &|| Prune::Gone(vec![path.clone()]), &[])
    })
}

/// The real path, if it is below a folder that may be read.
fn allowed(path: &Path, folders: &[PathBuf]) -> Result<PathBuf, Fault> {
    if folders.is_empty() {
        let next = "upload the documents, or start the server with --allow-path DIR";
        return Err(Fault::forbidden("no folder of the server's machine may be read", next));
    }
    // Links are followed before it is compared, so that none leads out; what is not there is told as what is not allowed.
    let real = path.canonicalize().ok().map(|path| real_path(&path));
    let is_below = |real: &PathBuf| {
        folders.iter().any(|folder| folder.canonicalize().is_ok_and(|folder| real.starts_with(folder)))
    };
    real.filter(is_below).ok_or_else(|| {
        Fault::forbidden(
            "path: there is no such file or folder that may be read",
            "name one below a folder of --allow-path",
        )
    })
}

/// Leaves out files that links in a folder lead to elsewhere, each with a problem.
fn without_ways_out(mut discovery: Discovery, folder: &Path) -> Discovery {
    let stays = |path: &Path| path.canonicalize().is_ok_and(|real| real.starts_with(folder));
    let (found, out) = discovery.found.into_iter().partition(|found: &Found| stays(&found.path));
    discovery.found = found;
    let problem = |found: Found| {
        let why = "a link leads out of the folder that may be read";
        (found.path, Problem::of_document(ProblemCode::Unreadable, Stage::Discover, why))
    };
    discovery.problems.extend(out.into_iter().map(problem));
    discovery
}

/// Brings the index up to date with what was found, waiting for other writers.
fn indexed(
    dir: &IndexDir,
    config: &Config,
    job: &Arc<Job>,
    found: &dyn Fn() -> Vec<Source>,
    prune: &dyn Fn() -> Prune,
    names: &[DocId],
) -> anyhow::Result<Value> {
    let quiet = Config { quiet: true, ..config.clone() };
    let (told, stop) = (Some(job.teller()), Some(Arc::clone(&job.stop)));
    let options = Options { prune: prune(), patience: PATIENCE, stop, told, ..Options::default() };
    let summary = index::update(dir, found(), &options, &quiet)?;
    Ok(serde_json::to_value(Indexed::of(summary, names, dir)?)?)
}

impl Indexed {
    fn of(summary: Summary, names: &[DocId], dir: &IndexDir) -> anyhow::Result<Self> {
        let catalog = Catalog::open(dir)?;
        let document = |id: &DocId| -> anyhow::Result<IndexedDocument> {
            let document = catalog.document(id)?;
            let problems = catalog.problems(Some(id))?;
            let state = match document.state {
                DocumentState::DuplicateOf(_) => "duplicate".into(),
                state => word(&state),
            };
            let problems = problems.iter().map(|(doc, problem)| ProblemBody::of(doc, problem)).collect();
            Ok(IndexedDocument { document: id.to_string(), state, pages: document.n_pages, problems })
        };
        let counts = summary.counts;
        Ok(Self {
            documents: names.iter().map(document).collect::<anyhow::Result<_>>()?,
            read: counts.read,
            unchanged: counts.unchanged,
            renamed: counts.renamed,
            duplicates: counts.duplicates,
            removed: counts.removed,
            skipped: summary.skipped,
            seconds: summary.seconds,
        })
    }
}

async fn remove(visit: Visit) -> Result<Response, Fault> {
    let id = DocId::new(visit.named("document"));
    let known = id.clone();
    visit.look(move |shelf| Ok(shelf.corpus.catalog.document(&known)?)).await?;
    let library = Arc::clone(&visit.collection.library);
    let job = visit.submit(Kind::Remove, id.to_string(), move |job| {
        let removed = index::remove(library.dir(), std::slice::from_ref(&id), &job.stop)?;
        Ok(json!({ "removed": removed }))
    });
    let job = job?;
    // It is mostly done at once: whoever looks after this answer is to find what is true.
    job.wait(AT_ONCE).await;
    accepted(&visit, job)
}

/// A job that was taken on, and where it is found.
pub(super) fn accepted(visit: &Visit, job: Arc<Job>) -> Result<Response, Fault> {
    job.keep(&visit.collection.jobs);
    let body = JobBody::of(&job, &visit.base());
    Ok((StatusCode::ACCEPTED, [(LOCATION, body.url.clone())], Json(body)).into_response())
}
