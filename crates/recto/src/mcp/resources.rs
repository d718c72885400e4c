//! Documents and pictures of pages as resources: `recto:///documents/NAME` and `recto:///pages/NAME/N`.

use recto_page::Region;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use super::pages::Manner;
use super::reply::cleaned;
use crate::exit::usage;
use crate::library::Shelf;
use crate::output::count;
use crate::percent;

/// Documents of one list.
pub(super) const LISTED: usize = 100;
const DOCUMENTS: &str = "recto:///documents/";
const PAGES: &str = "recto:///pages/";

/// The forms that addresses have.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{DOCUMENTS}{{document}}"), "document")
            .with_description("A document: title, number of pages, table of contents")
            .with_mime_type("application/json"),
        ResourceTemplate::new(format!("{PAGES}{{document}}/{{page}}"), "page")
            .with_description("The picture of a page, counted from 1")
            .with_mime_type("image/png"),
    ]
}

impl Shelf<'_> {
    /// Documents from `offset` on, and whether there are more.
    pub(super) fn resources(&self, offset: usize) -> anyhow::Result<(Vec<Resource>, bool)> {
        let documents = self.corpus.catalog.documents()?;
        let resource = |document: &recto_page::Document| {
            let name = document.id.as_str();
            let described = count(document.n_pages.into(), "page");
            let resource = Resource::new(format!("{DOCUMENTS}{}", percent::encoded(name)), name);
            resource.with_description(described).with_mime_type("application/json")
        };
        let listed: Vec<Resource> = documents.iter().skip(offset).take(LISTED).map(resource).collect();
        let more = offset + listed.len() < documents.len();
        Ok((listed, more))
    }

    /// What an address names.
    ///
    /// # Errors
    /// A [usage error](crate::exit::Usage) if it names nothing; when the page can't be drawn.
    pub(super) fn resource(&self, uri: &str) -> anyhow::Result<ResourceContents> {
        if let Some(name) = uri.strip_prefix(DOCUMENTS) {
            let document = self.document(&percent::decoded(name))?;
            let facts = json!({
                "document": document.id.as_str(),
                "title": document.title,
                "pages": document.n_pages,
                "state": document.state,
                "outline": document.outline,
            });
            return Ok(ResourceContents::text(cleaned(facts).to_string(), uri).with_mime_type("application/json"));
        }
        let place = uri.strip_prefix(PAGES).and_then(|place| place.rsplit_once('/'));
        let (name, page) = place.ok_or_else(|| usage(format!("{uri}: expected {DOCUMENTS}NAME or {PAGES}NAME/N")))?;
        let document = self.document(&percent::decoded(name))?;
        let id = self.corpus.page(&document.id, &percent::decoded(page))?;
        let picture = self.draw(&id, Region::FULL, Manner::PAGE)?;
        Ok(ResourceContents::blob(picture.base64(), uri).with_mime_type(picture.mime))
    }
}
