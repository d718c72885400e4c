//! A document of a corpus.

use serde::{Deserialize, Serialize};

use crate::{ContentHash, DocId, PageNumber};

/// A document as the catalog lists it; its pages are read one by one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Document {
    /// Its name in the corpus.
    pub id: DocId,
    /// Where the file was when it was indexed; text records have none.
    #[serde(serialize_with = "lossy")]
    pub path: Option<std::path::PathBuf>,
    /// Hash of the file's bytes, which names its copy in the index; text records have none.
    pub hash: Option<ContentHash>,
    /// The file's title, if it declares one.
    pub title: Option<String>,
    /// Number of pages.
    pub n_pages: u32,
    /// What became of it.
    pub state: DocumentState,
    /// The file's table of contents.
    pub outline: Vec<OutlineEntry>,
}

/// What became of a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentState {
    /// Its pages can be searched. Some of them may have problems.
    Indexed,
    /// No page could be read: see its problems.
    Failed,
    /// The same content is indexed as this other document.
    DuplicateOf(DocId),
}

/// An entry of a document's table of contents.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutlineEntry {
    /// Nesting depth, 0 for the top.
    pub depth: u32,
    /// The heading.
    pub title: String,
    /// Where it leads, if that could be resolved.
    pub page: Option<PageNumber>,
}

/// Not every path is text; for output it is made so.
fn lossy<S: serde::Serializer>(path: &Option<std::path::PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}
