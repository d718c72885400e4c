//! What a tool tells: facts as JSON, what pages say between marks, pictures; or what went wrong and what to call next.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use recto_agent::fence::clean;
use recto_page::PageError;
use recto_search::SearchError;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

/// What a tool tells.
pub(super) struct Reply {
    /// Facts. Strings among them may come from documents.
    pub(super) facts: Map<String, Value>,
    /// What pages say, between marks.
    pub(super) quoted: Vec<String>,
    pub(super) pictures: Vec<Picture>,
}

/// A picture as a file.
pub(super) struct Picture {
    pub(super) bytes: Vec<u8>,
    pub(super) mime: &'static str,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) dpi: u32,
}

impl Picture {
    pub(super) fn base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }
}

impl Reply {
    /// Facts alone.
    pub(super) fn facts(facts: Value) -> Self {
        let facts = match facts {
            Value::Object(facts) => facts,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        Self { facts, quoted: Vec::new(), pictures: Vec::new() }
    }
}

impl From<Reply> for CallToolResult {
    /// Facts alone also go as structured content. With text or pictures they don't: some clients would then show nothing else.
    fn from(reply: Reply) -> Self {
        let facts = cleaned(Value::Object(reply.facts));
        if reply.quoted.is_empty() && reply.pictures.is_empty() {
            return Self::structured(facts);
        }
        let mut content = vec![ContentBlock::text(facts.to_string())];
        content.extend(reply.quoted.into_iter().map(ContentBlock::text));
        content.extend(reply.pictures.iter().map(|picture| ContentBlock::image(picture.base64(), picture.mime)));
        Self::success(content)
    }
}

/// An error that the caller sees as the tool's reply, with the next call to try.
pub(super) fn failed(error: &anyhow::Error) -> CallToolResult {
    let text = clean(&format!("{error:#}"));
    CallToolResult::error(vec![ContentBlock::text(format!("{text}. Next: {}", next_call(error)))])
}

fn next_call(error: &anyhow::Error) -> &'static str {
    let search = error.downcast_ref::<SearchError>();
    match (search, error.downcast_ref::<PageError>()) {
        (Some(SearchError::EmptyQuery), _) => "call search_pages with words that may stand on the page.",
        (Some(_), _) => "call search_pages with route bm25, which needs nothing but the words.",
        (_, Some(PageError::NotDrawn { .. })) => "call read_page for the text of the page.",
        _ if error.is::<recto_agent::AgentError>() => "call ask with a whole question, or search_pages with its words.",
        _ => "call list_documents for names and numbers of pages, then this tool with other values.",
    }
}

/// All strings without characters that move, hide or reorder text.
pub(super) fn cleaned(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(&text)),
        Value::Array(values) => values.into_iter().map(cleaned).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, cleaned(value))).collect(),
        other => other,
    }
}
