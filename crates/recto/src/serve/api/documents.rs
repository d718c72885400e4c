//! Documents: which there are, what is known of each, the file itself.

use std::path::Path;

use axum::Json;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use recto_page::{DocId, Document, DocumentState, PageNumber, Pages, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pages::PageRow;
use crate::commands::status;
use crate::percent::encoded;
use crate::serve::endpoint::Endpoint;
use crate::serve::extract::Asked;
use crate::serve::fault::Fault;
use crate::serve::part::{Part, PartQuery, hundred};
use crate::serve::visit::Visit;

const TAG: &str = "documents";

/// Which part of a list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only documents of this name or pattern, such as `reports/*.pdf`
    #[serde(default)]
    doc: String,
    /// How many to pass over: `next_offset` of the reply before
    #[serde(default)]
    offset: u32,
    /// How many, at most
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    limit: u32,
}

/// Documents, by name.
#[derive(Serialize, JsonSchema)]
struct Documents {
    documents: Vec<DocumentRow>,
    /// How many there are, also beyond this list
    total: usize,
    /// Where the list goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// A document.
#[derive(Serialize, JsonSchema)]
struct DocumentRow {
    document: String,
    title: Option<String>,
    /// Number of pages
    pages: u32,
    /// `indexed`, `failed` or `duplicate`
    state: &'static str,
    /// The document whose pages it shares, if it is a copy
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<String>,
    /// Number of problems
    problems: usize,
    /// Where it is found here
    url: String,
}

/// All that is known of a document, but for its pages.
#[derive(Serialize, JsonSchema)]
struct DocumentBody {
    #[serde(flatten)]
    row: DocumentRow,
    /// Hash of the file
    hash: Option<String>,
    /// Its table of contents
    outline: Vec<OutlineBody>,
    /// What went wrong
    found_problems: Vec<ProblemBody>,
    /// Where its file is found here, if the index has it
    file: Option<String>,
}

/// An entry of a table of contents.
#[derive(Serialize, JsonSchema)]
struct OutlineBody {
    /// 0 for a chapter
    depth: u32,
    title: String,
    page: Option<u32>,
}

/// Something that went wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ProblemBody {
    document: String,
    page: Option<u32>,
    code: &'static str,
    /// What the code stands for
    meaning: &'static str,
    detail: String,
    /// What can be done about it
    next_step: &'static str,
}

impl ProblemBody {
    pub(crate) fn of(document: &DocId, problem: &Problem) -> Self {
        Self {
            document: document.to_string(),
            page: problem.page.map(PageNumber::get),
            code: problem.code.as_str(),
            meaning: problem.code.meaning(),
            detail: problem.detail.clone(),
            next_step: problem.code.next_step(),
        }
    }
}

/// Pages of a document, in order.
#[derive(Serialize, JsonSchema)]
struct PagesBody {
    document: String,
    pages: Vec<PageRow>,
    /// How many there are, also beyond this list
    total: u32,
    /// Where the list goes on, if it does
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<u32>,
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/v1/collections/{collection}/documents", (TAG, "list_documents"), "Documents by name", list)
            .query::<ListQuery>()
            .gives::<Documents>(StatusCode::OK, "Documents"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}",
            (TAG, "get_document"),
            "What is known of a document",
            get,
        )
        .gives::<DocumentBody>(StatusCode::OK, "The document"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/file",
            (TAG, "get_file"),
            "The document's file as it was added",
            file,
        )
        .gives_media("application/pdf", "The file")
        .gives_media("application/octet-stream", "The file, if it is no PDF"),
        Endpoint::get(
            "/v1/collections/{collection}/documents/{document}/pages",
            (TAG, "list_pages"),
            "Pages of a document",
            pages,
        )
        .query::<PartQuery>()
        .gives::<PagesBody>(StatusCode::OK, "Pages"),
    ]
}

async fn list(visit: Visit, Asked(asked): Asked<ListQuery>) -> Result<Json<Documents>, Fault> {
    let part = Part::new(asked.offset, asked.limit, 1000)?;
    let base = visit.base();
    let read = visit.look(move |shelf| {
        // A pattern that fits nothing is an empty list here.
        let scope = shelf.scope(&asked.doc).ok();
        let mut held = status::read(&shelf.corpus.catalog, shelf.dir)?.documents;
        held.retain(|listed| scope.as_ref().is_some_and(|scope| scope.holds(&listed.document.id)));
        let total = held.len();
        let wanted = part.of(held);
        let documents = wanted.map(|listed| DocumentRow::of(&listed.document, listed.n_problems, &base)).collect();
        Ok(Documents { documents, total, next_offset: part.next(total) })
    });
    Ok(Json(read.await?))
}

async fn get(visit: Visit) -> Result<Json<DocumentBody>, Fault> {
    let (id, base) = (DocId::new(visit.named("document")), visit.base());
    let read = visit.look(move |shelf| {
        let document = shelf.corpus.catalog.document(&id)?;
        let problems = shelf.corpus.catalog.problems(Some(&id))?;
        let outline = |entry: &recto_page::OutlineEntry| OutlineBody {
            depth: entry.depth,
            title: entry.title.clone(),
            page: entry.page.map(PageNumber::get),
        };
        let row = DocumentRow::of(&document, problems.len(), &base);
        Ok(DocumentBody {
            file: document.hash.as_ref().map(|_| format!("{}/file", row.url)),
            hash: document.hash.as_ref().map(|hash| hash.as_str().to_owned()),
            outline: document.outline.iter().map(outline).collect(),
            found_problems: problems.iter().map(|(doc, problem)| ProblemBody::of(doc, problem)).collect(),
            row,
        })
    });
    Ok(Json(read.await?))
}

async fn pages(visit: Visit, Asked(asked): Asked<PartQuery>) -> Result<Json<PagesBody>, Fault> {
    let part = asked.part()?;
    let (id, base) = (DocId::new(visit.named("document")), visit.base());
    let read = visit.look(move |shelf| {
        let document = shelf.corpus.catalog.original(&id)?;
        let mut pages = Vec::new();
        for number in part.of(PageNumber::first(document.n_pages)) {
            let id = recto_page::PageId::new(document.id.clone(), number);
            pages.extend(shelf.corpus.catalog.page(&id)?.map(|page| PageRow::of(&id, &page, &base)));
        }
        let next_offset = part.next(document.n_pages as usize).and_then(|next| u32::try_from(next).ok());
        Ok(PagesBody { document: document.id.to_string(), pages, total: document.n_pages, next_offset })
    });
    Ok(Json(read.await?))
}

impl DocumentRow {
    fn of(document: &Document, problems: usize, base: &str) -> Self {
        let (state, duplicate_of) = match &document.state {
            DocumentState::Indexed => ("indexed", None),
            DocumentState::Failed => ("failed", None),
            DocumentState::DuplicateOf(first) => ("duplicate", Some(first.to_string())),
        };
        Self {
            document: document.id.to_string(),
            title: document.title.clone(),
            pages: document.n_pages,
            state,
            duplicate_of,
            problems,
            url: format!("{base}/documents/{}", encoded(document.id.as_str())),
        }
    }
}

/// Always to be kept, never to be shown: a page that somebody sent must not run under our name.
async fn file(visit: Visit) -> Result<Response, Fault> {
    let id = DocId::new(visit.named("document"));
    let name = Path::new(id.as_str()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let opened = visit.look(move |shelf| {
        let document = shelf.corpus.catalog.document(&id)?;
        let hash = document.hash.ok_or_else(|| Fault::not_found("file: the index holds the document's text only"))?;
        Ok(std::fs::File::open(shelf.dir.source(&hash)).map_err(|_| Fault::not_found("file"))?)
    });
    let file = opened.await?;
    let media =
        if name.to_ascii_lowercase().ends_with(".pdf") { "application/pdf" } else { "application/octet-stream" };
    let headers = [
        (CONTENT_TYPE, media.to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{}", encoded(&name))),
        (HeaderName::from_static("content-security-policy"), "default-src 'none'; sandbox".to_owned()),
    ];
    Ok((headers, Body::from_stream(crate::serve::stream::of_file(file))).into_response())
}
